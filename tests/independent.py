"""Claude Code stream-json → the figures that matter, worked out a second time: `json` and counting, no agentlog.

The rules are the plain ones of the contract (a turn is a distinct message id of the main loop; a process's last total is its cost; its last
`modelUsage` is its tokens), without the guards for gateways, copies and torn records. So where agentlog says otherwise, a person has to look.

    python tests/independent.py FOLDER [--agentlog COMMAND]

prints a table of every file below FOLDER, one row per session; with the command, each file is also ingested into a store of its own and
every cell that differs shows both figures.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]

FIGURES: Final = (
    "turns",
    "subagent_turns",
    "tool_calls",
    "api_retries",
    "compactions",
    "results",
    "reported_cost_usd",
    "input_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "output_tokens",
)
MODEL_USAGE: Final = {  # hand-written files spell it as `usage` is spelt
    "input_tokens": ("inputTokens", "input_tokens"),
    "cache_read_tokens": ("cacheReadInputTokens", "cache_read_input_tokens"),
    "cache_write_tokens": ("cacheCreationInputTokens", "cache_creation_input_tokens"),
    "output_tokens": ("outputTokens", "output_tokens"),
}
CALLS: Final = ("tool_use", "server_tool_use", "mcp_tool_use")
LINE_COUNTS: Final = ("lines", "blank_lines", "unreadable_lines")


@dataclass
class Session:
    """What the records of one session say."""

    turns: set[str] = field(default_factory=set)
    subagent_turns: set[str] = field(default_factory=set)
    tool_calls: set[str] = field(default_factory=set)
    api_retries: int = 0
    compactions: int = 0
    results: list[Record] = field(default_factory=list)

    def figures(self) -> dict[str, float | None]:
        """The figures by agentlog's column names; None where no result tells."""
        last = last_of_each_process(self.results)
        costs = [found for result in last if (found := cost(result)) is not None]
        return {
            "turns": len(self.turns),
            "subagent_turns": len(self.subagent_turns),
            "tool_calls": len(self.tool_calls),
            "api_retries": self.api_retries,
            "compactions": self.compactions,
            "results": len(self.results),
            "reported_cost_usd": sum(costs) if costs else None,
            **{ours: tokens(last, theirs) for ours, theirs in MODEL_USAGE.items()},
        }


@dataclass
class File:
    """One file: its lines by kind, its sessions by id (None: no line has one)."""

    lines: int = 0
    blank_lines: int = 0
    unreadable_lines: int = 0
    sessions: dict[str | None, Session] = field(default_factory=dict)


def read(path: Path) -> File:
    """One file, read whole."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    found = File()
    records = list(_records(data, found))
    ids = {record["session_id"] for record in records if isinstance(record.get("session_id"), str)}
    session_id: str | None = next(iter(ids)) if len(ids) == 1 else None
    for record in records:
        if isinstance(record.get("session_id"), str):
            session_id = record["session_id"]
        _take(record, found.sessions.setdefault(session_id, Session()))
    return found


def _records(data: bytes, found: File) -> Iterator[Record]:
    whole = _whole(data)
    for line in whole if whole is not None else data.removesuffix(b"\n").split(b"\n") if data else []:
        found.lines += 1
        if isinstance(line, bytes) and not line.strip(b" \t\r\n\xef\xbb\xbf"):
            found.blank_lines += 1
        elif (record := line if isinstance(line, dict) else _object(line)) is not None:
            yield record
        else:
            found.unreadable_lines += 1


def _whole(data: bytes) -> list[Any] | None:
    """The elements of a file that is one JSON array, or one document over several lines."""
    try:
        parsed = _parse(data)
    except ValueError:
        return None
    return parsed if isinstance(parsed, list) else [parsed] if isinstance(parsed, dict) else None


def _object(line: object) -> Record | None:
    try:
        parsed = _parse(line) if isinstance(line, bytes) else line
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _parse(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig", errors="replace"), parse_constant=_no_constant)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _take(record: Record, session: Session) -> None:
    kind, subtype = record.get("type"), record.get("subtype")
    if kind == "assistant" and isinstance(record.get("message"), dict):
        _take_message(record["message"], record, session)
    elif kind == "stream_event" and isinstance(record.get("event"), dict):
        _take_event(record["event"], record, session)
    elif kind == "message" and record.get("role") == "assistant":
        _take_message(record, record, session)
    elif kind == "result" or (kind is None and record.get("role") == "system" and "cost_usd" in record):
        session.results.append(record)
    elif kind == "system":
        session.api_retries += subtype == "api_retry"
        session.compactions += subtype == "compact_boundary" and record.get("parent_tool_use_id") is None


def _take_event(event: Record, record: Record, session: Session) -> None:
    if event.get("type") == "message_start":
        _take_message(event["message"], record, session)
    elif event.get("type") == "content_block_start":
        _take_block(event.get("content_block"), session)


def _take_block(block: object, session: Session) -> None:
    if isinstance(block, dict) and block.get("type") in CALLS:
        session.tool_calls.add(str(block.get("id")))


def _take_message(message: Record, record: Record, session: Session) -> None:
    if message.get("model") == "<synthetic>":
        return
    turns = session.turns if record.get("parent_tool_use_id") is None else session.subagent_turns
    if message.get("id"):
        turns.add(message["id"])
    elif message.get("usage") or message.get("model"):
        turns.add(f"without an id, {len(turns)}")
    blocks = message.get("content")
    for block in blocks if isinstance(blocks, list) else []:
        _take_block(block, session)


def last_of_each_process(results: list[Record]) -> list[Record]:
    """A result begins a new process where a running total fell; of each process the last one counts."""
    last: list[Record] = []
    for result in results:
        if last and not _fell(last[-1], result):
            last.pop()
        last.append(result)
    return last


def _fell(before: Record, after: Record) -> bool:
    old, new = cost(before), cost(after)
    if old is not None and new is not None and new < old:
        return True
    models = after.get("modelUsage") or {}
    return any(
        isinstance(value, (int, float))
        and key.endswith("Tokens")
        and key != "maxOutputTokens"
        and models.get(model, {}).get(key, 0) < value
        for model, usage in (before.get("modelUsage") or {}).items()
        for key, value in usage.items()
    )


def cost(result: Record) -> float | None:
    """The first spelling of the cost that is there."""
    return next((result[key] for key in ("total_cost_usd", "cost_usd", "total_cost") if isinstance(result.get(key), (int, float))), None)


def tokens(last: list[Record], spellings: tuple[str, ...]) -> int | None:
    """Sum over all models of the last `modelUsage` of each process; None where one has none, or none has the figure."""
    if not last or not all(result.get("modelUsage") for result in last):
        return None
    usages = [usage for result in last for usage in result["modelUsage"].values()]
    found = [int(usage[name]) for usage in usages for name in spellings if name in usage]
    return sum(found) if found else None


class Difference(NamedTuple):
    """A figure that agentlog has otherwise, of a session or (None) of the file."""

    session_id: str | None
    name: str
    counted: float | None
    agentlog: float | None


def of_agentlog(path: Path, command: list[str]) -> tuple[dict[str, Any], dict[str | None, dict[str, Any]]]:
    """The same figures by agentlog: line counts of the source, figures of each session."""
    with tempfile.TemporaryDirectory() as store:
        subprocess.run([*command, "ingest", str(path), "--store", store], check=True, capture_output=True)

        def rows(query: str) -> list[dict[str, Any]]:
            done = subprocess.run([*command, "sql", query, "--store", store, "--format", "json"], check=True, capture_output=True)
            found: list[dict[str, Any]] = json.loads(done.stdout)
            return found

        sources = rows(f"select {', '.join(LINE_COUNTS)} from sources")
        runs = rows(f"select session_id, {', '.join(FIGURES)} from runs")
    return sources[0], {run["session_id"]: run for run in runs}


def same(ours: float | None, theirs: float | None) -> bool:
    """Equal, dollars to 1e-9; what no result tells is not compared."""
    return ours is None or (theirs is not None and abs(ours - theirs) <= 1e-9 * max(1.0, abs(ours)))


def differences(path: Path, source: dict[str, Any], runs: dict[str | None, dict[str, Any]]) -> list[Difference]:
    """What agentlog says otherwise of one file."""
    found = read(path)
    pairs: list[tuple[str | None, str, Any, Any]] = [(None, name, getattr(found, name), source[name]) for name in LINE_COUNTS]
    for session_id, session in found.sessions.items():
        run = runs.get(session_id)
        if run is not None:
            pairs += [(session_id, name, figure, run[name]) for name, figure in session.figures().items()]
        elif session.turns or session.results:
            pairs.append((session_id, "runs", 1, 0))
    return [Difference(*pair) for pair in pairs if not same(*pair[2:])]


def main() -> int:
    """Print the table; exit 1 where something differs."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--agentlog", help="the command, as one string")
    chosen = options.parse_args()
    paths = sorted(path for path in chosen.folder.rglob("*") if path.is_file())
    differing = 0
    for path in paths:
        found = read(path)
        print(f"\n{path.relative_to(chosen.folder)}: {found.lines} lines, {found.blank_lines} blank, {found.unreadable_lines} unreadable")
        for session_id, session in found.sessions.items():
            shown = ", ".join(
                f"{re.sub('_tokens$', '', name)} {figure}" for name, figure in session.figures().items() if figure is not None
            )
            print(f"  {session_id}: {shown}")
        if chosen.agentlog:
            wrong = differences(path, *of_agentlog(path, shlex.split(chosen.agentlog)))
            differing += bool(wrong)
            print(*(f"  DIFFERS {one.session_id}: {one.name}: counted {one.counted}, agentlog {one.agentlog}" for one in wrong), sep="\n")
    print(f"\n{len(paths)} files" + (f", {differing} differ" if chosen.agentlog else ""))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
