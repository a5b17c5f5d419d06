"""Seed → a synthetic archive of Claude Code streams or session files, with the right totals beside it.

    python benchmarks/generate.py OUT --megabytes 500 [--seed 7] [--partials 0.15] [--one-file | --small] [--sessions]

OUT/runs/ holds many short runs and a few long ones: one line per content block, tool results of 20 bytes to 60 kB, a share of runs with
partial-message deltas, some API retries, compactions and torn lines. OUT/truth.json holds the totals. `--one-file` puts all runs into a
single file; `--small` makes runs of a few turns, so that there are many files; `--sessions` writes the
same as the files that Claude Code itself keeps. Deterministic for its arguments; standard library only.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Record = dict[str, Any]

MODEL: Final = "claude-sonnet-4-5-20250929"
PRICES: Final = {"input_tokens": 3.0, "output_tokens": 15.0, "cache_read_tokens": 0.3, "cache_write_tokens": 3.75}  # USD per million
NATIVE: Final = {
    "input_tokens": ("input_tokens", "inputTokens"),
    "output_tokens": ("output_tokens", "outputTokens"),
    "cache_read_tokens": ("cache_read_input_tokens", "cacheReadInputTokens"),
    "cache_write_tokens": ("cache_creation_input_tokens", "cacheCreationInputTokens"),
}
TOOLS: Final = {"Bash": 30, "Read": 30, "Edit": 15, "Grep": 10, "Glob": 5, "Write": 5, "WebFetch": 2, "TodoWrite": 3}
_WORDS: Final = (
    "async await batch branch build cache class column commit config context count cursor debug default else error event export false "
    "fetch field file filter for from function graph hash if import index input insert join key label lambda lease limit list load lock "
    "main map merge mock model module node null number object offset open option order output pack page parse patch path pool query queue "
    "raise range read record reduce return route row schema scope select session shard sort source split stack state store stream string "
    "table task test token trace true tuple type unit update user value view while with write yield naïve größe 数 → ✓"
)
VOCABULARY: Final = _WORDS.split()
NAMES_ON_DISK: Final = {"tool_use_result": "toolUseResult"}
POOL_CHARS: Final = 1 << 16
COUNTED: Final = (
    "files",
    "runs",
    "bytes",
    "lines",
    "turns",
    *NATIVE,
    "tool_calls",
    "tool_errors",
    "api_retries",
    "compactions",
    "unreadable_lines",
)


@dataclass
class Archive:
    """An archive in the making: its random state, its pool of prose, its running truth."""

    seed: int
    partials: float
    small: bool
    sessions: bool
    truth: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(COUNTED, 0)))
    cost_usd: float = 0.0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.pool = [self._prose() for _ in range(16)]

    def _prose(self) -> str:
        words: list[str] = []
        length = 0
        while length < POOL_CHARS:
            words.append(self.random.choice(VOCABULARY) + self.random.choice(["", "", "", "", "(", ".", ",\n    ", "\n"]))
            length += len(words[-1]) + 1
        return " ".join(words)[:POOL_CHARS]

    def prose(self, size: int) -> str:
        """Text of that many characters."""
        start = self.random.randrange(POOL_CHARS - size)
        return self.random.choice(self.pool)[start : start + size]

    def hex(self, digits: int) -> str:
        """So many random hex digits."""
        return f"{self.random.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        """A random uuid."""
        h = self.hex(32)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-8{h[17:20]}-{h[20:]}"

    def run(self) -> Iterator[bytes]:
        """The lines of one run; its figures go into the truth."""
        for line in (Session(self) if self.sessions else Stream(self)).lines():
            self.truth["lines"] += 1
            self.truth["bytes"] += len(line) + 1
            yield line


class Stream:
    """One run of one session."""

    retry: ClassVar[Record] = {
        "subtype": "api_retry",
        "attempt": 1,
        "max_retries": 10,
        "retry_delay_ms": 612.5,
        "error_status": 529,
        "error": "overloaded",
    }
    compaction: ClassVar[Record] = {"compact_metadata": {"trigger": "auto", "pre_tokens": 155_000, "post_tokens": 11_000}}

    def __init__(self, archive: Archive) -> None:
        self.archive, self.random = archive, archive.random
        self.session_id = archive.uuid()
        self.is_partial = archive.random.random() < archive.partials
        self.spent: Counter[str] = Counter()
        self.cached = 12_000
        self.minutes = count()

    def lines(self) -> Iterator[bytes]:
        """From `init` to `result`."""
        turns = 2 if self.archive.small else 1 + int(min(400, self.random.lognormvariate(2.7, 1)))
        yield self._line({"type": "system", "subtype": "init", "cwd": "/srv/app", "tools": list(TOOLS), "mcp_servers": [], "model": MODEL})
        for _ in range(turns):
            yield from self._turn()
        yield self._result(turns)
        self.archive.truth["turns"] += turns
        self.archive.truth.update(self.spent)

    def _line(self, record: Record) -> bytes:
        extra: Record = {"session_id": self.session_id, "uuid": self.archive.uuid()}
        return json.dumps(record | extra, separators=(",", ":"), ensure_ascii=False).encode()

    def _turn(self) -> Iterator[bytes]:
        truth = self.archive.truth
        tokens = {
            "input_tokens": self.random.randrange(3, 20),
            "output_tokens": self.random.randrange(30, 1500),
            "cache_read_tokens": self.cached,
            "cache_write_tokens": self.random.randrange(200, 4000),
        }
        self.spent.update(tokens)
        self.cached += tokens["cache_write_tokens"]
        call_id = "toolu_01" + self.archive.hex(22)
        yield from self._response(self._blocks(call_id), tokens)
        yield self._tool_result(call_id)
        truth["tool_calls"] += 1
        if self.random.random() < 0.01:
            truth["api_retries"] += 1
            yield self._line({"type": "system", **self.retry})
        if self.random.random() < 0.005:
            truth["compactions"] += 1
            yield self._line({"type": "system", "subtype": "compact_boundary", **self.compaction})
        if self.random.random() < 0.001:
            truth["unreadable_lines"] += 1
            yield b'{"type":"assistant","message":{"id":"msg_'

    def _blocks(self, call_id: str) -> list[Record]:
        prose, chance = self.archive.prose, self.random.random
        blocks: list[Record] = []
        if chance() < 0.3:
            blocks.append({"type": "thinking", "thinking": prose(self.random.randrange(100, 2500)), "signature": self.archive.hex(300)})
        if chance() < 0.6:
            blocks.append({"type": "text", "text": prose(self.random.randrange(30, 900))})
        (name,) = self.random.choices(list(TOOLS), list(TOOLS.values()))
        given = {"file_path": f"/srv/app/src/{self.archive.hex(4)}.py"}
        if name == "Bash":
            given = {"command": prose(self.random.randrange(10, 200)), "description": prose(40)}
        elif name in ("Edit", "Write"):
            given["content"] = prose(self.random.randrange(4000))
        return [*blocks, {"type": "tool_use", "id": call_id, "name": name, "input": given}]

    def _response(self, blocks: list[Record], tokens: dict[str, int]) -> Iterator[bytes]:
        usage: Record = {native: tokens[ours] for ours, (native, _) in NATIVE.items()} | {"output_tokens": 2}
        usage["cache_creation"] = {"ephemeral_5m_input_tokens": tokens["cache_write_tokens"], "ephemeral_1h_input_tokens": 0}
        message = {"model": MODEL, "id": "msg_01" + self.archive.hex(22), "type": "message", "role": "assistant", "content": []}
        if self.is_partial:
            yield self._stream({"type": "message_start", "message": {**message, "usage": usage}})
        for index, block in enumerate(blocks):
            if self.is_partial:
                yield from self._deltas(index, block)
            full = {**message, "content": [block], "stop_reason": None, "stop_sequence": None, "usage": usage}
            yield self._line({"type": "assistant", "message": full, "parent_tool_use_id": None})
        if self.is_partial:
            final = {"output_tokens": tokens["output_tokens"]}
            yield self._stream({"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": final})
            yield self._stream({"type": "message_stop"})

    def _stream(self, event: Record) -> bytes:
        return self._line({"type": "stream_event", "event": event, "parent_tool_use_id": None})

    def _deltas(self, index: int, block: Record) -> Iterator[bytes]:
        kind = block["type"]
        body, key = (json.dumps(block["input"]), "partial_json") if kind == "tool_use" else (block[kind], kind)
        name = "input_json_delta" if kind == "tool_use" else f"{kind}_delta"
        yield self._stream({"type": "content_block_start", "index": index, "content_block": {"type": kind}})
        for at in range(0, len(body), 22):
            yield self._stream({"type": "content_block_delta", "index": index, "delta": {"type": name, key: body[at : at + 22]}})
        yield self._stream({"type": "content_block_stop", "index": index})

    def _tool_result(self, call_id: str) -> bytes:
        output = self.archive.prose(20 + int(min(60_000, self.random.lognormvariate(6.8, 1.4))))
        failed = self.random.random() < 0.05
        self.archive.truth["tool_errors"] += failed
        minute = next(self.minutes)
        block = {"tool_use_id": call_id, "type": "tool_result", "content": output, "is_error": failed}
        return self._line(
            {
                "type": "user",
                "message": {"role": "user", "content": [block]},
                "parent_tool_use_id": None,
                "timestamp": f"2026-06-{1 + self.archive.truth['runs'] % 28:02}T{minute // 60 % 24:02}:{minute % 60:02}:00.000Z",
                "tool_use_result": {"stdout": output, "stderr": "", "interrupted": False, "isImage": False},
            }
        )

    def _result(self, turns: int) -> bytes:
        cost = sum(self.spent[kind] * price for kind, price in PRICES.items()) / 1e6
        self.archive.cost_usd += cost
        model_usage: Record = {theirs: self.spent[ours] for ours, (_, theirs) in NATIVE.items()}
        model_usage |= {"webSearchRequests": 0, "costUSD": cost, "contextWindow": 200_000}
        return self._line(
            {
                "type": "result",
                "subtype": "success",
                "is_error": False,
                "duration_ms": self.random.randrange(10**4, 10**6),
                "duration_api_ms": 9000,
                "num_turns": 1 + turns,
                "result": self.archive.prose(300),
                "total_cost_usd": cost,
                "usage": {native: self.spent[ours] for ours, (native, _) in NATIVE.items()},
                "modelUsage": {MODEL: model_usage},
                "permission_denials": [],
            }
        )


class Session(Stream):
    """The same run as Claude Code itself keeps it: an envelope on every line, final figures on each, and no `result`."""

    retry: ClassVar[Record] = {"subtype": "api_error", "retryAttempt": 1, "maxRetries": 10, "retryInMs": 612.5, "error": {"status": 529}}
    compaction: ClassVar[Record] = {"compactMetadata": {"trigger": "auto", "preTokens": 155_000, "postTokens": 11_000}}

    def __init__(self, archive: Archive) -> None:
        super().__init__(archive)
        self.is_partial = False
        self.parent: str | None = None
        self.second = 86_400 * (archive.truth["runs"] % 28)

    def lines(self) -> Iterator[bytes]:
        """From the prompt to the title."""
        turns = 2 if self.archive.small else 1 + int(min(400, self.random.lognormvariate(2.7, 1)))
        yield self._line({"type": "user", "message": {"role": "user", "content": self.archive.prose(200)}})
        for _ in range(turns):
            yield from self._turn()
        yield json.dumps({"type": "ai-title", "aiTitle": self.archive.prose(30), "sessionId": self.session_id}).encode()
        self.archive.truth["turns"] += turns
        self.archive.truth.update(self.spent)

    def _line(self, record: Record) -> bytes:
        self.second += self.random.randrange(1, 30)
        day, second = divmod(self.second, 86_400)
        at = f"2026-06-{1 + day:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"
        envelope: Record = {"parentUuid": self.parent, "isSidechain": False, "userType": "external", "cwd": "/srv/app"}
        envelope |= {"sessionId": self.session_id, "version": "2.1.150", "gitBranch": "main"}
        self.parent = self.archive.uuid()
        said = {NAMES_ON_DISK.get(name, name): value for name, value in record.items() if name != "parent_tool_use_id"}
        return json.dumps(envelope | said | {"uuid": self.parent, "timestamp": at}, separators=(",", ":"), ensure_ascii=False).encode()

    def _response(self, blocks: list[Record], tokens: dict[str, int]) -> Iterator[bytes]:
        usage: Record = {native: tokens[ours] for ours, (native, _) in NATIVE.items()}
        message = {"model": MODEL, "id": "msg_01" + self.archive.hex(22), "type": "message", "role": "assistant", "stop_sequence": None}
        for block in blocks:
            full = {**message, "content": [block], "stop_reason": "tool_use", "usage": usage}
            yield self._line({"type": "assistant", "message": full, "requestId": "req_" + self.archive.hex(20)})


def generate(
    out: Path,
    megabytes: float,
    *,
    seed: int = 7,
    partials: float = 0.15,
    one_file: bool = False,
    small: bool = False,
    sessions: bool = False,
) -> None:
    """Write the archive and its truth."""
    archive = Archive(seed, partials, small, sessions)
    runs = out / "runs"
    while archive.truth["bytes"] < megabytes * 1e6:
        number = archive.truth["runs"]
        path = runs / "all.jsonl" if one_file else runs / f"{number // 200:03}" / f"run{number:06}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab" if one_file else "wb") as file:
            file.writelines(line + b"\n" for line in archive.run())
        archive.truth["runs"] += 1
    archive.truth["files"] = 1 if one_file else archive.truth["runs"]
    truth = {**archive.truth} | ({} if sessions else {"cost_usd": archive.cost_usd})
    (out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Read the arguments and write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("--megabytes", type=float, default=500)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--partials", type=float, default=0.15, help="share of runs with partial-message lines")
    shape = options.add_mutually_exclusive_group()
    shape.add_argument("--one-file", action="store_true")
    shape.add_argument("--small", action="store_true")
    options.add_argument("--sessions", action="store_true")
    generate(**vars(options.parse_args()))


if __name__ == "__main__":
    main()
