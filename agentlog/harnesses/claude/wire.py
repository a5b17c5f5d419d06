"""Claude Code stream-json records as typed structs: only the fields that agentlog reads.

Source of every field: the `StdoutMessage` union of `@anthropic-ai/claude-agent-sdk` (0.1.0 to 0.3.332) and archived streams of Claude Code 0.2
to 2.1. Every field and every element of a list may be null; a field that is neither declared here nor read can be anything.
"""

from __future__ import annotations

import datetime as dt  # noqa: TC003 (msgspec reads the annotations)
from typing import Annotated, Any

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Money = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Duration = Annotated[float, msgspec.Meta(ge=0, le=2**53)]
Status = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31)]


class Wire(msgspec.Struct, gc=False):
    """A part of a record."""


class CacheCreation(Wire):
    """Cache writes by lifetime."""

    ephemeral_5m_input_tokens: Count | None = None
    ephemeral_1h_input_tokens: Count | None = None


class OutputDetails(Wire):
    """Output by kind."""

    thinking_tokens: Count | None = None


class ServerTools(Wire):
    """Server-side tools that are billed per use."""

    web_search_requests: Count | None = None


class Iteration(Wire):
    """One model call inside a response; only `message` iterations are in the response's own figures."""

    type: str | None = None
    model: str | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_creation: CacheCreation | None = None


class Usage(Wire):
    """Usage of one response, or of one result's streamed main-loop responses. `input_tokens` excludes cached input."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_creation: CacheCreation | None = None
    output_tokens_details: OutputDetails | None = None
    server_tool_use: ServerTools | None = None
    service_tier: str | None = None
    speed: str | None = None
    inference_geo: str | None = None
    iterations: list[Iteration | None] | None = None


class ModelUsage(Wire, rename="camel"):
    """One model's share of a process's running total."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None
    thinking_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None
    cache_creation_5m: Count | None = msgspec.field(default=None, name="cacheCreationEphemeral5mInputTokens")
    cache_creation_1h: Count | None = msgspec.field(default=None, name="cacheCreationEphemeral1hInputTokens")
    web_search_requests: Count | None = None
    cost_usd: Money | None = msgspec.field(default=None, name="costUSD")


class Part(Wire):
    """A part of a tool result's content."""

    type: str | None = None
    text: str | None = None


class Block(Wire):
    """A content block of a message, of any type."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    server_name: str | None = None
    input: dict[str, Any] | list[Any] | str | int | float | bool | None = None  # any JSON value; objects in all real streams
    tool_use_id: str | None = None
    content: str | list[Part | None] | Part | None = None
    is_error: bool | None = None


class AppliedEdits(Wire):
    """Context edits that the API applied before it answered."""

    applied_edits: list[Any] | None = None


class Message(Wire):
    """An API message: an assistant's response or a user's input."""

    id: str | None = None
    role: str | None = None
    model: str | None = None
    content: list[Block | None] | str | None = None
    stop_reason: str | None = None
    usage: Usage | None = None
    context_management: AppliedEdits | None = None


class Record(Wire, tag_field="type"):
    """The envelope that the lines of a stream share."""

    session_id: str | None = None
    uuid: str | None = None
    timestamp: dt.datetime | None = None
    parent_tool_use_id: str | None = None
    agent_id: str | None = None  # 2.1.317


class Assistant(Record, tag="assistant"):
    """One content block (or more) of a response."""

    message: Message | str | None = None
    content: list[Block | None] | str | None = None  # third-party captures put it beside the type
    request_id: str | None = None
    error: Any = None


class Origin(Wire):
    """Who wrote a user line (2.1.126 and later)."""

    kind: str | None = None


class ResultMeta(Wire):
    """Why a tool did not run."""

    non_execution_kind: str | None = None


class User(Record, tag="user"):
    """Tool results, prompts, and what the harness itself puts into the conversation."""

    message: Message | str | None = None
    content: list[Block | None] | str | None = None
    is_synthetic: bool | None = msgspec.field(default=None, name="isSynthetic")
    is_replay: bool | None = msgspec.field(default=None, name="isReplay")
    is_meta: bool | None = msgspec.field(default=None, name="isMeta")
    is_compact_summary: bool | None = msgspec.field(default=None, name="isCompactSummary")
    origin: Origin | None = None
    tool_use_result: msgspec.Raw = msgspec.Raw(b"")  # decoded only where a figure of it is needed: it repeats the tool's whole output
    tool_result_meta: ResultMeta | None = None


class ToolUseResult(Wire, rename="camel"):
    """What a tool's own result object tells beside its text; other tools use the same names for other things, hence `Any`."""

    status: Any = None
    agent_id: Any = None
    duration_ms: Any = None
    duration_seconds: Any = None
    total_duration_ms: Any = None
    total_tokens: Any = None
    total_tool_use_count: Any = None


class Delta(Wire):
    """A piece of a block, or (in `message_delta`) the end of a response."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    partial_json: str | None = None
    stop_reason: str | None = None


class StreamError(Wire):
    """An error inside the stream."""

    type: str | None = None
    message: str | None = None


class ApiEvent(Wire):
    """An event of the API's own stream."""

    type: str | None = None
    index: Count | None = None
    message: Message | None = None
    content_block: Block | None = None
    delta: Delta | None = None
    usage: Usage | None = None
    error: StreamError | None = None


class StreamEvent(Record, tag="stream_event"):
    """An API event, passed on with `--include-partial-messages`."""

    event: ApiEvent | None = None


class Piece(Wire):
    """Which block a piece belongs to; what it holds is not looked at."""

    index: Count | None = None


class PieceEvent(Record, tag="stream_event"):
    """A `content_block_delta`, of which only the place matters while the block's complete line may still come."""

    event: Piece | None = None


class CompactMetadata(Wire):
    """Sizes of a compaction."""

    trigger: str | None = None
    pre_tokens: Count | None = None
    post_tokens: Count | None = None
    duration_ms: Duration | None = None


class TaskUsage(Wire):
    """A background task's figures so far; `total_tokens` is no billable sum."""

    total_tokens: Count | None = None
    tool_uses: Count | None = None
    duration_ms: Duration | None = None


class System(Record, tag="system"):
    """The fields of all `system` subtypes; most are on one subtype only."""

    subtype: str | None = None
    # init
    cwd: str | None = None
    model: str | None = None
    claude_code_version: str | None = None
    # compact_boundary, status
    compact_metadata: CompactMetadata | None = None
    status: str | None = None
    compact_result: str | None = None
    compact_error: str | None = None
    # api_retry
    attempt: Count | None = None
    max_retries: Count | None = None
    retry_delay_ms: Duration | None = None
    error_status: Status | None = None
    error: Any = None
    # hooks
    hook_name: str | None = None
    output: str | None = None
    outcome: str | None = None
    # tasks
    task_id: str | None = None
    tool_use_id: str | None = None
    description: str | None = None
    subagent_type: str | None = None
    task_type: str | None = None
    usage: TaskUsage | None = None
    # model_refusal_*, permission_denied, notices
    original_model: str | None = None
    fallback_model: str | None = None
    request_id: str | None = None
    tool_name: str | None = None
    message: Any = None
    content: Any = None
    text: str | None = None
    summary: str | None = None
    reason: str | None = None
    # 0.1 and third-party spellings of a compaction
    tokens_before: Count | None = None
    tokens_after: Count | None = None
    compact_summary: Any = msgspec.field(default=None, name="compactSummary")


class Denial(Wire):
    """A tool call that was not permitted."""

    tool_name: str | None = None
    tool_use_id: str | None = None


class Result(Record, tag="result"):
    """The terminal record. `total_cost_usd` and `modelUsage` are running totals of the process; `usage` is this result's main loop."""

    subtype: str | None = None
    is_error: bool | None = None
    duration_ms: Duration | None = None
    duration_api_ms: Duration | None = None
    num_turns: Count | None = None
    result: Any = None
    errors: list[Any] | None = None
    error: Any = None
    stop_reason: str | None = None
    terminal_reason: str | None = None
    api_error_status: Status | None = None
    total_cost_usd: Money | None = None
    cost_usd: Money | None = None  # 1.0.0 and before
    total_cost: Money | None = None  # 1.0.0
    usage: Usage | None = None
    model_usage: dict[str, ModelUsage | None] | None = msgspec.field(default=None, name="modelUsage")
    permission_denials: list[Denial | None] | None = None


class RateLimitInfo(Wire):
    """State of a rate limit."""

    status: str | None = None
    rate_limit_type: str | None = msgspec.field(default=None, name="rateLimitType")


class RateLimit(Record, tag="rate_limit_event"):
    """A rate limit was met, or is near."""

    rate_limit_info: RateLimitInfo | None = None


class SubagentRetry(Wire):
    """An API retry inside a subagent: the only place where it shows."""

    agent_id: str | None = None
    attempt: Count | None = None
    max_retries: Count | None = None
    retry_delay_ms: Duration | None = None
    error_status: Status | None = None
    error_category: str | None = None


class ToolProgress(Record, tag="tool_progress"):
    """A sign of life of a running tool. In heartbeats `parent_tool_use_id` is that tool, no subagent."""

    tool_use_id: str | None = None
    tool_name: str | None = None
    elapsed_time_seconds: Duration | None = None
    subagent_retry: SubagentRetry | None = None


class ControlBody(Wire):
    """What a control request asks."""

    subtype: str | None = None
    tool_name: str | None = None
    tool_use_id: str | None = None
    message: str | None = None


class ControlRequest(Record, tag="control_request"):
    """A question of the harness to its caller."""

    request: ControlBody | None = None


class CompactSummary(Record, tag="compact_summary"):
    """A compaction as third-party hooks write it."""

    summary: Any = None
    tokens_before: Count | None = None
    tokens_after: Count | None = None


class ConversationReset(Record, tag="conversation_reset"):
    """A new conversation begins in the same process (2.1.203)."""

    new_conversation_id: str | None = None

    def __post_init__(self) -> None:
        """The record is of the session that it opens."""
        self.session_id = self.new_conversation_id or self.session_id


class Envelope(Record, tag="unmodelled"):
    """What can be read of a record of any type."""
