"""Claude Code: the formats it writes, and the evidence for them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from agentlog.harnesses.claude import session, stream
from agentlog.harnesses.claude.context import HARNESS
from agentlog.harnesses.protocol import Evidence, Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentlog.harnesses.claude.wire import Record

_FOREIGN_INIT = {"qwen_code_version", "permission_mode", "reasoning_effort", "protocol_version"}
"""Fields of the `system/init` of programs that copy Claude's envelope: Qwen Code, Droid."""

_FOREIGN_FIELDS = {"sessionId", "parentUuid", "isSidechain", "costUSD", "sessionID", "timestamp_ms"}
"""Fields of Claude Code's own session files (the first four), opencode and Cursor."""

_API_MESSAGE = {"id", "model", "stop_sequence", "usage"}


def _claims_stream_json(records: Sequence[dict[str, Any]]) -> Evidence:
    """Records that only Claude Code writes, and none that only a program with a like envelope writes."""
    if any(record.get("type") == "system" and record.get("claude_code_version") is not None for record in records):
        return Evidence.CERTAIN
    if any(map(_is_foreign, records)):
        return Evidence.NONE
    if any(map(_is_response, records)):
        return Evidence.CERTAIN
    is_likely = any(map(_is_evidence, records)) or (bool(records) and all(map(_is_bare, records)))
    return Evidence.LIKELY if is_likely else Evidence.NONE


def _is_bare(record: dict[str, Any]) -> bool:
    """Whether a record of a known type has no field that Claude Code would not write: evidence only where all records are so (`{"type": "result"}`)."""
    return not _is_loose_line(record) and any(
        record.get("type") == one.__struct_config__.tag and record.keys() <= _fields(one) for one in stream.DIALECT.readers
    )


@cache
def _fields(record: type[Record]) -> set[str]:
    return {"type", *record.__struct_encode_fields__}


def _is_foreign(record: dict[str, Any]) -> bool:
    kind, session = record.get("type"), record.get("session_id")
    if not isinstance(kind, str):
        return False
    if isinstance(session, str) and session.startswith("T-"):
        return True  # Amp's thread ids
    if _FOREIGN_FIELDS & record.keys():
        return True
    if kind == "system" and record.get("subtype") in {"init", "session_start"}:
        is_qwen = record.get("subtype") == "session_start"
        return is_qwen or bool(_FOREIGN_INIT & record.keys()) or ("apiKeySource" in record and "tools" not in record)
    if kind == "result":
        return isinstance(record.get("usage"), dict) and "total_tokens" in record["usage"]  # Qwen Code
    return kind in {"message", "tool_call", "thinking", "completion"} and record.get("role") != "assistant"


def _is_response(record: dict[str, Any]) -> bool:
    """Whether a record passes on a message of the API as it came, in Claude Code's envelope: Qwen Code and Amp make theirs up, without `stop_sequence`."""
    message = record.get("event", record)
    message = message.get("message") if isinstance(message, dict) else None
    return {"uuid", "session_id", "parent_tool_use_id"} <= record.keys() and isinstance(message, dict) and message.keys() >= _API_MESSAGE


def _is_evidence(record: dict[str, Any]) -> bool:  # noqa: PLR0911 (one for each type of record)
    kind, message = record.get("type"), record.get("message")
    if not isinstance(kind, str):
        return record.get("role") == "system" and "cost_usd" in record  # the last line of 0.2
    if kind == "system":
        is_init = {"apiKeySource", "tools", "mcp_servers"} <= record.keys()
        return is_init or (
            isinstance(record.get("session_id"), str) and isinstance(record.get("subtype"), str) and stream.DIALECT.knows(record)
        )
    if _is_loose_line(record):
        return False
    if kind == "assistant":
        return isinstance(message, dict) and ("usage" in message or "model" in message or "parent_tool_use_id" in record)
    if kind == "user":
        return "parent_tool_use_id" in record or "session_id" in record
    if kind == "result":
        return bool({"total_cost_usd", "cost_usd", "total_cost", "modelUsage"} & record.keys())
    if kind == "message":
        return isinstance(record.get("content"), list) and isinstance(record.get("usage"), dict)
    return kind in {"stream_event", "rate_limit_event", "tool_progress", "control_request"} and stream.DIALECT.knows(record)


_ENVELOPE = {"uuid", "sessionId"}
_FOREIGN_LINE = {"usageMetadata", "systemPayload", "toolCallResult", "providerData", "sessionID"}
"""Fields of programs that keep their sessions under a like envelope: Qwen Code, opencode."""


def _claims_session(records: Sequence[dict[str, Any]]) -> Evidence:
    """Messages or system lines under the envelope of session files, or the lines that only they have."""
    if any(_FOREIGN_LINE & record.keys() for record in records):
        return Evidence.NONE
    if any(map(_is_line, records)):
        return Evidence.CERTAIN
    return Evidence.LIKELY if any(map(_is_bookkeeping, records)) else Evidence.NONE


def _is_line(record: dict[str, Any]) -> bool:
    is_envelope = record.keys() >= _ENVELOPE and isinstance(record["sessionId"], str)
    return is_envelope and bool({"parentUuid", "isSidechain", "version"} & record.keys()) and session.DIALECT.knows(record)


def _is_loose_line(record: dict[str, Any]) -> bool:
    """A message with a time and without any session: session lines from which tools took the envelope. Streams name the session wherever they have times."""
    return {"message", "timestamp"} <= record.keys() and not {"session_id", "parent_tool_use_id", "sessionId"} & record.keys()


def _is_bookkeeping(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind in {"user", "assistant"}:
        return _is_loose_line(record) or (isinstance(record.get("sessionId"), str) and isinstance(record.get("message"), dict))
    return kind != "system" and "session_id" not in record and session.DIALECT.knows(record)


FORMATS = (
    Format(HARNESS, stream.FORMAT, _claims_stream_json, stream.StreamReader),
    Format(HARNESS, session.FORMAT, _claims_session, session.SessionReader),
)
