"""A task of sources → one part: what a worker does, in this process or in another.

Event data goes into the part's files; only `Source` rows and counts come back. A source that cannot be opened or read becomes a `failed` row and the task goes
on; that the part cannot be written ends it. This module knows neither the store's state nor which sources stand.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, NamedTuple

from agentlog.content import digest
from agentlog.decode import EMIT_BYTES, decode_source
from agentlog.events import Source
from agentlog.parts import PartWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agentlog.events import Event, Unreadable
    from agentlog.sources import Found

    Report = Callable[[int, int], None]
    """Told how many files and bytes were read since the last call."""

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


class Item(NamedTuple):
    """One source to read."""

    found: Found
    known_hash: str | None = None
    """Hash of the content that the store holds: where it is still the same, the source need not be decoded."""


class Task(NamedTuple):
    """Sources that go into one part."""

    items: Sequence[Item]
    folder: Path
    part: str
    harness: str | None = None

    @property
    def bytes(self) -> int:
        """Size of the files together."""
        return sum(item.found.size or 0 for item in self.items)


def read_task(task: Task, report: Report) -> list[Source | None]:
    """Read the sources of a task into its part. Gives a `Source` row for each, or None where the content is the known one."""
    with PartWriter(task.folder, task.part) as part:
        return [_read(item, part, task.harness, report) for item in task.items]


def stamped(source: Source, found: Found) -> Source:
    """A source row with the figures of its file and the time of this reading."""
    source.source_bytes, source.modified_ns, source.changed_ns = found.size, found.modified_ns, found.changed_ns
    source.modified_at = None if found.modified_ns is None else _EPOCH + dt.timedelta(microseconds=found.modified_ns // 1_000)
    source.ingested_at = dt.datetime.now(dt.UTC)
    return source


def _read(item: Item, part: PartWriter, harness: str | None, report: Report) -> Source | None:
    found = item.found
    left = found.size or 0
    rows = part.rows

    def emit(events: list[Event], unreadable: list[Unreadable]) -> None:
        nonlocal left
        part.add(events, unreadable)
        step = min(EMIT_BYTES, left)
        left -= step
        report(0, step)

    try:
        if item.known_hash is not None and digest(found.file) == item.known_hash:
            return None
        source = decode_source(found, emit, harness=harness)
    except OSError as error:
        source = Source(source_path=found.source_path, status="failed", error=error.strerror or str(error))
    finally:
        report(1, left)
    source.part = part.name if part.rows > rows else None
    return stamped(source, found)
