"""Lines of Claude Code session files (`~/.claude/projects/**/*.jsonl`) → events.

The same messages as in stream-json, under another envelope; there is no terminal record. A run is the session that a line names, whichever file it lies
in: subagents have files of their own, and forks, resumed and background sessions repeat the lines of others. Which are copies is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from agentlog.harnesses.claude.assistant import read_assistant
from agentlog.harnesses.claude.reader import Dialect, RecordReader
from agentlog.harnesses.claude.result import model_parts
from agentlog.harnesses.claude.session_wire import (
    AiTitle,
    AssistantLine,
    CompactMetadata,
    CostState,
    CustomTitle,
    Line,
    LineEnvelope,
    Progress,
    RetriedError,
    Snapshot,
    Summary,
    SystemLine,
    UserLine,
)
from agentlog.harnesses.claude.system import read_model_fallback, read_model_refusal
from agentlog.harnesses.claude.user import read_user

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentlog.harnesses.claude.context import Context
    from agentlog.harnesses.claude.wire import Record

FORMAT = "session"


def _read_snapshot(context: Context, record: Snapshot | Progress) -> None:
    context.emit("notice", str(type(record).__struct_config__.tag), record)


def _read_title(context: Context, record: CustomTitle | AiTitle) -> None:
    title = record.custom_title if isinstance(record, CustomTitle) else record.ai_title
    context.emit("session", str(type(record).__struct_config__.tag), record, title=title)


def _read_summary(context: Context, record: Summary) -> None:
    """Before any other line, `summary` lines are titles of the sessions in which their leaves are, copied here for a list to choose from."""
    is_own = context.runs.current is not None and not context.runs.current.is_provisional
    context.emit("session" if is_own else "notice", "summary", record, **{"title" if is_own else "text": record.summary})


def _read_cost_state(context: Context, record: CostState) -> None:
    parts = model_parts(record.model_usage)
    context.emit("notice", "cost-state", record, reported_cost_usd=record.total_cost_usd, usage_parts=parts)


def _read_system(context: Context, record: SystemLine) -> None:
    subtype = record.subtype or ""
    native_type = f"system/{subtype}" if subtype else "system"
    handler = _SUBTYPES.get(subtype)
    if handler is not None:
        handler(context, record, native_type)
    elif subtype in _NOTICES:
        text = record.content if isinstance(record.content, str) else context.raw
        duration = record.duration_ms
        context.emit("notice", native_type, record, text=text, duration_ms=None if duration is None else round(duration))
    else:
        context.emit("unmodelled", native_type, record, text=context.raw)


def _compact_boundary(context: Context, record: SystemLine, native_type: str) -> None:
    is_micro = record.subtype == "microcompact_boundary"
    found = record.microcompact_metadata if is_micro else record.compact_metadata
    metadata = found or CompactMetadata()
    after = metadata.post_tokens
    if after is None and metadata.pre_tokens is not None and metadata.tokens_saved is not None:
        after = max(0, metadata.pre_tokens - metadata.tokens_saved)
    context.emit(
        "compaction",
        native_type,
        record,
        status="micro" if is_micro else "completed",
        trigger=metadata.trigger,
        tokens_before=metadata.pre_tokens,
        tokens_after=after,
        duration_ms=None if metadata.duration_ms is None else round(metadata.duration_ms),
    )


def _api_error(context: Context, record: SystemLine, native_type: str) -> None:
    """The request is sent again after each of these."""
    error = record.error
    try:
        status = msgspec.convert(error, RetriedError).status
    except msgspec.ValidationError:
        status = None
    context.emit(
        "api_retry",
        native_type,
        record,
        attempt=record.retry_attempt,
        max_attempts=record.max_retries,
        delay_ms=record.retry_in_ms,
        error_status=status,
        error_type=error if isinstance(error, str) else _error_type(error),
    )


def _error_type(error: object) -> str | None:
    """The API's word for an error, wherever in the error object it lies (`{"error": {"error": {"type": …}}}` in 1.0)."""
    while isinstance(error, dict):
        inner = error.get("error")
        if not isinstance(inner, dict):
            kind = error.get("type")
            return kind if isinstance(kind, str) else None
        error = inner
    return None


def _stop_hooks(context: Context, record: SystemLine, native_type: str) -> None:
    duration = record.total_duration_ms
    status = "blocked" if record.prevented_continuation else None
    context.emit("hook", native_type, record, status=status, duration_ms=None if duration is None else round(duration))


_SUBTYPES: dict[str, Callable[[Context, Any, str], None]] = {
    "compact_boundary": _compact_boundary,
    "microcompact_boundary": _compact_boundary,
    "api_error": _api_error,
    "stop_hook_summary": _stop_hooks,
    "model_refusal_fallback": read_model_fallback,
    "model_refusal_no_fallback": read_model_refusal,
}
_NOTICES = {
    *("turn_duration", "local_command", "informational", "away_summary", "memory_saved", "agents_killed", "permission_retry"),
    *("scheduled_task_fire", "bridge_status", "file_snapshot"),
}

DIALECT = Dialect(
    name=FORMAT,
    decode=msgspec.json.Decoder(
        AssistantLine | UserLine | SystemLine | Summary | CustomTitle | AiTitle | CostState | Snapshot | Progress
    ).decode,
    readers={
        AssistantLine: read_assistant,
        UserLine: read_user,
        SystemLine: _read_system,
        Summary: _read_summary,
        CustomTitle: _read_title,
        AiTitle: _read_title,
        CostState: _read_cost_state,
        Snapshot: _read_snapshot,
        Progress: _read_snapshot,
    },
    notices={
        *("attachment", "last-prompt", "tag", "agent-name", "agent-color", "agent-setting", "mode", "permission-mode", "pr-link"),
        *("attribution-snapshot", "speculation-accept", "worktree-state", "content-replacement", "queue-operation"),
        *("marble-origami-commit", "marble-origami-snapshot"),
    },
    envelope=LineEnvelope,
    as_today=lambda _: None,
)


class SessionReader(RecordReader):
    """Reads one session file, or the file of one subagent."""

    dialect = DIALECT

    def __init__(self, source_path: str) -> None:
        super().__init__(source_path)
        self._told: tuple[object, ...] = ()
        """What the lines of the session said last about where it runs."""
        self._roots: dict[str, str] = {}
        """The lines of side conversations that name no agent → the first line of each; files up to 1.0 have them inline."""

    def _enter(self, record: Record) -> None:
        super()._enter(record)
        if not isinstance(record, Line):
            return
        state = self._context.state
        if not record.is_sidechain:
            record.agent_id = None  # other programs name the main loop's agent too
        elif not record.agent_id:
            record.agent_id = self._side_conversation(record)
        state.template.copy_mark = _copy_mark(record)
        state.template.harness_version = record.version or state.template.harness_version
        told = (state, record.cwd, record.git_branch)
        if record.cwd is not None and told != self._told:
            self._told = told
            self._context.emit("session", "cwd", record, cwd=record.cwd, git_branch=record.git_branch or None)

    def _side_conversation(self, record: Line) -> str | None:
        if record.uuid is None:
            return record.parent_uuid
        root = self._roots.get(record.parent_uuid or "") or f"sidechain-{record.uuid}"
        self._roots[record.uuid] = root
        return root


_BACKGROUND = {"bg", "background"}


def _copy_mark(record: Line) -> str | None:
    """What says that a line repeats one of another session: the session it was forked from, or the kind of a background session."""
    if record.forked_from is not None:
        return record.forked_from.session_id or "forked"
    return record.session_kind if record.session_kind in _BACKGROUND else None
