"""Sources → which of them stand: content counts once, however often, under whatever names and however packed it is archived.

A source is a duplicate of another with the same content, or of a longer one of the same session that begins with it. Which of several stands does not depend
on the order in which they came: of equals the smallest path, of one that continues the other the longer. Only a source that cannot be read again and holds its
rows goes before its equals. This module decides; it reads nothing but what it must compare, and changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from agentlog.content import prefix_digests
from agentlog.sources import STANDARD_INPUT_PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agentlog.events import Source
    from agentlog.sources import Found


def originals(sources: Mapping[str, Source], files: Mapping[str, Found], before: Mapping[str, Source]) -> dict[str, str]:
    """Path of each duplicate → path of the source that stands for it.

    `files` are those that were found by this ingest, `before` is what an earlier one decided: it is not worked out again for content that is the same.
    """
    by_content = defaultdict(list)
    for source in sources.values():
        if source.content_hash and source.content_bytes and source.status != "unsupported":
            by_content[source.content_hash].append(source)
    first = {content: min(equal, key=_rank) for content, equal in by_content.items()}
    longer = _continued(first.values(), files, before)
    found = {}
    for content, equal in by_content.items():
        original = longer.get(content, first[content].source_path)
        found.update({source.source_path: original for source in equal if source.source_path != original})
    return found


def can_be_read(source: Source) -> bool:
    """Whether the source, as far as is known, is still where it was found."""
    return source.status not in ("missing", "failed") and not source.source_path.startswith(STANDARD_INPUT_PREFIX)


def _rank(source: Source) -> tuple[int, str]:
    if can_be_read(source):
        return 1, source.source_path
    return (2 if source.duplicate_of else 0), source.source_path


def _continued(sources: Iterable[Source], files: Mapping[str, Found], before: Mapping[str, Source]) -> dict[str, str]:
    """Content hash of each source that is the beginning of a longer one → path of the longest such."""
    alike = defaultdict(list)  # a source and its beginning begin with the same line, of the same run
    for source in sources:
        if source.runs:
            alike[source.head_hash, source.runs[0].run_id].append(source)
    found: dict[str, str] = {}
    for group in alike.values():
        group.sort(key=lambda source: (-_length(source), source.source_path))
        for at, longer in enumerate(group):
            shorter = [one for one in group[at + 1 :] if one.content_hash not in found and _is_of_the_same_session(one, longer)]
            for one in _beginnings(longer, shorter, files, before):
                found[str(one.content_hash)] = found.get(str(longer.content_hash), longer.source_path)
    return found


def _is_of_the_same_session(shorter: Source, longer: Source) -> bool:
    return _length(shorter) < _length(longer) and _runs(shorter) <= _runs(longer)


def _beginnings(longer: Source, shorter: list[Source], files: Mapping[str, Found], before: Mapping[str, Source]) -> list[Source]:
    """Those of the shorter sources with whose content the longer one begins."""
    known = {one.source_path: _known(longer, one, before) for one in shorter}
    asked = [one for one in shorter if known[one.source_path] is None]
    hashes: dict[int, str] = {}
    found = files.get(longer.source_path)
    if asked and (found or can_be_read(longer)):
        with suppress(OSError):  # it went, or was locked, since it was read: the next ingest sees to it
            hashes = prefix_digests(found.file if found else longer.source_path, {_length(one) for one in asked})
    return [one for one in shorter if known[one.source_path] or hashes.get(_length(one)) == one.content_hash]


def _known(longer: Source, shorter: Source, before: Mapping[str, Source]) -> bool | None:
    """What was found out about the two contents by an earlier ingest, if anything."""
    then, then_longer = before.get(shorter.source_path), before.get(longer.source_path)
    if then is None or then_longer is None:
        return None
    if (then.content_hash, then_longer.content_hash) != (shorter.content_hash, longer.content_hash):
        return None
    if then.duplicate_of == longer.source_path:
        return True
    return False if then.status == then_longer.status == "ok" else None


def _length(source: Source) -> int:
    return source.content_bytes or 0


def _runs(source: Source) -> set[str]:
    return {run.run_id for run in source.runs or ()}
