"""Lines of Claude Code stream-json → events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from agentlog.harnesses.claude.api_events import API_EVENTS, read_piece, read_stream_event
from agentlog.harnesses.claude.assistant import read_assistant
from agentlog.harnesses.claude.reader import Dialect, RecordReader, is_near
from agentlog.harnesses.claude.result import read_result
from agentlog.harnesses.claude.system import (
    read_compact_summary,
    read_control_request,
    read_conversation_reset,
    read_rate_limit,
    read_system,
    read_tool_progress,
)
from agentlog.harnesses.claude.user import read_user
from agentlog.harnesses.claude.wire import (
    Assistant,
    CompactSummary,
    ControlRequest,
    ConversationReset,
    Envelope,
    PieceEvent,
    RateLimit,
    Result,
    StreamEvent,
    System,
    ToolProgress,
    User,
)

if TYPE_CHECKING:
    from agentlog.harnesses.claude.reader import Fields
    from agentlog.harnesses.protocol import Fault

FORMAT = "stream-json"

_decode = msgspec.json.Decoder(
    Assistant | User | StreamEvent | System | Result | RateLimit | ToolProgress | ControlRequest | CompactSummary | ConversationReset
).decode
_decode_piece = msgspec.json.Decoder(PieceEvent).decode
_PIECE = b'{"type":"stream_event","event":{"type":"content_block_delta",'


def _as_today(record: dict[str, Any]) -> Fields | None:
    """A record of 0.2 (no envelope, the role tells) or a bare API event, in today's shape; None for any other.

    0.2 wrote API messages as they are, prompts and tool results as `{"role": "user"}`, and closed with `{"role": "system", "cost_usd", "result"}`.
    """
    kind, role = record.get("type"), record.get("role")
    if kind == "message" and role == "assistant":
        return {"type": "assistant", "message": record}
    if kind is None and role == "user" and "content" in record:
        return {"type": "user", "message": record}
    if kind is None and role == "system" and "cost_usd" in record:
        verdict = {"subtype": "success"} if isinstance(record.get("result"), str) else {}
        return {**record, "type": "result", "native_type": "system", **verdict}
    if isinstance(kind, str) and kind in API_EVENTS - {"ping", "error"}:
        return {"type": "stream_event", "event": record, "session_id": record.get("session_id")}
    if kind is None and "compactSummary" in record:
        return {**record, "type": "compact_summary", "summary": record["compactSummary"]}
    return None


DIALECT = Dialect(
    name=FORMAT,
    decode=_decode,
    readers={
        Assistant: read_assistant,
        User: read_user,
        StreamEvent: read_stream_event,
        System: read_system,
        Result: read_result,
        RateLimit: read_rate_limit,
        ToolProgress: read_tool_progress,
        ControlRequest: read_control_request,
        CompactSummary: read_compact_summary,
        ConversationReset: read_conversation_reset,
    },
    notices={
        *("tool_use_summary", "auth_status", "prompt_suggestion", "active_goal"),
        *("keep_alive", "control_response", "control_cancel_request"),
    },
    envelope=Envelope,
    as_today=_as_today,
)


class StreamReader(RecordReader):
    """Reads one stream-json source."""

    dialect = DIALECT

    def read(self, line_no: int, data: bytes) -> Fault | None:
        """Read one record; pieces of partial messages, most lines of a stream that has them, in the cheapest way.

        What a piece holds is skipped and not made into objects; that it is JSON is still seen. (Bytes that are no UTF-8 are seen only where they are read.)
        """
        if not (data.startswith(_PIECE) and data.isascii()):
            return super().read(line_no, data)
        context = self._context
        context.data = data
        if line_no != context.line_no:
            context.line_no, context.part_no = line_no, 0
        try:
            piece = _decode_piece(data)
        except msgspec.ValidationError:
            return self._read_odd(data)
        if piece.timestamp is not None and not is_near(piece.timestamp):
            return self._read_odd(data)
        self._enter(piece)
        read_piece(context, piece, self._current.get(piece.parent_tool_use_id or piece.agent_id or None))
        return None
