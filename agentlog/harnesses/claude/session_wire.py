"""Lines of Claude Code session files as typed structs: the records of `wire` under the envelope and the names that the files on disk have.

Source of every field: session files of Claude Code 1.0 to 2.1.332. Only the fields that agentlog reads.
"""

from __future__ import annotations

from typing import Any

import msgspec

from agentlog.harnesses.claude.wire import Block, Count, Duration, Message, ModelUsage, Money, Origin, Record, ResultMeta, Status, Wire

_named = msgspec.field


class ForkedFrom(Wire, rename="camel"):
    """Where a copied line comes from."""

    session_id: str | None = None


class Line(Record):
    """The envelope of a session line: that of a stream's record, and the state of the session that each line repeats."""

    session_id: str | None = _named(default=None, name="sessionId")
    agent_id: str | None = _named(default=None, name="agentId")
    parent_uuid: str | None = _named(default=None, name="parentUuid")
    is_sidechain: bool | None = _named(default=None, name="isSidechain")
    forked_from: ForkedFrom | None = _named(default=None, name="forkedFrom")
    session_kind: str | None = _named(default=None, name="sessionKind")
    cwd: str | None = None
    git_branch: str | None = _named(default=None, name="gitBranch")
    version: str | None = None


class AssistantLine(Line, tag="assistant"):
    """One content block (or more) of a response."""

    message: Message | str | None = None
    content: list[Block | None] | str | None = None
    request_id: str | None = _named(default=None, name="requestId")
    error: Any = None
    is_api_error: bool | None = _named(default=None, name="isApiErrorMessage")
    cost_usd: Money | None = _named(default=None, name="costUSD")  # up to 1.0


class UserLine(Line, tag="user"):
    """Tool results, prompts, and what the harness itself puts into the conversation."""

    message: Message | str | None = None
    content: list[Block | None] | str | None = None
    is_synthetic: bool | None = _named(default=None, name="isSynthetic")
    is_meta: bool | None = _named(default=None, name="isMeta")
    is_compact_summary: bool | None = _named(default=None, name="isCompactSummary")
    origin: Origin | None = None
    tool_use_result: msgspec.Raw = _named(default=msgspec.Raw(b""), name="toolUseResult")
    tool_result_meta: ResultMeta | None = _named(default=None, name="toolResultMeta")


class CompactMetadata(Wire, rename="camel"):
    """Sizes of a compaction."""

    trigger: str | None = None
    pre_tokens: Count | None = None
    post_tokens: Count | None = None
    tokens_saved: Count | None = None
    duration_ms: Duration | None = None


class RetriedError(Wire):
    """Why a request was sent again."""

    status: Status | None = None


class SystemLine(Line, tag="system", rename="camel"):
    """The fields of all `system` subtypes; most are on one subtype only."""

    subtype: str | None = None
    content: Any = None
    # compact_boundary, microcompact_boundary
    compact_metadata: CompactMetadata | None = None
    microcompact_metadata: CompactMetadata | None = None
    # api_error
    error: Any = None
    retry_attempt: Count | None = None
    max_retries: Count | None = None
    retry_in_ms: Duration | None = None
    # turn_duration, stop_hook_summary
    duration_ms: Duration | None = None
    total_duration_ms: Duration | None = None
    prevented_continuation: bool | None = None
    # model_refusal_*
    original_model: str | None = None
    fallback_model: str | None = None
    request_id: str | None = None


class Summary(Line, tag="summary"):
    """A title, of the session in which the leaf is: not always that of the file."""

    summary: str | None = None
    leaf_uuid: str | None = _named(default=None, name="leafUuid")


class CustomTitle(Line, tag="custom-title", rename="camel"):
    """The title that a person gave."""

    custom_title: str | None = None


class AiTitle(Line, tag="ai-title", rename="camel"):
    """The title that a model gave."""

    ai_title: str | None = None


class CostState(Line, tag="cost-state"):
    """What the session has cost so far, written when it is left: a running total that a resumed session continues."""

    total_cost_usd: Money | None = _named(default=None, name="totalCostUSD")
    model_usage: dict[str, ModelUsage | None] | None = _named(default=None, name="modelUsage")


class Snapshot(Line, tag="file-history-snapshot"):
    """A state of the edited files: as long as they are, and in no count."""


class Progress(Line, tag="progress"):
    """A sign of life of a tool, a hook or a subagent; what it shows is in other lines too."""


class LineEnvelope(Line, tag="unmodelled"):
    """What can be read of a line of any type."""
