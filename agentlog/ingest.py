"""Paths → a new state of a store: plan, read in tasks, settle what stands, publish.

Only what is new or changed is read; ingesting the same again changes nothing. Everything happens under the store's lock and in a staged generation, so that
whatever ends an ingest before its publish leaves the store as it was. The whole of it is library code: a command line shows progress and the report.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import msgspec

from agentlog import store as stores
from agentlog.changes import Changes
from agentlog.errors import AgentlogError, PathError, StoreError
from agentlog.events import Source
from agentlog.harnesses import formats_of
from agentlog.parts import read_rows
from agentlog.plan import make_plan, share_out, wait_for_the_next_tick, workers_for
from agentlog.sources import check
from agentlog.tasks import read_task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agentlog.plan import Plan
    from agentlog.store import Staging
    from agentlog.tasks import Item, Task

LOCK_TIMEOUT: Final = 60.0

_PROBLEMS: Final = ("failed", "unsupported", "missing")


class Progress(Protocol):
    """What is told how far the reading has come; sizes are bytes of the files as they lie there."""

    def start(self, files: int, size: int) -> None:
        """So much is to be read."""

    def advance(self, files: int, size: int) -> None:
        """So much more has been read."""

    def finish(self) -> None:
        """There is no more to come, for whatever reason."""


class Problem(msgspec.Struct):
    """A source whose events are not in the store, or no longer of its file."""

    source_path: str
    status: str
    error: str | None


class IngestReport(msgspec.Struct, kw_only=True):
    """What one ingest did. Lines and events are those of the sources read by it that stand."""

    store: str
    files_found: int
    files_read: int
    new: int
    """Found files that the store did not know; with the next two and `failed` these are all that were found."""
    changed: int
    unchanged: int
    failed: int
    duplicate: int
    """Found files whose content stands under another path."""
    unsupported: int
    missing: int
    """Known sources below the paths that are there no more."""
    pruned: int
    lines: int
    events: int
    unreadable_lines: int
    repaired_lines: int
    unmodelled_events: int
    bytes_read: int
    seconds: float
    megabytes_per_second: float | None
    is_published: bool
    """Whether there is a new state; False where nothing had changed."""
    problems: list[Problem]


def ingest(
    paths: str | Path | Iterable[str | Path],
    store: str | os.PathLike[str] | None = None,
    *,
    jobs: int | None = None,
    force: bool = False,
    prune: bool = False,
    harness: str | None = None,
    lock_timeout: float = LOCK_TIMEOUT,
    progress: Progress | None = None,
) -> IngestReport:
    """Bring a store up to date with the files below the paths (`-` is standard input); the store is made where there is none.

    jobs: worker processes at most, by default one per core. force: read files again that have not changed. prune: drop sources that are there no more.
    harness: take every file for one of this harness. lock_timeout: seconds to wait for another ingest of the same store.

    Raises PathError for a path that does not exist and is not known, UnknownNameError for a harness of that kind, and StoreError where the store is locked,
    of another version, or cannot be written; then nothing is published. What is wrong with the files themselves is in the report.
    """
    began = time.perf_counter()
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    _check_arguments(paths, store, jobs, lock_timeout)
    if harness is not None:
        formats_of(harness)
    if not stores.exists(store):
        check(paths)
    with stores.Writer(store, timeout=lock_timeout) as writer:
        before = writer.present(force=force)
        known = {source.source_path: source for source in read_rows(map(Path, before.sources), Source)} if before else {}
        with writer.stage() as staging:
            plan = make_plan(paths, known, staging.path, force=force)
            changes = Changes(known, plan.found)
            for found in plan.refused:
                changes.refuse(found)
            pruned = sum(changes.lose(path, prune=prune) for path in plan.gone)
            _read(plan.to_read, changes, staging, _Reading(jobs or available_cores(), harness, progress or _NoProgress()))
            is_changed = before is None or changes.sources != known
            if is_changed:
                from agentlog.dataset import write_steps

                changes.arrange(staging, before)
                writer.publish(staging, [changes.sources[path] for path in sorted(changes.sources)], before, write_steps)
        if is_changed or writer.catalog() is None:
            _write_catalog(writer)
        return _report(writer.directory, plan, changes, pruned, began, is_published=is_changed)


def _check_arguments(paths: Sequence[object], store: object, jobs: object, lock_timeout: object) -> None:
    """Raise for what Python lets a caller give and nothing can be done with: TypeError for a wrong type, else an AgentlogError."""
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise TypeError(f"a path is {path!r}; it may be text or a Path")
        if "\0" in os.fsdecode(path):
            raise PathError(f"{path!r} cannot be a path: it holds a NUL")
    if isinstance(store, str | os.PathLike) and "\0" in os.fsdecode(store):
        raise StoreError(f"{store!r} cannot be the path of a store: it holds a NUL")
    if jobs is not None and (not isinstance(jobs, int) or isinstance(jobs, bool)):
        raise TypeError(f"jobs is {jobs!r}; it may be a whole number")
    if isinstance(jobs, int) and jobs < 1:
        raise AgentlogError(f"jobs is {jobs}; at least one process must read")
    if not isinstance(lock_timeout, int | float):
        raise TypeError(f"lock_timeout is {lock_timeout!r}; it may be a number of seconds")
    if not lock_timeout >= 0:  # nor NaN, which is never too long
        raise AgentlogError(f"lock_timeout is {lock_timeout}; it may be 0 or more seconds")


def _write_catalog(writer: stores.Writer) -> None:
    """Write the catalog for other programs, unless it is there already and made by the same views: that takes longer than a small ingest."""
    from agentlog.dataset import write_catalog
    from agentlog.dataset.definitions import fingerprint

    if writer.catalog() != fingerprint():
        write_catalog(writer.directory)
        writer.stamp_catalog(fingerprint())


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Reading(NamedTuple):
    """How files are read."""

    jobs: int
    harness: str | None
    progress: Progress


class _NoProgress:
    """Nobody watches."""

    def start(self, files: int, size: int) -> None:
        pass

    def advance(self, files: int, size: int) -> None:
        pass

    def finish(self) -> None:
        pass


def _read(items: Sequence[Item], changes: Changes, staging: Staging, reading: _Reading) -> None:
    """Read the files, and then those that must be read because others no longer stand, until all is settled."""
    wait_for_the_next_tick(items)
    reading.progress.start(len(items), sum(item.found.size or 0 for item in items))
    try:
        while True:
            for task, sources in _results(share_out(items, staging, reading.jobs, reading.harness), reading):
                for item, source in zip(task.items, sources, strict=True):
                    changes.take(item, source)
            items = changes.settle()
            if not items:
                break
    finally:
        reading.progress.finish()


def _results(made: list[Task], reading: _Reading) -> Iterator[tuple[Task, list[Source | None]]]:
    workers = workers_for(made, reading.jobs)
    if workers:
        from agentlog.workers import Workers

        with Workers(workers) as pool:
            yield from pool.run(made, reading.progress.advance)
    else:
        for task in made:
            yield task, read_task(task, reading.progress.advance)


def _report(directory: Path, plan: Plan, changes: Changes, pruned: int, began: float, *, is_published: bool) -> IngestReport:
    found = [changes.sources[path] for path in plan.found]
    read = [changes.sources[path] for path in changes.read]
    standing = [source for source in read if source.status == "ok"]
    missing = [changes.sources[path] for path in plan.gone if path in changes.sources]
    of_status = Counter(source.status for source in found)
    news = Counter(changes.news(source) for source in found if source.status != "failed")
    size = sum(source.source_bytes or 0 for source in read)
    seconds = time.perf_counter() - began
    return IngestReport(
        store=str(directory),
        files_found=len(found),
        files_read=len(read),
        new=news["new"],
        changed=news["changed"],
        unchanged=news["unchanged"],
        failed=of_status["failed"],
        duplicate=of_status["duplicate"],
        unsupported=of_status["unsupported"],
        missing=len(missing),
        pruned=pruned,
        lines=sum(source.lines or 0 for source in standing),
        events=sum(source.events or 0 for source in standing),
        unreadable_lines=sum(source.unreadable_lines or 0 for source in standing),
        repaired_lines=sum(source.repaired_lines or 0 for source in standing),
        unmodelled_events=sum(source.unmodelled_events or 0 for source in standing),
        bytes_read=size,
        seconds=seconds,
        megabytes_per_second=size / 1e6 / seconds if read else None,
        is_published=is_published,
        problems=[Problem(one.source_path, one.status, one.error) for one in (*found, *missing) if one.status in _PROBLEMS],
    )
