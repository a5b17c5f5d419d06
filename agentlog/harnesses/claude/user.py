"""User lines → prompts, tool results, the ends of subagents, and notices for what nobody typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from agentlog.harnesses.claude import tools
from agentlog.harnesses.claude.wire import Block, Message, Part, Record, ToolUseResult

if TYPE_CHECKING:
    from agentlog.events import Event
    from agentlog.harnesses.claude.context import Context
    from agentlog.harnesses.claude.session_wire import UserLine
    from agentlog.harnesses.claude.wire import User

_WRAPPER = re.compile(r"\s*<[a-z]+(?:[-_][a-z]+)+[\s>]")
"""The tags in which Claude Code wraps what it adds itself: `<local-command-stdout>`, `<task-notification>`, `<system-reminder>`, …"""
_NOT_TYPED = ("[Request interrupted by user", "This session is being continued from a previous conversation")
"""How the texts begin that stand for an interruption and for a summary, in versions that do not flag them."""
_TYPED_ORIGINS = {None, "human", "channel", "unclassified"}
_TELL_NOTHING = {"execute", "read", "edit"}
"""Kinds of tools whose own result object states no duration (seen in 0.2 to 2.1: searches, fetches and agents do)."""
_LAUNCHED = {"async_launched", "remote_launched"}
"""The result of such an agent call comes at once; the subagent ends later, with its task_notification."""

_tool_use_result = msgspec.json.Decoder(ToolUseResult | str | list[msgspec.Raw] | None)


def read_user(context: Context, record: User | UserLine) -> None:
    """A line that the harness, a person or a tool put into the conversation."""
    message = record.message if isinstance(record.message, Message) else None
    content = record.message if isinstance(record.message, str) else record.content if message is None else message.content
    blocks = [Block(type="text", text=content)] if isinstance(content, str) else [block for block in content or () if block is not None]
    others = []
    for block in blocks:
        if block.type is not None and block.type.endswith("tool_result"):
            read_tool_result(context, record, block, user=record)
        else:
            others.append(block)
    if not others and blocks:
        return
    texts = [block.text for block in others if block.text is not None]
    kind = "prompt" if len(others) == len(blocks) > 0 and _is_typed(record, others) else "notice"
    context.emit(kind, "user", record, text="\n".join(texts) if texts else None)


def _is_typed(record: User | UserLine, blocks: list[Block]) -> bool:
    if record.parent_tool_use_id or record.agent_id or record.is_synthetic or record.is_meta or record.is_compact_summary:
        return False
    if record.origin is not None and record.origin.kind not in _TYPED_ORIGINS:
        return False
    return not all(block.text is not None and (_WRAPPER.match(block.text) or block.text.startswith(_NOT_TYPED)) for block in blocks)


def read_tool_result(context: Context, record: Record, block: Block, *, user: User | UserLine | None = None) -> Event:
    """A tool's result, with the name of its call; the result of an agent call ends its subagent."""
    event = context.emit("tool_result", "user/tool_result" if user is not None else f"assistant/{block.type}", record)
    call = _answered(context, block.tool_use_id)
    if call is not None:
        event.tool_name, event.tool_kind, event.mcp_server = call.tool_name, call.tool_kind, call.mcp_server
    event.tool_call_id = block.tool_use_id
    event.text = text = text_in(block)
    event.result_chars = None if text is None else len(text)
    event.is_error = is_error = block.is_error if block.is_error is not None else _is_error_object(block)
    own = _own_result(user, event)
    event.status = "ok" if not is_error else "rejected" if _is_rejected(text, own, user) else "error"
    if isinstance(own, ToolUseResult):
        event.duration_ms = _duration_ms(own)
    if event.tool_kind == "agent":
        _end_subagent(context, record, event, own)
    return event


def _answered(context: Context, call_id: str | None) -> Event | None:
    """The call that this result answers; an id that repeats is paired in order."""
    waiting = context.state.waiting
    calls = waiting.get(call_id) if call_id is not None else None
    if not calls or call_id is None:
        return None
    call = calls.pop(0)
    if not calls:
        del waiting[call_id]
    return call


def text_in(block: Block) -> str | None:
    """The text of a block's content."""
    content = block.content
    if content is None or isinstance(content, str):
        return content
    texts = [part.text for part in ([content] if isinstance(content, Part) else content) if part is not None and part.text is not None]
    return "\n".join(texts) if texts else None


def _is_error_object(block: Block) -> bool | None:
    """Server tools tell a failure by the type of their content."""
    return True if isinstance(block.content, Part) and (block.content.type or "").endswith("error") else None


def _is_rejected(text: str | None, own: object, user: User | UserLine | None) -> bool:
    """Whether a failed call did not run because a person, a rule or a hook said no."""
    stopped = user is not None and user.tool_result_meta is not None and user.tool_result_meta.non_execution_kind is not None
    return stopped or tools.is_refusal(text) or (isinstance(own, str) and tools.is_refusal(own))


def _own_result(user: User | UserLine | None, event: Event) -> ToolUseResult | str | None:
    """The tool's own result object, where it may tell more than its text: a duration, a subagent's figures, why it failed.

    It repeats the whole output, so it is not even looked at for tools that never state any of this.
    """
    if user is None or (event.tool_kind in _TELL_NOTHING and not event.is_error):
        return None
    raw = bytes(user.tool_use_result)
    if not raw or not (event.is_error or event.tool_kind == "agent" or b'urationMs"' in raw or b'urationSeconds"' in raw):
        return None
    try:
        own = _tool_use_result.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None  # any tool may put anything here; only figures beside the result are lost, and they are NULL then
    return None if isinstance(own, list) else own


def _duration_ms(own: ToolUseResult) -> int | None:
    for figure, factor in ((own.total_duration_ms, 1), (own.duration_ms, 1), (own.duration_seconds, 1000)):
        if isinstance(figure, int | float) and not isinstance(figure, bool) and 0 <= figure < 2**53:
            return round(figure * factor)
    return None


def _count(figure: object) -> int | None:
    return figure if isinstance(figure, int) and not isinstance(figure, bool) and 0 <= figure < 2**63 else None


def _end_subagent(context: Context, record: Record, answer: Event, own: object) -> None:
    figures = own if isinstance(own, ToolUseResult) else ToolUseResult()
    status = figures.status if isinstance(figures.status, str) else None
    if isinstance(figures.agent_id, str) and figures.agent_id:
        start = context.emit("subagent_start", "user/tool_result", record, tool_call_id=answer.tool_call_id)
        start.agent_id = figures.agent_id  # lines of a background agent have this id and no parent
    if status in _LAUNCHED:
        return
    context.emit(
        "subagent_end",
        "user/tool_result",
        record,
        tool_call_id=answer.tool_call_id,
        status="failed" if answer.is_error else status or "completed",
        is_error=answer.is_error,
        duration_ms=_duration_ms(figures),
        total_tokens=_count(figures.total_tokens),
        tool_uses=_count(figures.total_tool_use_count),
    )
