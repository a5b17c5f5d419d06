"""Paths and what the store knows → what an ingest has to do: which files to read, and which sources are gone.

A file whose size, modification and change time are those that were noted is not read. Nothing here opens a file, but standard input is copied.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from agentlog.duplicates import can_be_read
from agentlog.durable import cannot_write
from agentlog.errors import PathError
from agentlog.sources import STANDARD_INPUT, Found, find, shown, spool
from agentlog.tasks import Item, Task

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from agentlog.events import Source
    from agentlog.store import Staging

_TASK_BYTES: Final = 48 << 20
"""Gives a part of about one row group."""
_PARALLEL_BYTES: Final = 100_000_000
"""Worker processes pay above so many bytes of files to read: they take a while to start."""
_TICK_NS: Final = 20_000_000
"""Two changes of a file within a tick of the clock that stamps files may bear the same time."""


class Plan(msgspec.Struct):
    """What one ingest has before it; everything by `source_path`."""

    found: dict[str, Found]
    to_read: list[Item]
    refused: list[Found]
    """Entries that cannot be opened."""
    gone: list[str]
    """Known sources below the paths that were not found."""


def make_plan(paths: Sequence[str | Path], known: Mapping[str, Source], folder: Path, *, force: bool) -> Plan:
    """Look at the paths. Standard input is copied into `folder`; with `force` every file is to be read.

    Raises PathError for a path that does not exist and of which the store knows nothing.
    """
    roots = {shown(os.path.abspath(path)): path for path in paths if os.fspath(path) != STANDARD_INPUT}  # noqa: PTH100
    lost = {root for root, path in roots.items() if not os.path.lexists(path) and any(_is_below(one, {root}) for one in known)}
    present = [path for path in paths if shown(os.path.abspath(path)) not in lost]  # noqa: PTH100
    found = {}
    for one in find(present):
        taken = _standard_input(folder / "standard-input") if one.file == STANDARD_INPUT else one
        found[taken.source_path] = taken
    refused = [one for one in found.values() if one.error is not None]
    closed = {one.source_path for one in refused}
    return Plan(
        found=found,
        to_read=[
            _item(one, None if force else known.get(path))
            for path, one in found.items()
            if one.error is None and (force or _has_changed(one, known.get(path)))
        ],
        refused=refused,
        gone=[
            path
            for path in known
            if path not in found
            and _is_below(path, roots)
            and not _is_below(path, closed)
            and not Path(path).is_file()  # seen through a link
        ],
    )


def share_out(items: Sequence[Item], staging: Staging, jobs: int, harness: str | None) -> list[Task]:
    """The files in tasks of about the same size, the largest first; neighbours stay together."""
    total = sum(item.found.size or 0 for item in items)
    count = -(-total // _TASK_BYTES)
    target = total / max(1, -(-count // jobs) * jobs)
    made = [Task(some, staging.path, staging.new_part(), harness) for some in _shared_out(items, target)]
    return sorted(made, key=lambda task: -task.bytes)


def workers_for(made: Sequence[Task], jobs: int) -> int:
    """How many worker processes the tasks are worth; 0 if they are better done in this one."""
    workers = min(jobs, len(made))
    return workers if workers > 1 and sum(task.bytes for task in made) > _PARALLEL_BYTES else 0


def wait_for_the_next_tick(items: Sequence[Item]) -> None:
    """Wait, if some file was changed this very moment, until a change after it is read would show."""
    newest = max((item.found.changed_ns or 0 for item in items), default=0)
    wait = newest + _TICK_NS - time.time_ns()
    if 0 < wait <= _TICK_NS:
        time.sleep(wait / 1e9)


def look_again(source: Source, found: Mapping[str, Found]) -> Found | None:
    """The file of a known source, which need not be below the paths; None where it is there no more."""
    one = found.get(source.source_path)
    if one is not None or not can_be_read(source):
        return one
    try:
        status = Path(source.source_path).stat()
    except OSError:
        return None
    return Found(source.source_path, source.source_path, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _standard_input(copy: Path) -> Found:
    if sys.stdin is None:
        raise PathError("-: standard input is closed")
    try:
        return spool(sys.stdin.buffer, str(copy))
    except OSError as error:
        raise cannot_write(copy, error) from error


def _shared_out(items: Sequence[Item], target: float) -> Iterator[list[Item]]:
    some: list[Item] = []
    size = 0
    for item in items:
        some.append(item)
        size += item.found.size or 0
        if size >= target:
            yield some
            some, size = [], 0
    if some:
        yield some


def _has_changed(found: Found, known: Source | None) -> bool:
    if known is None or known.status in ("missing", "failed"):
        return True
    if found.modified_ns is None:
        return False  # standard input is found again by its content
    return (found.size, found.modified_ns, found.changed_ns) != (known.source_bytes, known.modified_ns, known.changed_ns)


def _item(found: Found, known: Source | None) -> Item:
    is_comparable = known is not None and known.source_bytes == found.size
    return Item(found, known.content_hash if known is not None and is_comparable else None)


def _is_below(path: str, roots: Collection[str]) -> bool:
    """Whether a path is one of the roots, or lies below one."""
    while path not in roots:
        path, slash, _ = path.rpartition("/")
        if not slash:
            return False
        path = path or "/"
        if path == "/":
            return "/" in roots
    return True
