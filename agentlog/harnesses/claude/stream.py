"""Lines of Claude Code stream-json → events.

Stateful per source: it folds the lines of each response into one request, names the tool of every result, ends subagents, and remembers what
one run has told. It never fails on a record: a type it does not know is kept as `unmodelled`, a known type of an unreadable shape is reported as a
fault, with whatever could still be read of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from agentlog.harnesses.claude.api_events import API_EVENTS, read_piece, read_stream_event
from agentlog.harnesses.claude.assistant import read_assistant
from agentlog.harnesses.claude.context import Context
from agentlog.harnesses.claude.result import end_responses, read_result
from agentlog.harnesses.claude.system import read_compact_summary, read_control_request, read_rate_limit, read_system, read_tool_progress
from agentlog.harnesses.claude.user import read_user
from agentlog.harnesses.claude.wire import (
    Assistant,
    CompactSummary,
    ControlRequest,
    PieceEvent,
    RateLimit,
    Record,
    Result,
    StreamEvent,
    System,
    ToolProgress,
    User,
)
from agentlog.harnesses.protocol import Fault
from agentlog.mend import mend

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentlog.events import Event
    from agentlog.harnesses.claude.responses import Response
    from agentlog.runs import Run

_decode = msgspec.json.Decoder(
    Assistant | User | StreamEvent | System | Result | RateLimit | ToolProgress | ControlRequest | CompactSummary
).decode
_decode_piece = msgspec.json.Decoder(PieceEvent).decode
_PIECE = b'{"type":"stream_event","event":{"type":"content_block_delta",'
_READERS: dict[type[Record], Callable[[Context, Any], None]] = {
    Assistant: read_assistant,
    User: read_user,
    StreamEvent: read_stream_event,
    System: read_system,
    Result: read_result,
    RateLimit: read_rate_limit,
    ToolProgress: read_tool_progress,
    ControlRequest: read_control_request,
    CompactSummary: read_compact_summary,
}
_MODELLED = {cls.__struct_config__.tag for cls in _READERS}
_NOTICES = {
    "tool_use_summary",
    "auth_status",
    "prompt_suggestion",
    "active_goal",
    "keep_alive",
    "control_response",
    "control_cancel_request",
}


_NOT_YET = object()
"""No session id, and not the lack of one either."""


class Envelope(Record):
    """What can be read of a record of any type."""


_UNREADABLE_MESSAGE = re.compile(r"at `\$\.(?:message|message\.content|content)(?:\[\d+\])?`$")
_NO_MESSAGE = re.compile(r"at `\$\.message`$")
_UNREADABLE_VERDICT = re.compile(r"at `\$\.(?:subtype|is_error)`$")


class StreamReader:
    """Reads one source; `events` fills up, and whoever takes them clears it. `run` is that of the record read last."""

    def __init__(self, source_path: str) -> None:
        self._context = Context(source_path)
        self._current: dict[str | None, Response] = {}
        """The responses that the agents of the current run are in."""
        self.events: list[Event] = self._context.events
        self.run: Run | None = None
        self._session_id: object = _NOT_YET

    def read(self, line_no: int, data: bytes) -> Fault | None:
        """Read one record; gives what is wrong with it.

        Raises `msgspec.DecodeError` or `RecursionError`, and has done nothing, where `data` is no JSON that can be decoded.
        """
        context = self._context
        context.data = data
        if line_no != context.line_no:  # records glued on one line share its number and go on counting parts
            context.line_no, context.part_no = line_no, 0
        try:
            # Most lines of a stream with partial messages are pieces of blocks. What they hold is skipped and not made into objects;
            # that it is JSON is still seen. (Bytes that are no UTF-8 are seen only where they are read.)
            if data.startswith(_PIECE) and data.isascii():
                piece = _decode_piece(data)
                if piece.session_id != self._session_id:
                    self._enter(piece.session_id)
                response = self._current.get(piece.parent_tool_use_id or piece.agent_id or None)
                read_piece(context, piece, response)
                return None
            record = _decode(data)
        except msgspec.ValidationError:
            return self._read_odd(data)
        if record.session_id != self._session_id:
            self._enter(record.session_id)
        _READERS[type(record)](context, record)
        return None

    def _enter(self, session_id: str | None) -> None:
        state = self._context.enter(session_id)
        self.run, self._current, self._session_id = state.run, state.responses.current, session_id

    def knows(self, data: bytes, *, is_torn: bool) -> bool:
        """Whether this JSON object is of a type that agentlog models; behind a torn record only one with an envelope, for messages lie inside of records."""
        record = msgspec.json.decode(data)
        return isinstance(record, dict) and is_known(record) and not (is_torn and _legacy(record) is not None)

    def settle(self) -> None:
        """A run without a session id keeps its provisional name."""
        self._context.runs.settle()

    def close(self) -> None:
        """The source has ended: so have its responses."""
        for state in self._context.states:
            self._context.state = state
            end_responses(self._context)

    def _read_odd(self, data: bytes) -> Fault | None:
        """A record that is not of a modelled type, or whose fields are not all what they should be."""
        record = msgspec.json.decode(data)
        if not isinstance(record, dict):
            return Fault("not_object", f"Expected `object`, got {type(record).__name__}")
        record = _legacy(record) or record
        native_type = record.get("type")
        if not isinstance(native_type, str) or native_type not in _MODELLED:
            self._read_unmodelled(record, native_type)
            return None
        try:
            typed, faults = mend(record, lambda mended: _decode(msgspec.json.encode(mended)))
        except msgspec.ValidationError as error:
            return Fault("bad_shape", str(error), native_type)
        self._enter(typed.session_id)
        if isinstance(typed, Result):
            is_verdict_readable = not any(map(_UNREADABLE_VERDICT.search, faults))
            legacy_type = "system" if record.get("role") == "system" else None
            read_result(self._context, typed, native_type=legacy_type, is_verdict_readable=is_verdict_readable)
            if not is_verdict_readable:
                return Fault("bad_verdict", faults.detail, native_type)
        elif not any(map(_NO_MESSAGE.search, faults)):
            _READERS[type(typed)](self._context, typed)
        if any(map(_UNREADABLE_MESSAGE.search, faults)):
            return Fault("bad_shape", faults.detail, native_type)
        return Fault("bad_value", faults.detail, native_type, is_repaired=True) if faults else None

    def _read_unmodelled(self, record: dict[str, Any], native_type: object) -> None:
        """Kept with its JSON; nothing on it can break it, so faults of its envelope are no faults of the line."""
        named = native_type if isinstance(native_type, str) else None
        envelope, _ = mend({field: record[field] for field in Envelope.__struct_fields__ if field in record}, _envelope)
        session_id = envelope.session_id
        if named == "conversation_reset":
            session_id = record.get("new_conversation_id") if isinstance(record.get("new_conversation_id"), str) else session_id
        self._enter(session_id)
        kind = "session" if named == "conversation_reset" else "notice" if named in _NOTICES else "unmodelled"
        self._context.emit(kind, _with_subtype(named, record), envelope, text=self._context.raw)


def is_known(record: dict[str, Any]) -> bool:
    """Whether a record is of a type of this format, of any version."""
    kind = record.get("type")
    return (isinstance(kind, str) and (kind in _MODELLED or kind in _NOTICES)) or _legacy(record) is not None


def _envelope(record: dict[str, Any]) -> Record:
    return msgspec.json.decode(msgspec.json.encode(record | {"type": "Envelope"}), type=Envelope)


def _with_subtype(named: str | None, record: dict[str, Any]) -> str | None:
    subtype = record.get("subtype")
    return f"{named}/{subtype}" if named is not None and isinstance(subtype, str) and subtype else named


def _legacy(record: dict[str, Any]) -> dict[str, Any] | None:
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
