"""Bytes → events without a store: for programs that want the events of one stream, as they come.

The same decoder as in `ingest`, so the same bytes give the same events.
"""

from __future__ import annotations

from io import TextIOBase
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO

from agentlog.decode import Decoder
from agentlog.errors import AgentlogError
from agentlog.sources import open_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agentlog.events import Event, Unreadable

    Stream = str | PathLike[str] | BinaryIO | Iterable[bytes | str]


def read_events(
    stream: Stream, *, harness: str | None = None, on_unreadable: Callable[[Unreadable], object] | None = None
) -> Iterator[Event]:
    """The events of one stream, lazily: a path or a binary file (gzip and zstd too), or an iterable of lines.

    Grain: one `Event` per normalized event, in the order in which they became certain: a `request` comes when its response has ended, with the line
    number of its first line. Lines that cannot be read, and those that were repaired, go to `on_unreadable` and never end the stream.
    Raises `AgentlogError` where the stream is of no format that agentlog reads, `OSError` where it cannot be read.
    """
    name = str(getattr(stream, "name", "")) if not isinstance(stream, str | PathLike) else str(stream)
    decoder = Decoder(name, harness)
    for line_no, offset, data in _lines(stream):
        decoder.feed(line_no, offset, (data,))
        if decoder.refusal is not None:
            break
        yield from _taken(decoder, on_unreadable, everything=False)
    decoder.close()
    if decoder.refusal is not None:
        raise AgentlogError(f"{name or 'stream'}: {decoder.refusal}")
    yield from _taken(decoder, on_unreadable, everything=True)


def _taken(decoder: Decoder, on_unreadable: Callable[[Unreadable], object] | None, *, everything: bool) -> list[Event]:
    events, unreadable = decoder.take(everything=everything)
    if on_unreadable is not None:
        for row in unreadable:
            on_unreadable(row)
    return events


def _lines(stream: Stream) -> Iterable[tuple[int, int, bytes]]:
    if isinstance(stream, str | PathLike) or (hasattr(stream, "read") and not isinstance(stream, TextIOBase)):
        return open_lines(stream)  # type: ignore[arg-type]  # what reads and is no text is a binary file
    return _numbered(stream)


def _numbered(lines: Iterable[bytes | str]) -> Iterator[tuple[int, int, bytes]]:
    offset = 0
    for line_no, line in enumerate(lines, 1):
        data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        yield line_no, offset, data.removesuffix(b"\n")
        offset += len(data)
