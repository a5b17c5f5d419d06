"""Records of Claude Code stream-json, made for tests: each function gives one record, fields not named are left out."""

from __future__ import annotations

import json
from typing import Any

Record = dict[str, Any]

SESSION = "0b5e7a10-0000-4000-8000-000000000001"
OPUS = "claude-opus-4-5"


def lines(*records: Record | bytes) -> list[bytes]:
    """Records as the lines of a stream; bytes stand as they are."""
    return [one if isinstance(one, bytes) else json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() for one in records]


def init(**fields: Any) -> Record:
    return {
        "type": "system",
        "subtype": "init",
        "session_id": SESSION,
        "cwd": "/srv/demo",
        "model": OPUS,
        "tools": ["Bash"],
        "claude_code_version": "2.1.150",
        **fields,
    }


def usage(given: int, output: int, *, read: int = 0, write: int = 0, **fields: Any) -> Record:
    return {"input_tokens": given, "output_tokens": output, "cache_read_input_tokens": read, "cache_creation_input_tokens": write, **fields}


def assistant(message_id: str | None, *blocks: Record, of: Record | None = None, parent: str | None = None, **fields: Any) -> Record:
    """A line of a response; `of` is its usage, `stop_reason` and `model` go into the message."""
    message: Record = {"role": "assistant", "content": list(blocks), "stop_reason": fields.pop("stop_reason", None)}
    message |= {"model": fields.pop("model", OPUS)} if message_id is not None or of is not None else {}
    message |= {"id": message_id} if message_id is not None else {}
    message |= {"usage": of} if of is not None else {}
    return {"type": "assistant", "message": message, "parent_tool_use_id": parent, "session_id": SESSION, **fields}


def text(said: str) -> Record:
    return {"type": "text", "text": said}


def call(call_id: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def user(content: str | list[Record], parent: str | None = None, **fields: Any) -> Record:
    return {"type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": parent, "session_id": SESSION, **fields}


def answer(call_id: str, content: str | list[Record] = "ok", parent: str | None = None, **fields: Any) -> Record:
    """A user line with one tool result; `is_error` goes into the block."""
    block: Record = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    block |= {"is_error": fields.pop("is_error")} if "is_error" in fields else {}
    return user([block], parent, **fields)


def streamed(kind: str, **event: Any) -> Record:
    return {"type": "stream_event", "event": {"type": kind, **event}, "session_id": SESSION, "parent_tool_use_id": None}


def message_start(message_id: str, of: Record) -> Record:
    return streamed("message_start", message={"id": message_id, "role": "assistant", "model": OPUS, "content": [], "usage": of})


def system(subtype: str, **fields: Any) -> Record:
    return {"type": "system", "subtype": subtype, "session_id": SESSION, **fields}


def result(**fields: Any) -> Record:
    return {"type": "result", "subtype": "success", "is_error": False, "session_id": SESSION, **fields}
