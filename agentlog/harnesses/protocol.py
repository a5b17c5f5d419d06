"""The interface of a harness: what an adapter gives, and what it must not do."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentlog.events import Event
    from agentlog.runs import Run


class Fault(NamedTuple):
    """What is wrong with a record: a reason of `events.UNREADABLE_REASONS`, or of `events.REPAIRED_REASONS` where `is_repaired`."""

    reason: str
    detail: str
    native_type: str | None = None
    is_repaired: bool = False


class Reader(Protocol):
    """One source of one format being read."""

    events: list[Event]
    """The events not taken yet; whoever takes them clears the list."""
    run: Run | None
    """The run of the record read last."""

    def read(self, line_no: int, data: bytes) -> Fault | None:
        """Read one JSON object; raises `msgspec.DecodeError` or `RecursionError`, having done nothing, where it cannot be decoded."""

    def knows(self, data: bytes, *, is_torn: bool) -> bool:
        """Whether this JSON object is of a type that the format has; where it was found behind a torn one, it must be no part of such a record."""

    def settle(self) -> None:
        """Stop waiting for a session id."""

    def close(self) -> None:
        """The source has ended."""


class Evidence(IntEnum):
    """How sure a format is that a source is its own, from the records seen so far."""

    NONE = 0
    LIKELY = 1
    CERTAIN = 2
    """A record that no other program writes: no further one need be looked at."""


class Format(NamedTuple):
    """A format of a harness: its names, the evidence for it, and its reader."""

    harness: str
    name: str
    claims: Callable[[Sequence[dict[str, Any]]], Evidence]
    reader: Callable[[str], Reader]
