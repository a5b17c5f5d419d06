"""API stream events (`--include-partial-messages`) → the figures of a response, and its blocks where no complete line follows.

`message_start` and `message_delta` usage is cumulative and, once the delta is there, final. The pieces of a block carry nothing that its
complete line does not, so they are kept only until that line comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentlog.harnesses.claude.assistant import begin, enter
from agentlog.harnesses.claude.context import utc
from agentlog.harnesses.claude.responses import Response, Streamed, later
from agentlog.harnesses.claude.wire import ApiEvent, Block, Message, PieceEvent, Record, StreamEvent

if TYPE_CHECKING:
    from agentlog.harnesses.claude.context import Context

API_EVENTS = {
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
}


def read_stream_event(context: Context, record: StreamEvent) -> None:
    """An event of the API's stream."""
    event = record.event or ApiEvent()
    response = context.state.responses.current.get(_agent(record))
    if event.type == "content_block_delta" and response is not None:
        _keep(response, event.index, context.data)
    elif event.type == "message_start":
        _start(context, record, event.message or Message())
    elif event.type == "error":
        error = event.error
        context.emit(
            "error",
            "stream_event/error",
            record,
            text=error.message if error else None,
            is_error=True,
            error_type=error.type if error else None,
        )
    elif event.type not in API_EVENTS:
        context.emit("unmodelled", f"stream_event/{event.type}", record, text=context.raw)
    elif response is None:
        context.emit("notice", f"stream_event/{event.type}", record, text=context.raw)
    else:
        _go_on(context, record, event, response)


def read_piece(context: Context, record: PieceEvent, response: Response | None) -> None:
    """A `content_block_delta` of which only the place was decoded: kept until its block's complete line comes."""
    if response is None:
        context.emit("notice", "stream_event/content_block_delta", record, text=context.raw)
        return
    _keep(response, None if record.event is None else record.event.index, context.data)


def _keep(response: Response, index: int | None, data: bytes) -> None:
    streamed = response.streamed.get(index or 0)
    if streamed is not None:
        streamed.pieces.append(data)


def _agent(record: Record) -> str | None:
    return record.parent_tool_use_id or record.agent_id or None


def _start(context: Context, record: StreamEvent, message: Message) -> None:
    if not message.id and message.usage is None and message.model is None:
        context.emit("notice", "stream_event/message_start", record, text=context.raw)
        return
    responses = context.state.responses
    current = responses.current.get(_agent(record))
    if current is not None:
        current.is_open = False  # a gateway may leave out the message_stop
    response = responses.find(message.id, message.usage)
    if response is None or response.is_given:
        response = begin(context, record, message, "stream_event/message_start")
    response.is_open = response.was_streamed = True
    enter(context, response)
    response.add(message.usage)


def _go_on(context: Context, record: StreamEvent, event: ApiEvent, response: Response) -> None:
    index = event.index or 0
    response.event.ended_at = later(response.event.ended_at, utc(record.timestamp))
    if event.type == "content_block_start":
        response.streamed[index] = Streamed(record, context.line_no, context.reserve(), event.content_block or Block())
    elif event.type == "content_block_stop" and index in response.streamed:
        response.streamed[index].is_complete = True
    elif event.type == "message_delta":
        response.add(event.usage)
        response.finish(event.delta.stop_reason if event.delta is not None else None, is_streamed=True)
    elif event.type == "message_stop":
        response.is_open = False
