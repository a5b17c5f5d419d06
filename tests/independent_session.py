"""Claude Code session files → the figures that matter, worked out a second time: `json` and counting, no agentlog.

    python tests/independent_session.py FILE…

prints the figures of each file taken alone. Plain rules: a response is a message id with its input and cache figures, each figure the largest of its lines;
a tool call is an id with its name and input within a response; a result that is an error is one unless a person or a rule refused the call.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

Record = dict[str, Any]

REFUSALS: Final = (
    "The user doesn't want to",
    "User rejected tool use",
    "Permission to use ",
    "Claude requested permission",
    "[Request interrupted",
)
USAGE: Final = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}


class Figures(NamedTuple):
    """What one file holds."""

    turns: int
    subagent_turns: int
    tool_calls: int
    tool_errors: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


def count(path: Path) -> Figures:
    """The figures of a file; lines that are no JSON object are passed over."""
    responses: dict[Any, dict[str, int]] = {}
    sides: dict[Any, bool] = {}
    calls: set[tuple[Any, ...]] = set()
    errors = 0
    seen: set[str] = set()
    for number, record in enumerate(_records(path)):
        message = record.get("message")
        if not isinstance(message, dict) or record.get("uuid") in seen:
            continue
        blocks = (
            [block for block in message.get("content") or () if isinstance(block, dict)] if isinstance(message.get("content"), list) else []
        )
        if record.get("type") == "assistant" and message.get("model") != "<synthetic>" and not record.get("isApiErrorMessage"):
            key = _response(message, number)
            if key is not None:
                usage = message.get("usage") or {}
                figures = responses.setdefault(key, dict.fromkeys(USAGE, 0))
                for name, native in USAGE.items():
                    figures[name] = max(figures[name], usage.get(native) or 0)
                sides[key] = sides.get(key, True) and bool(record.get("isSidechain"))
            calls |= {
                (key, block.get("id"), block.get("name"), json.dumps(block.get("input"), sort_keys=True))
                for block in blocks
                if block.get("type") == "tool_use"
            }
        if record.get("type") == "user":
            errors += sum(
                block.get("type") == "tool_result" and block.get("is_error") is True and not _is_refused(block) for block in blocks
            )
        if isinstance(record.get("uuid"), str):
            seen.add(record["uuid"])
    sums = {name: sum(figures[name] for figures in responses.values()) for name in USAGE}
    side = sum(sides.values())
    return Figures(turns=len(responses) - side, subagent_turns=side, tool_calls=len(calls), tool_errors=errors, **sums)


def _records(path: Path) -> list[Record]:
    found = []
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            found.append(record)
    return found


def _response(message: Record, number: int) -> Any:
    usage = message.get("usage") or {}
    if message.get("id"):
        return message["id"]
    return number if usage or message.get("model") else None


def _is_refused(block: Record) -> bool:
    content = block.get("content")
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content or () if isinstance(part, dict))
    return text.removeprefix("Error: ").startswith(REFUSALS)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(f"{name} {count(Path(name))}\n")
