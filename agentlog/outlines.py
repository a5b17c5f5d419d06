"""Line → the outlines of its records, as evidence for a format: cheap, and of damaged lines too.

Knows JSON, no harness, and reports nothing: what is wrong with a line is told when it is read.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from agentlog.repair import repair
from agentlog.sources import MAX_LINE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_shallow = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def outlines(data: bytes) -> Iterator[dict[str, Any]]:
    """The outlines of a line's JSON objects, one after another, as far as they can be decoded."""
    if len(data) > MAX_LINE_BYTES or not data.strip():
        return
    try:
        yield _outline(data)
    except (msgspec.DecodeError, RecursionError):
        with suppress(msgspec.DecodeError, RecursionError):
            yield from map(_outline, repair(data).records)


def _outline(data: bytes | msgspec.Raw, depth: int = 2) -> dict[str, Any]:
    """A JSON object without its depths, which cost time and decide nothing: two levels of objects below it, of the last only the keys; of arrays nothing."""
    if not depth:
        return dict.fromkeys(_shallow(data))
    outline: dict[str, Any] = {}
    for key, value in _shallow(data).items():
        begin = bytes(memoryview(value)[:1])
        outline[key] = _outline(value, depth - 1) if begin == b"{" else [] if begin == b"[" else msgspec.json.decode(value)
    return outline
