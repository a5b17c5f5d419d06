"""Content → elements: a file that as a whole is one JSON array, or pretty-printed JSON, gives its elements as its lines.

`is_document` tells such a file from JSON lines by its beginning; `elements` reads it with bounded memory. The elements before a cut are recovered, and
text between or after elements is given line by line, as elements of its own. Only brackets and strings are looked at: whether an element is JSON is
for the decoder to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEAD_BYTES: Final = 1 << 20
"""`is_document` must have made up its mind after this many bytes."""

_BLANK: Final = b" \t\r\n"
_CHUNK: Final = 1 << 20
_LOOKAHEAD: Final = 65_536
"""Blanks and scalars are judged with this much in sight."""

_BETWEEN: Final = re.compile(rb"[ \t\r\n,]*+")
_VALUE: Final = rb'(?:null|true|false|-?\d++(?:\.\d++)?(?:[eE][-+]?\d++)?|"(?:[^"\\\n]|\\.)*+")[ \t\r\n]*+[,\]]'
_ARRAY: Final = re.compile(rb"\[(?:[ \t\r\n]*+\[)*+[ \t\r\n]*+(?:[{\]]|" + _VALUE + rb")")
"""The beginning of an array of anything; a log line (`[debug] …`) has none."""
_ARRAY_CUT: Final = re.compile(rb'\[[\[ \t\r\n]*+(?:"(?:[^"\\\n]|\\.)*+(?:"|\\?\Z)|[-+.\w]*+)[ \t\r\n]*+\Z')
"""What may become one."""
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
"""A string, or the beginning of one that reaches the end of what is in sight."""
_BRACKET: Final = re.compile(rb'[^"{}\[\]]*+(?:' + _STRING + rb'[^"{}\[\]]*+)*+([{}\[\]])', re.DOTALL)
"""The next bracket outside of strings."""
_DEPTH: Final = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}

_SCALAR: Final = re.compile(rb'(?:"(?:[^"\\\n]|\\.)*+"|[-+.\w]++)(?=[ \t\r\n]*+(?:[,\]]|\Z))')
_MAX_DEPTH: Final = 10_000
"""No decoder follows brackets so deep."""
_NOWHERE: Final = -1
_MAX_BREAKS: Final = 16
"""After so many broken elements the rest is given line by line: each break costs a scan of all that is in sight."""


def is_document(head: bytes, *, is_whole: bool) -> bool | None:
    """Whether content that begins with `head` is a document and not JSON lines; None where more of it must be seen.

    A document begins with an array, or with a line that is only `{`. A first line that is a whole object or a log line (`[debug] …`) is none; neither is a
    line that is an array, with objects in the lines after it, or without any in itself.
    """
    body = head.lstrip(_BLANK)
    undecided = False if is_whole else None
    if not body:
        return undecided
    if body.startswith(b"{"):
        return _begins_object(body, undecided)
    if body.startswith(b"["):
        return _begins_array(body, undecided)
    return False


def _begins_object(body: bytes, undecided: bool | None) -> bool | None:  # noqa: FBT001
    line, _, rest = body.partition(b"\n")
    if line.rstrip(_BLANK) != b"{":
        return False
    key = rest.lstrip(_BLANK)[:1]
    return key in b'"}' if key else undecided


def _begins_array(body: bytes, undecided: bool | None) -> bool | None:  # noqa: FBT001
    if _ARRAY.match(body) is None:
        return undecided if _ARRAY_CUT.match(body) else False
    line, newline, rest = body.partition(b"\n")
    end = _element_end(line, 0)
    if end is None or end == _NOWHERE:
        return True if newline or undecided is False else None
    if line[end:].strip(_BLANK):
        return False
    after = rest.lstrip(_BLANK)[:1]
    if not after:
        return True if undecided is False else None
    return b"{" in line and after != b"{"


def elements(read: Callable[[int], bytes], offset: int, limit: int, whole_lengths: dict[int, int]) -> Iterator[tuple[int, int, bytes]]:
    """The elements of a document: (number from 1, offset in the content, bytes).

    `read` gives the content from `offset` on. An element longer than `limit` is given cut to `limit + 1` bytes, and its whole length noted under its number.
    """
    window = _Window(read, offset)
    number, in_array = 0, False
    while window.skip_blanks():
        if in_array and window.data.startswith(b"]", window.at):
            in_array = False
            window.move(1)
        elif not in_array and _ARRAY.match(window.data, window.at):
            in_array = True
            window.move(1)
        else:
            number += 1
            start = window.offset + window.at
            data, length = _next_element(window, limit, in_array=in_array)
            if length > limit:
                whole_lengths[number] = length
            yield number, start, data


def _next_element(window: _Window, limit: int, *, in_array: bool) -> tuple[bytes, int]:
    """The bytes of the element that begins here, cut where it is too long, and its whole length; the window moves behind it."""
    while True:
        data, at = window.data, window.at
        end = _line_end(data, at) if window.breaks > _MAX_BREAKS else _end(data, at, in_array=in_array)
        if end == _NOWHERE or (end is None and (window.is_whole or len(data) - at > limit)):
            return _broken_element(window, limit)
        if end is not None:
            window.move(end - at)
            return data[at : min(end, at + limit + 1)].rstrip(_BLANK), end - at
        window.fill()


def _end(data: bytes, at: int, *, in_array: bool) -> int | None:
    """Where the element that begins at `at` ends, as far as that is in sight."""
    if data.startswith((b"{", b"[") if in_array else b"{", at):
        return _element_end(data, at)
    if in_array and (scalar := _SCALAR.match(data, at)):
        return scalar.end()
    return _line_end(data, at)


def _line_end(data: bytes, at: int) -> int | None:
    newline = data.find(b"\n", at)
    return newline if newline >= 0 else None


def _element_end(data: bytes, at: int) -> int | None:
    """Where the bracket that opens at `at` is closed, as far as that is in sight."""
    depth = 0
    while bracket := _BRACKET.match(data, at):
        depth += _DEPTH[bracket[1]]
        at = bracket.end()
        if not depth:
            return at
        if depth > _MAX_DEPTH:
            return _NOWHERE
    return None


def _broken_element(window: _Window, limit: int) -> tuple[bytes, int]:
    """An element that is cut, or longer than `limit`: it ends before the next line that opens an object at the very indentation of its own.

    A writer that died in mid-element and began anew leaves this; nested objects are indented deeper. An element that begins no line ends with its line.
    """
    window.breaks += 1
    opening = b"\n" if window.indent is None else b"\n" + window.indent + b"{"
    while window.data.find(opening, window.at + 1) < 0 and not window.is_whole and len(window.data) - window.at <= limit:
        window.fill()
    element, start = window.data[window.at : window.at + limit + 1], window.offset + window.at
    window.move(1)
    while (end := window.data.find(opening, window.at)) < 0 and not window.is_whole:
        window.move(max(0, len(window.data) - window.at - len(opening)))
        window.fill()
    window.move((len(window.data) if end < 0 else end) - window.at)
    length = window.offset + window.at - start
    return element[:length].rstrip(_BLANK), length


class _Window:
    """What is in sight of the content: `data` begins at `offset` of it, and the scan stands at `data[at]`."""

    def __init__(self, read: Callable[[int], bytes], offset: int) -> None:
        self._read = read
        self.data, self.offset, self.at = b"", offset, 0
        self.is_whole = False
        """Nothing follows what is in sight."""
        self.indent: bytes | None = b""
        """The blanks between the beginning of the line and the element; None where something else stands there."""
        self.breaks = 0
        """Elements that were broken."""

    def move(self, count: int) -> None:
        self.at += count
        if count:
            self.indent = None

    def fill(self) -> None:
        """Bring more into sight, in proportion to what is open, so that a long element is not scanned over and over."""
        unread = self.data[self.at :]
        more = self._read(max(_CHUNK, len(unread) // 2))
        self.data, self.offset, self.at, self.is_whole = unread + more, self.offset + self.at, 0, not more

    def skip_blanks(self) -> bool:
        """Move to the next element; False at the end of the content."""
        while True:
            blanks = _BETWEEN.match(self.data, self.at)[0]  # type: ignore[index]  # it matches everywhere
            _, newline, indent = blanks.rpartition(b"\n")
            if newline or self.indent is not None:
                self.indent = None if b"," in indent else (b"" if newline else self.indent or b"") + indent
            self.at += len(blanks)
            if self.is_whole or len(self.data) - self.at >= _LOOKAHEAD:
                return self.at < len(self.data)
            self.fill()
