"""Claude Code: the formats it writes, and the evidence for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentlog.harnesses.claude.context import FORMAT, HARNESS
from agentlog.harnesses.claude.stream import StreamReader, is_known
from agentlog.harnesses.protocol import Evidence, Format

if TYPE_CHECKING:
    from collections.abc import Sequence

_FOREIGN_INIT = {"qwen_code_version", "permission_mode", "reasoning_effort", "protocol_version"}
"""Fields of the `system/init` of programs that copy Claude's envelope: Qwen Code, Droid."""

_FOREIGN_FIELDS = {"sessionId", "parentUuid", "isSidechain", "costUSD", "sessionID", "timestamp_ms"}
"""Fields of Claude Code's own session files (the first four), opencode and Cursor."""


def _claims_stream_json(records: Sequence[dict[str, Any]]) -> Evidence:
    """Records that only Claude Code writes, and none that only a program with a like envelope writes."""
    if any(map(_is_foreign, records)):
        return Evidence.NONE
    if any(record.get("type") == "system" and record.get("claude_code_version") is not None for record in records):
        return Evidence.CERTAIN
    return Evidence.LIKELY if any(map(_is_evidence, records)) else Evidence.NONE


def _is_foreign(record: dict[str, Any]) -> bool:
    kind, session = record.get("type"), record.get("session_id")
    if isinstance(session, str) and session.startswith("T-"):
        return True  # Amp's thread ids
    if _FOREIGN_FIELDS & record.keys():
        return True
    if kind == "system" and record.get("subtype") == "init":
        return bool(_FOREIGN_INIT & record.keys()) or ("apiKeySource" in record and "tools" not in record)
    return kind in {"message", "tool_call", "thinking", "completion"} and record.get("role") != "assistant"


def _is_evidence(record: dict[str, Any]) -> bool:
    kind, message = record.get("type"), record.get("message")
    if kind == "system":
        return isinstance(record.get("session_id"), str) and isinstance(record.get("subtype"), str) and is_known(record)
    if kind == "assistant":
        return isinstance(message, dict) and (
            "usage" in message or "model" in message or "session_id" in record or "parent_tool_use_id" in record
        )
    if kind == "user":
        return "session_id" in record or "parent_tool_use_id" in record
    if kind == "result":
        return bool({"total_cost_usd", "cost_usd", "total_cost", "modelUsage", "duration_api_ms", "num_turns"} & record.keys())
    if kind == "message":
        return isinstance(record.get("content"), list) and isinstance(record.get("usage"), dict)
    return kind in {"stream_event", "rate_limit_event", "tool_progress", "control_request"} and is_known(record)


STREAM_JSON = Format(HARNESS, FORMAT, _claims_stream_json, StreamReader)
FORMATS = (STREAM_JSON,)
