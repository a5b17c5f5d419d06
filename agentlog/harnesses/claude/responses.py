"""Lines → requests: the folding of one response's lines into one `request` event.

Each content block of a response is a line of its own that repeats the response's usage; with partial messages the API's own events come between.
Per field the largest figure counts. A `message_start` figure of output is a placeholder; a stop reason or a `message_delta` makes it final.
The same message id with other input figures is another response (gateways repeat ids), but not between a `message_start` and its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from agentlog.events import Event, UsagePart
from agentlog.harnesses.claude.wire import Wire
from agentlog.models import canonical_model

if TYPE_CHECKING:
    import datetime as dt

    from agentlog.harnesses.claude.wire import Block, CacheCreation, Iteration, StreamEvent, Usage

Figures = TypeVar("Figures", bound=Wire)


def split_cache_writes(whole: int | None, split: CacheCreation | None) -> tuple[int | None, int | None]:
    """Cache writes for 5 minutes and for 1 hour; what a split leaves over, or the whole where there is none, is 5 minutes."""
    if split is None or (split.ephemeral_5m_input_tokens is None and split.ephemeral_1h_input_tokens is None):
        return whole, None if whole is None else 0
    short, long = split.ephemeral_5m_input_tokens or 0, split.ephemeral_1h_input_tokens or 0
    return max(short, (whole or 0) - long), long


def set_figures(event: Event, usage: Usage) -> None:
    """Write a usage object's figures on a request or result; NULL where it does not say."""
    event.input_tokens = usage.input_tokens
    event.cache_read_tokens = usage.cache_read_input_tokens
    event.cache_write_5m_tokens, event.cache_write_1h_tokens = split_cache_writes(usage.cache_creation_input_tokens, usage.cache_creation)
    event.output_tokens = usage.output_tokens
    if usage.output_tokens_details is not None:
        event.reasoning_tokens = usage.output_tokens_details.thinking_tokens
    if usage.server_tool_use is not None:
        event.web_search_requests = usage.server_tool_use.web_search_requests
    event.service_tier, event.speed, event.inference_geo = usage.service_tier, usage.speed, usage.inference_geo
    if usage.iterations:
        event.usage_parts = [_iteration(one) for one in usage.iterations if one is not None] or None


def _iteration(one: Iteration) -> UsagePart:
    short, long = split_cache_writes(one.cache_creation_input_tokens, one.cache_creation)
    return UsagePart(
        entry=one.type or "message",
        model=canonical_model(one.model) if one.model else None,
        native_model=one.model,
        input_tokens=one.input_tokens,
        cache_read_tokens=one.cache_read_input_tokens,
        cache_write_5m_tokens=short,
        cache_write_1h_tokens=long,
        output_tokens=one.output_tokens,
    )


def merge(one: Figures, other: Figures) -> Figures:
    """Per field the larger figure; of anything that is no figure, what `other` says, where it says something."""
    merged = {}
    for name in one.__struct_fields__:
        ours, theirs = getattr(one, name), getattr(other, name)
        if ours is None or theirs is None:
            merged[name] = ours if theirs is None else theirs
        elif isinstance(ours, int):
            merged[name] = max(ours, theirs)
        else:
            merged[name] = merge(ours, theirs) if isinstance(ours, Wire) else theirs
    return type(one)(**merged)


class Streamed(msgspec.Struct):
    """A block that is being streamed, until its complete line comes, and the place where it began."""

    record: StreamEvent
    line_no: int
    part_no: int
    block: Block
    pieces: list[bytes] = []
    """The lines that brought it, as they are."""
    is_complete: bool = False


class Response(msgspec.Struct):
    """One response as far as its lines have been read. `is_given`: its request event is out, and later lines cannot change it."""

    event: Event
    usage: Usage | None = None
    first_usage: Usage | None = None
    """As its first line has it: a late line may repeat that after the stream has told more."""
    was_streamed: bool = False
    """It had a message_start."""
    calls: set[tuple[str | None, int | None]] = set()
    streamed: dict[int, Streamed] = {}
    is_open: bool = False
    is_given: bool = False

    def add(self, usage: Usage | None) -> None:
        """Take up a line's usage: per field the larger figure. The lines of a response nearly always repeat the same."""
        if usage is not None and usage != self.usage:
            self.first_usage = self.first_usage or usage
            self.usage = usage if self.usage is None else merge(self.usage, usage)

    def finish(self, stop_reason: str | None, *, is_streamed: bool) -> None:
        """Its figures are final."""
        self.event.stop_reason = stop_reason or self.event.stop_reason
        self.event.is_final = True
        self.event.is_streamed = is_streamed

    def agrees(self, usage: Usage | None) -> bool:
        """Whether a line with this usage can be of this response: no input figure of the one contradicts the other's."""
        known = self.usage
        if usage is None or known is None or self.is_open or usage in (known, self.first_usage):
            return True
        return (
            _agree(known.input_tokens, usage.input_tokens)
            and _agree(known.cache_read_input_tokens, usage.cache_read_input_tokens)
            and _agree(known.cache_creation_input_tokens, usage.cache_creation_input_tokens)
        )

    def is_news(self, usage: Usage | None) -> bool:
        """Whether a line that came after the request was given out tells more than it."""
        if usage is None or usage == self.usage:
            return False
        return self.usage is None or merge(usage, self.usage) != self.usage


def _agree(ours: int | None, theirs: int | None) -> bool:
    """Zero and NULL are placeholders: they contradict nothing."""
    return not ours or not theirs or ours == theirs


class Responses:
    """The responses of one run: the one each agent is in, and all by message id, so that a late line finds its own."""

    def __init__(self) -> None:
        self._by_id: dict[str, Response] = {}
        self.current: dict[str | None, Response] = {}
        """The response that each agent is in; the main loop's under None."""

    def find(self, message_id: str | None, usage: Usage | None) -> Response | None:
        """The response that a line with this id and usage belongs to, if there is one."""
        response = self._by_id.get(message_id) if message_id else None
        return response if response is not None and response.agrees(usage) else None

    def enter(self, response: Response) -> Response | None:
        """The agent of this response is in it now; gives the response that it has left, if another."""
        event = response.event
        if event.message_id:
            self._by_id[event.message_id] = response
        left = self.current.get(event.agent_id)
        self.current[event.agent_id] = response
        return left if left is not response else None

    def leave_all(self) -> list[Response]:
        """End every response that an agent is in, in order of appearance."""
        left = list(self.current.values())
        self.current.clear()
        return left

    def events(self) -> list[Event]:
        """The requests that are not given out yet."""
        return [response.event for response in self.current.values()]


def later(one: dt.datetime | None, other: dt.datetime | None) -> dt.datetime | None:
    """The later of two times, either of which may be unknown."""
    return max(one, other) if one is not None and other is not None else one or other
