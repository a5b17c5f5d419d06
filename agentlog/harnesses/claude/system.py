"""System lines and their kin → sessions, compactions, API retries, hooks, subagents, permissions, notices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentlog.harnesses.claude.wire import (
    CompactMetadata,
    CompactSummary,
    ControlBody,
    ControlRequest,
    ConversationReset,
    RateLimit,
    RateLimitInfo,
    System,
    TaskUsage,
    ToolProgress,
)
from agentlog.models import canonical_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentlog.harnesses.claude.context import Context
    from agentlog.harnesses.claude.session_wire import SystemLine

_HEARTBEAT = re.compile(r"-heartbeat-\d+$")
_SUBAGENT_TASKS = {"local_agent", "remote_agent"}
_NOTICES = frozenset(
    (
        *(
            "thinking_tokens",
            "session_state_changed",
            "notification",
            "informational",
            "local_command_output",
            "files_persisted",
            "memory_recall",
        ),
        *(
            "elicitation_complete",
            "plugin_install",
            "commands_changed",
            "worker_shutting_down",
            "post_turn_summary",
            "bridge_state",
            "state",
        ),
        *("control_request_progress", "task_progress", "task_updated", "background_tasks_changed"),
    )
)
_ERRORS = {"mirror_error", "session_writes_lost"}


def read_system(context: Context, record: System) -> None:
    """A line of the harness about itself."""
    subtype = record.subtype or ""
    native_type = f"system/{subtype}" if subtype else "system"
    handler = _HANDLERS.get(subtype)
    if handler is not None:
        handler(context, record, native_type)
    elif subtype in _NOTICES:
        context.emit("notice", native_type, record, text=_text(record) or context.raw, status=record.status)
    elif subtype in _ERRORS:
        context.emit("error", native_type, record, text=_said(record.error) or context.raw, is_error=True, error_type=subtype)
    elif record.compact_summary is not None:
        _third_party_compaction(context, record, native_type, record.compact_summary)
    else:
        context.emit("unmodelled", native_type, record, text=context.raw)


def read_compact_summary(context: Context, record: CompactSummary) -> None:
    """A compaction as hooks of third parties write it."""
    _third_party_compaction(context, record, "compact_summary", record.summary)


def read_conversation_reset(context: Context, record: ConversationReset) -> None:
    """A new session in the same process."""
    context.emit("session", "conversation_reset", record, text=context.raw)


def read_rate_limit(context: Context, record: RateLimit) -> None:
    """A rate limit was met, or is near."""
    info = record.rate_limit_info or RateLimitInfo()
    context.emit("rate_limit", "rate_limit_event", record, status=info.status, error_type=info.rate_limit_type, text=context.raw)


def read_tool_progress(context: Context, record: ToolProgress) -> None:
    """A sign of life of a running tool; it can carry an API retry of the subagent that the tool is."""
    retry, call_id = record.subagent_retry, None if record.tool_use_id is None else _HEARTBEAT.sub("", record.tool_use_id)
    if retry is None:
        elapsed = record.elapsed_time_seconds
        event = context.emit(
            "notice",
            "tool_progress",
            record,
            tool_call_id=call_id,
            tool_name=record.tool_name,
            duration_ms=None if elapsed is None else round(elapsed * 1000),
        )
        if call_id != record.tool_use_id:
            event.agent_id = event.parent_tool_call_id = None  # the "parent" of a heartbeat is the running tool itself
        return
    agent = call_id or retry.agent_id
    if context.state.last_retry.get(agent) == retry.attempt is not None:
        context.emit("notice", "tool_progress/subagent_retry", record, tool_call_id=call_id)  # the same attempt, told again
        return
    context.state.last_retry[agent] = retry.attempt
    event = context.emit(
        "api_retry",
        "tool_progress/subagent_retry",
        record,
        attempt=retry.attempt,
        max_attempts=retry.max_retries,
        delay_ms=retry.retry_delay_ms,
        error_status=retry.error_status,
        error_type=retry.error_category,
    )
    event.agent_id = agent
    event.parent_tool_call_id = call_id


def read_control_request(context: Context, record: ControlRequest) -> None:
    """A question of the harness to its caller."""
    body = record.request or ControlBody()
    kind = {"can_use_tool": "permission", "elicitation": "question"}.get(body.subtype or "", "notice")
    context.emit(
        kind,
        f"control_request/{body.subtype}" if body.subtype else "control_request",
        record,
        status="asked" if kind == "permission" else None,
        tool_call_id=body.tool_use_id,
        tool_name=body.tool_name,
        text=body.message or context.raw,
    )


def _text(record: System) -> str | None:
    return next(
        (text for text in (record.text, record.summary, record.content, record.message, record.reason) if isinstance(text, str) and text),
        None,
    )


def _said(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _init(context: Context, record: System, native_type: str) -> None:
    state = context.state
    state.template.harness_version = record.claude_code_version or state.template.harness_version
    model = canonical_model(record.model) if record.model else None
    context.emit("session", native_type, record, cwd=record.cwd, model=model, native_model=record.model)
    if model is not None and state.requested_model not in {None, model}:
        context.emit("model_change", native_type, record, model=model, native_model=record.model)
    state.requested_model = model or state.requested_model


def _compact_boundary(context: Context, record: System, native_type: str) -> None:
    metadata = record.compact_metadata or CompactMetadata()
    context.emit(
        "compaction",
        native_type,
        record,
        status="completed",
        trigger=metadata.trigger,
        tokens_before=metadata.pre_tokens,
        tokens_after=metadata.post_tokens,
        duration_ms=None if metadata.duration_ms is None else round(metadata.duration_ms),
    )


def _third_party_compaction(context: Context, record: System | CompactSummary, native_type: str, text: object) -> None:
    context.emit(
        "compaction",
        native_type,
        record,
        status="completed",
        trigger="third_party",
        text=_said(text),
        tokens_before=record.tokens_before,
        tokens_after=record.tokens_after,
    )


def _compact_summary_subtype(context: Context, record: System, native_type: str) -> None:
    text = record.compact_summary if record.compact_summary is not None else _text(record)
    _third_party_compaction(context, record, native_type, text)


def _status(context: Context, record: System, native_type: str) -> None:
    if record.compact_result == "failed":
        context.emit("compaction", native_type, record, status="failed", text=record.compact_error, is_error=True)
    else:  # a finished compaction has a compact_boundary of its own, a running one repeats its status
        context.emit("notice", native_type, record, status=record.status or record.compact_result)


def _api_retry(context: Context, record: System, native_type: str) -> None:
    context.emit(
        "api_retry",
        native_type,
        record,
        attempt=record.attempt,
        max_attempts=record.max_retries,
        delay_ms=record.retry_delay_ms,
        error_status=record.error_status,
        error_type=_said(record.error),
    )


def _hook(context: Context, record: System, native_type: str) -> None:
    failed = None if record.outcome is None else record.outcome == "error"
    context.emit("hook", native_type, record, text=record.output, description=record.hook_name, status=record.outcome, is_error=failed)


def _task_started(context: Context, record: System, native_type: str) -> None:
    state = context.state
    if record.subagent_type is None and record.task_type not in _SUBAGENT_TASKS:
        context.emit(
            "notice", native_type, record, text=record.description, tool_call_id=record.tool_use_id
        )  # a backgrounded shell command
        return
    if record.task_id is not None:
        state.agent_tasks.add(record.task_id)
    event = context.emit(
        "subagent_start",
        native_type,
        record,
        tool_call_id=record.tool_use_id,
        subagent_type=record.subagent_type,
        description=record.description,
    )
    event.agent_id = record.tool_use_id or record.task_id


def _task_notification(context: Context, record: System, native_type: str) -> None:
    state, usage = context.state, record.usage or TaskUsage()
    is_subagent = record.task_id in state.agent_tasks or record.tool_use_id in state.agent_calls
    event = context.emit(
        "subagent_end" if is_subagent else "notice",
        native_type,
        record,
        text=record.summary,
        tool_call_id=record.tool_use_id,
        status=record.status,
        is_error=None if record.status is None or not is_subagent else record.status == "failed",
        duration_ms=None if usage.duration_ms is None else round(usage.duration_ms),
        total_tokens=usage.total_tokens,
        tool_uses=usage.tool_uses,
    )
    if is_subagent:
        event.agent_id = record.tool_use_id or record.task_id


def read_model_fallback(context: Context, record: System | SystemLine, native_type: str) -> None:
    """Another model answers in place of the one that refused."""
    model = record.fallback_model
    context.emit(
        "model_change",
        native_type,
        record,
        model=canonical_model(model) if model else None,
        native_model=model,
        request_id=record.request_id,
        text=_said(record.content),
        error_type="refusal",
    )


def read_model_refusal(context: Context, record: System | SystemLine, native_type: str) -> None:
    """A model refused, and none answers in its place."""
    context.emit(
        "error", native_type, record, text=_said(record.content), is_error=True, error_type="refusal", request_id=record.request_id
    )


def _permission_denied(context: Context, record: System, native_type: str) -> None:
    if record.tool_use_id is not None:
        context.state.denied.add(record.tool_use_id)
    context.emit(
        "permission",
        native_type,
        record,
        status="denied",
        tool_call_id=record.tool_use_id,
        tool_name=record.tool_name,
        text=_said(record.message),
    )


_HANDLERS: dict[str, Callable[[Context, System, str], None]] = {
    "init": _init,
    "compact_boundary": _compact_boundary,
    "compact_summary": _compact_summary_subtype,
    "status": _status,
    "api_retry": _api_retry,
    "hook_started": _hook,
    "hook_progress": _hook,
    "hook_response": _hook,
    "task_started": _task_started,
    "task_notification": _task_notification,
    "model_refusal_fallback": read_model_fallback,
    "model_refusal_no_fallback": read_model_refusal,
    "permission_denied": _permission_denied,
}
