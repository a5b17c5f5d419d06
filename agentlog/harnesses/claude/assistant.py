"""Assistant lines → requests, text, thinking and tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from agentlog.harnesses.claude import tools
from agentlog.harnesses.claude.context import utc
from agentlog.harnesses.claude.responses import Response, later, set_figures
from agentlog.harnesses.claude.session_wire import AssistantLine
from agentlog.harnesses.claude.user import read_tool_result, text_in
from agentlog.harnesses.claude.wire import Assistant, Block, Delta, Message, Record, StreamEvent
from agentlog.models import SYNTHETIC, canonical_model

if TYPE_CHECKING:
    from agentlog.events import Event
    from agentlog.harnesses.claude.context import Context

_stream_event = msgspec.json.Decoder(StreamEvent)
_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
CUT_CALL = "cut_tool_use"
"""A tool call whose input was still being written when the stream ended: it never ran and is no call."""
_TOLD_APART = {"question": tools.question, "plan": tools.plan}
"""Calls that are events of their own kind too."""
_OTHER_BLOCKS = {"image", "document", "container_upload", "mcp_tool_listing", "search_result", CUT_CALL}


def read_assistant(context: Context, record: Assistant | AssistantLine) -> None:
    """A line of a response: its usage is folded into the request, its blocks become events."""
    message = record.message if isinstance(record.message, Message) else None
    content = record.message if isinstance(record.message, str) else record.content if message is None else message.content
    blocks = [Block(type="text", text=content)] if isinstance(content, str) else [block for block in content or () if block is not None]
    if (message is not None and message.model == SYNTHETIC) or (isinstance(record, AssistantLine) and record.is_api_error):
        text = "\n".join(block.text for block in blocks if block.text is not None)
        read_error(context, record, text or None, record.error)
        return
    response = _fold(context, record, message) if message is not None else None
    for block in blocks:
        read_block(context, record, response, block)
    if record.error is not None:
        read_error(context, record, None, record.error)
    if response is None and not blocks and record.error is None:
        context.emit("notice", "assistant", record)


def read_error(context: Context, record: Record, text: str | None, error: object) -> None:
    """An API error, as the harness tells it in place of a response or beside one."""
    kind = error.get("type") if isinstance(error, dict) else error
    context.emit("error", "assistant/error", record, text=text, is_error=True, error_type=kind if isinstance(kind, str) else None)


def begin(context: Context, record: Record, message: Message, native_type: str) -> Response:
    """A new response whose first line this is."""
    event = context.make("request", native_type, record)
    event.message_id = message.id or None
    event.model, event.native_model = canonical_model(message.model) if message.model else None, message.model
    event.is_final, event.is_streamed = False, True
    return Response(event)


def enter(context: Context, response: Response) -> None:
    """The response's agent is in it now; the one it was in has ended."""
    left = context.state.responses.enter(response)
    if left is not None:
        give(context, left)


def give(context: Context, response: Response) -> None:
    """The response has ended: its request goes out, and what was streamed of it without a complete line."""
    if response.is_given:
        return
    response.is_open, response.is_given = False, True
    if response.usage is not None:
        set_figures(response.event, response.usage)
    context.events.append(response.event)
    read_streamed(context, response)


def read_streamed(context: Context, response: Response) -> None:
    """The blocks of a response whose complete lines never came, put together from their deltas."""
    for streamed in response.streamed.values():
        block, deltas = streamed.block, [delta for piece in streamed.pieces if (delta := _delta(piece)) is not None]
        block.text = "".join([block.text or "", *(delta.text for delta in deltas if delta.text)]) or None
        block.thinking = "".join([block.thinking or "", *(delta.thinking for delta in deltas if delta.thinking)]) or None
        if block.type in _CALLS:
            parts = [delta.partial_json for delta in deltas if delta.partial_json]
            given, is_whole = tools.streamed_input(parts)
            block.input = given if parts else block.input
            if not (is_whole and streamed.is_complete):
                block.type, block.text = CUT_CALL, "".join(parts)
        with context.at(streamed.line_no, streamed.part_no):
            read_block(context, streamed.record, response, block)
    response.streamed.clear()


def _delta(piece: bytes) -> Delta | None:
    """What a line of a stream brought; None where that cannot be read."""
    try:
        event = _stream_event.decode(piece).event
    except msgspec.DecodeError:
        return None
    return None if event is None else event.delta


def read_block(context: Context, record: Record, response: Response | None, block: Block) -> None:
    """A content block becomes an event, a tool call perhaps two."""
    kind = block.type or ""
    if kind in _CALLS:
        event = _read_call(context, record, response, block)
    elif kind == "text":
        event = context.emit("text", "assistant/text", record)
        event.text = block.text
    elif kind in {"thinking", "redacted_thinking"}:
        event = context.emit("thinking", f"assistant/{kind}", record)
        event.text = block.thinking
    else:
        event = _read_other(context, record, block, kind)
    if response is not None and event is not None:
        request = response.event
        event.message_id, event.model, event.native_model = request.message_id, request.model, request.native_model


def _read_other(context: Context, record: Record, block: Block, kind: str) -> Event:
    native_type = f"assistant/{block.type}"
    if kind.endswith("_tool_result"):
        return read_tool_result(context, record, block)
    if kind == "compaction":
        return context.emit("compaction", native_type, record, text=text_in(block), status="completed", trigger="api")
    if kind == "fallback":
        return context.emit("model_change", native_type, record)
    if kind in _OTHER_BLOCKS:
        return context.emit("notice", native_type, record, text=block.text)
    return context.emit("unmodelled", native_type, record, text=context.raw)


def _read_call(context: Context, record: Record, response: Response | None, block: Block) -> Event | None:
    """The call; None where its response told it before, on another line."""
    text, checksum = tools.canonical(block.input)
    if response is not None and block.id is not None:
        if (block.id, checksum) in response.calls:
            return None
        response.calls.add((block.id, checksum))
    kind, server = ("mcp", block.server_name) if block.server_name else tools.kind_of(block.name)
    event = context.emit("tool_call", "assistant/tool_use" if block.type == "tool_use" else f"assistant/{block.type}", record)
    event.tool_call_id, event.tool_name, event.tool_kind, event.mcp_server = block.id, block.name, kind, server
    event.tool_input, event.tool_input_hash, event.tool_summary = text, checksum, tools.summary(block.input)
    if block.id is not None:
        context.state.waiting.setdefault(block.id, []).append(event)
    if kind == "agent":
        _start_subagent(context, record, block)
    elif kind in _TOLD_APART:
        told = _TOLD_APART[kind](block.input)
        if told is not None:
            context.emit(kind, event.native_type, record, text=told, tool_call_id=block.id, tool_name=block.name)
    return event


def _start_subagent(context: Context, record: Record, block: Block) -> None:
    given = block.input if isinstance(block.input, dict) else {}
    if block.id is not None:
        context.state.agent_calls.add(block.id)
    native_model = given.get("model")
    context.emit(
        "subagent_start",
        f"assistant/{block.type}",
        record,
        tool_call_id=block.id,
        tool_name=block.name,
        subagent_type=tools.text_field(given, "subagent_type"),
        description=tools.text_field(given, "description"),
        model=canonical_model(native_model) if isinstance(native_model, str) else None,
        native_model=native_model if isinstance(native_model, str) else None,
    )


def _fold(context: Context, record: Assistant | AssistantLine, message: Message) -> Response | None:
    """The response that the line belongs to, with the line's figures; a message without id, usage and model is none."""
    if not message.id and message.usage is None and message.model is None:
        return None
    response = context.state.responses.current.get(record.parent_tool_use_id or record.agent_id or None)
    is_nameless = not message.id and (response is None or not response.is_open)
    if response is None or is_nameless or response.event.message_id != (message.id or None) or not response.agrees(message.usage):
        response = _enter_other(context, record, message)
        if response.is_given:
            return response
    response.add(message.usage)
    event = response.event
    if record.timestamp is not None:
        event.ended_at = later(event.ended_at, utc(record.timestamp))
    event.request_id = event.request_id or record.request_id
    if isinstance(record, AssistantLine) and record.cost_usd is not None:
        event.reported_cost_usd = max(record.cost_usd, event.reported_cost_usd or 0)
    if event.native_model is None and message.model:
        event.model, event.native_model = canonical_model(message.model), message.model
    if message.stop_reason is not None:
        response.finish(message.stop_reason, is_streamed=response.was_streamed)
    if response.streamed:
        _complete(response, message)
    if message.context_management is not None and message.context_management.applied_edits:
        context.emit("compaction", "assistant/applied_edits", record, status="micro", message_id=message.id)
    return response


def _complete(response: Response, message: Message) -> None:
    """The blocks of this line are whole: each is the oldest of its type that is still streaming."""
    for block in message.content if isinstance(message.content, list) else ():
        of_type = [index for index, streamed in response.streamed.items() if block is not None and streamed.block.type == block.type]
        if of_type:
            del response.streamed[min(of_type)]


def _enter_other(context: Context, record: Assistant | AssistantLine, message: Message) -> Response:
    """Another response than the one its agent was in: a new one, or one whose late line this is."""
    response = context.state.responses.find(message.id, message.usage)
    if response is not None and response.is_given and not response.is_news(message.usage):
        return response
    if response is None or response.is_given:
        # News about a request that was given out makes a second one; the views fold the two.
        calls = response.calls if response is not None else set()
        response = begin(context, record, message, "assistant")
        response.calls = calls
    enter(context, response)
    context.state.last_retry.pop(response.event.agent_id, None)  # its request went through: the next attempt is another episode's
    return response
