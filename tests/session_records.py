"""Lines of Claude Code session files, made for tests: each function gives one, fields not named are left out."""

from __future__ import annotations

import itertools
from typing import Any

Record = dict[str, Any]

SESSION = "5e5510a0-0000-4000-8000-000000000001"
OPUS = "claude-opus-4-5"
_numbers = itertools.count(1)


def line(kind: str, **fields: Any) -> Record:
    """A line under the envelope, one second after the one made before it."""
    number = next(_numbers)
    minutes, seconds = divmod(number % 3600, 60)
    return {
        "type": kind,
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/srv/demo",
        "sessionId": SESSION,
        "version": "2.1.150",
        "gitBranch": "main",
        "uuid": f"u{number}",
        "timestamp": f"2026-06-01T10:{minutes:02}:{seconds:02}.000Z",
        **fields,
    }


def said(text: str | list[Record], **fields: Any) -> Record:
    """A user line."""
    return line("user", message={"role": "user", "content": text}, **fields)


def response(message_id: str | None, *blocks: Record, of: Record | None = None, model: str = OPUS, **fields: Any) -> Record:
    """An assistant line with usage `of`."""
    message = {"id": message_id, "type": "message", "role": "assistant", "model": model, "content": list(blocks), "stop_reason": None}
    return line("assistant", message=message | ({} if of is None else {"usage": of}), **fields)


def usage(i: int, o: int, *, read: int = 0, write: int = 0) -> Record:
    return {"input_tokens": i, "output_tokens": o, "cache_read_input_tokens": read, "cache_creation_input_tokens": write}


def call(call_id: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def result(call_id: str, content: str = "", *, is_error: bool | None = None, **fields: Any) -> Record:
    """A tool's result."""
    block: Record = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return said([block | ({} if is_error is None else {"is_error": is_error})], **fields)
