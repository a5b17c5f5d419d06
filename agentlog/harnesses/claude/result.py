"""Terminal records → results, with the process's running totals as they are written, and the calls that were not permitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentlog.events import UsagePart
from agentlog.harnesses.claude.assistant import give
from agentlog.harnesses.claude.responses import set_figures, split_cache_writes
from agentlog.harnesses.claude.wire import CacheCreation, ModelUsage, Result
from agentlog.models import canonical_model

if TYPE_CHECKING:
    from agentlog.harnesses.claude.context import Context


def read_result(context: Context, record: Result, *, native_type: str | None = None, is_verdict_readable: bool = True) -> None:
    """The end of an invocation, or of one prompt of it: every open response has ended."""
    end_responses(context)
    event = context.emit(
        "result",
        native_type or (f"result/{record.subtype}" if record.subtype else "result"),
        record,
        text=_text(record),
        subtype=record.subtype,
        is_error=record.is_error,
        is_verdict_readable=is_verdict_readable,
        terminal_reason=record.terminal_reason,
        stop_reason=record.stop_reason,
        error_status=record.api_error_status,
        reported_turns=record.num_turns,
        duration_ms=_whole(record.duration_ms),
        api_duration_ms=_whole(record.duration_api_ms),
        reported_cost_usd=next((cost for cost in (record.total_cost_usd, record.cost_usd, record.total_cost) if cost is not None), None),
        usage_parts=model_parts(record.model_usage),
    )
    if record.usage is not None:
        parts = event.usage_parts
        set_figures(event, record.usage)
        event.usage_parts = parts
    _denials(context, record)


def end_responses(context: Context) -> None:
    """Give out the requests of all responses that are still open."""
    for response in context.state.responses.leave_all():
        give(context, response)


def model_parts(model_usage: dict[str, ModelUsage | None] | None) -> list[UsagePart] | None:
    """A running total by model as it is written."""
    return None if model_usage is None else [_part(name, one or ModelUsage()) for name, one in model_usage.items()]


def _part(name: str, one: ModelUsage) -> UsagePart:
    short, long = split_cache_writes(one.cache_creation_input_tokens, CacheCreation(one.cache_creation_5m, one.cache_creation_1h))
    return UsagePart(
        entry="model",
        model=canonical_model(name),
        native_model=name,
        input_tokens=one.input_tokens,
        cache_read_tokens=one.cache_read_input_tokens,
        cache_write_5m_tokens=short,
        cache_write_1h_tokens=long,
        output_tokens=one.output_tokens,
        reasoning_tokens=one.thinking_tokens,
        web_search_requests=one.web_search_requests,
        cost_usd=one.cost_usd,
    )


def _denials(context: Context, record: Result) -> None:
    """Each denied call once: results of one process repeat the list."""
    for denial in record.permission_denials or ():
        if denial is None or denial.tool_use_id in context.state.denied:
            continue
        if denial.tool_use_id is not None:
            context.state.denied.add(denial.tool_use_id)
        context.emit(
            "permission",
            "result/permission_denials",
            record,
            status="denied",
            tool_call_id=denial.tool_use_id,
            tool_name=denial.tool_name,
        )


def _text(record: Result) -> str | None:
    texts: list[Any] = [record.result, *(record.errors or ()), record.error]
    said = [text for text in texts if isinstance(text, str) and text]
    return "\n".join(said) if said else None


def _whole(duration: float | None) -> int | None:
    return None if duration is None else round(duration)
