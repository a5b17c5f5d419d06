"""Sources as the store knows them + what was read → sources of the next state, and the parts they lie in.

Rows are replaced, dropped and kept here, by source and part; no row of `events` is looked at. A source that can no longer be read keeps the rows it has.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from agentlog.duplicates import originals
from agentlog.events import Source
from agentlog.parts import PART_TABLES, rewrite
from agentlog.plan import look_again
from agentlog.tasks import Item, stamped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agentlog.sources import Found
    from agentlog.store import Generation, Staging

_SMALL_BYTES: Final = 2 << 20
"""Less than what a whole task gives, so that a large ingest leaves nothing to merge."""
_MANY_SMALL: Final = 32
_MERGED_BYTES: Final = 32 << 20


class Changes:
    """The sources of the next state, by path, while an ingest goes on. `known` is the state before and stays as it is."""

    def __init__(self, known: Mapping[str, Source], found: Mapping[str, Found]) -> None:
        self.known, self._found = known, found
        self.sources = dict(known)
        self.read: set[str] = set()
        """Paths of the sources whose files were read to the end."""
        self._dropped: dict[str, set[str]] = defaultdict(set)
        """Part → sources whose rows must go from it."""
        self._asked: set[str] = set()

    def refuse(self, found: Found) -> None:
        """Note an entry that cannot be opened."""
        self._fail(stamped(Source(source_path=found.source_path, status="failed", error=found.error), found))

    def take(self, item: Item, source: Source | None) -> None:
        """Note what reading a file gave: its new source row, or None where the content is still the known one."""
        path = item.found.source_path
        if source is not None and source.status == "failed":
            self._drop_rows(source)  # those it gave before it failed
            self._fail(replace(source, part=None))
            return
        self.read.add(path)
        if source is None:
            self._restamp(self.sources[path], item.found)
            return
        if path in self.sources:
            self._drop_rows(self.sources[path])
        self.sources[path] = source

    def lose(self, path: str, *, prune: bool) -> bool:
        """Note that a source is there no more; with `prune` it goes with its rows. Gives whether it went."""
        source = self.sources[path]
        was_never_read = source.status == "failed" and source.content_hash is None
        if prune or was_never_read:
            self._drop_rows(source)
            del self.sources[path]
            return not was_never_read
        if source.status != "missing":
            self.sources[path] = replace(source, status="missing", error=None)
        return False

    def settle(self) -> list[Item]:
        """Decide which sources stand, and drop the rows of the others. Gives those that stand from now on, and must be read for that."""
        original = originals(self.sources, self._found, self.known)
        again = []
        for path, source in list(self.sources.items()):
            if path in original:
                self._drop_rows(source)
                self.sources[path] = _duplicate(source, original[path])
            elif source.duplicate_of is not None:
                found = look_again(source, self._found)
                if found is None or path in self._asked:
                    self.sources[path] = _orphan(source)
                else:
                    self._asked.add(path)
                    again.append(Item(found))
        return again

    def news(self, source: Source) -> str:
        """What became of a source: `new`, `changed` (its content is another one) or `unchanged`."""
        old = self.known.get(source.source_path)
        if old is None:
            return "new"
        is_same = source.content_hash == old.content_hash and (source.content_hash is not None or source.source_path not in self.read)
        return "unchanged" if is_same else "changed"

    def arrange(self, staging: Staging, before: Generation | None) -> None:
        """Write the parts anew from which rows must go, and merge small ones, so that each source lies in one part whole and nothing else does."""
        for part, paths in self._dropped.items():
            if any(source.part == part for source in self.sources.values()):
                self._rewrite([_lies(part, staging, before)], staging, paths)
        for some in self._small_parts(staging, before):
            self._rewrite(some, staging, ())

    def _rewrite(self, parts: list[Path], staging: Staging, drop: Iterable[str]) -> None:
        name = staging.new_part()
        rewrite(parts, staging.path, name, set(drop))
        olds = {part.name for part in parts}
        for path, source in self.sources.items():
            if source.part in olds:
                self.sources[path] = replace(source, part=name)

    def _small_parts(self, staging: Staging, before: Generation | None) -> list[list[Path]]:
        """Groups of small parts to merge, once there are many of them."""
        parts = sorted({source.part for source in self.sources.values() if source.part is not None})
        sizes = {part: _size(part) for part in (_lies(name, staging, before) for name in parts)}
        small = {part: size for part, size in sizes.items() if size < _SMALL_BYTES}
        if len(small) <= _MANY_SMALL:
            return []
        groups: list[list[Path]] = [[]]
        room = _MERGED_BYTES
        for part, size in small.items():
            if size > room:
                groups.append([])
                room = _MERGED_BYTES
            groups[-1].append(part)
            room -= size
        return groups

    def _drop_rows(self, source: Source) -> None:
        if source.part is not None:
            self._dropped[source.part].add(source.source_path)

    def _fail(self, source: Source) -> None:
        """A source that cannot be read keeps what an earlier reading gave."""
        old = self.sources.get(source.source_path)
        if old is not None and old.content_hash is not None:
            self.sources[source.source_path] = replace(old, status="failed", error=source.error)
        elif old is None or replace(source, ingested_at=old.ingested_at) != old:
            self.sources[source.source_path] = source

    def _restamp(self, source: Source, found: Found) -> None:
        """The same content under another time: only what is noted of the file is new."""
        at = source.ingested_at
        same = stamped(replace(source), found)
        if source.status in ("missing", "failed"):
            same = replace(same, status="ok" if source.duplicate_of is None else "duplicate", error=None)
        self.sources[found.source_path] = replace(same, ingested_at=at)


def _duplicate(source: Source, original: str) -> Source:
    """The row of a source whose content stands under another path."""
    status = source.status if source.status in ("missing", "failed") else "duplicate"
    error = source.error if status == "failed" else f"the same content stands under {original}"
    return replace(source, status=status, error=error, duplicate_of=original, part=None)


def _orphan(source: Source) -> Source:
    """The row of a duplicate whose original has changed or gone, and that cannot be read any more: nothing of it is left."""
    status = "missing" if source.status == "missing" else "failed"
    return Source(source_path=source.source_path, status=status, error=f"its content stood under {source.duplicate_of}, which has changed")


def _lies(part: str, staging: Staging, before: Generation | None) -> Path:
    """Where a part is: staged, or in the state before. Given as folder of the generation / name."""
    staged = any((staging.path / table / part).exists() for table in PART_TABLES)
    return (staging.path if staged or before is None else before.path) / part


def _size(part: Path) -> int:
    return sum(file.stat().st_size for table in PART_TABLES if (file := part.parent / table / part.name).exists())
