"""Damaged text → the whole JSON objects in it, whatever stands between them: one pass, however many braces the text holds.

Knows JSON and bytes, no harness and no damage of the objects themselves: control characters must be blanks, and nesting bounded, before it looks. Where
an object breaks, the next one is looked for at the break, so that nothing is scanned over and over.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    Span = tuple[int, int]
    IsRecord = Callable[[int, int, "Setting"], bool]

_OPENING = re.compile(rb'\{[ ]*+"')
_PLACE = re.compile(r"\(byte (\d+)\)$")
_STRING_OR_BRACE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}]', re.DOTALL)
_GOES_ON = (b",", b"}", b"]")
"""What follows a value inside of an object or array."""

_skip = msgspec.json.Decoder(msgspec.Raw).decode


class Setting(Enum):
    """What stands before an object."""

    ALONE = auto()
    """Nothing but whole objects and blanks."""
    TEXT = auto()
    """Other text, too: the object may be a quotation in it."""
    TEAR = auto()
    """An object that breaks off: this one may be a part of it."""


def salvage(text: bytes, is_record: IsRecord) -> tuple[list[Span], list[Span]]:
    """The places (begin, end) of the records, and of the objects that break off, each up to the next record.

    `is_record` is asked for every whole object that no other holds, in order. Raises `RecursionError` where the text nests too deeply.
    """
    scan = _Scan(text, is_record)
    scan.run()
    return scan.records, scan.torn


class _Scan:
    def __init__(self, text: bytes, is_record: IsRecord) -> None:
        self.text, self.view = text, memoryview(text)
        self.is_record = is_record
        self.records: list[Span] = []
        self.torn: list[Span] = []
        self.tear: int | None = None
        """Where the object begins that broke off, until a record follows it."""
        self.broken_at = 0
        """Where it broke."""
        self.is_alone = True

    def run(self) -> None:
        at = 0
        while (opening := _OPENING.search(self.text, at)) is not None:
            begin = opening.start()
            self.is_alone = self.is_alone and not self.text[at:begin].strip()
            place, is_whole = _extent(self.view, begin)
            at = self._offer(begin, place) if is_whole else self._break(begin, place)
        if self.tear is not None:
            self.torn.append((self.tear, len(self.text)))

    def _offer(self, begin: int, place: int) -> int:
        """A whole object, and the blanks behind it. Gives the place from which to go on."""
        if self.tear is None:
            setting = Setting.ALONE if self.is_alone else Setting.TEXT
        elif place <= self.broken_at:
            return self.broken_at  # it is a part of the one that broke behind it
        elif begin > self.broken_at and self.text[place : place + 1] in _GOES_ON:
            return place  # it is a part of one that has a fault before it and goes on
        else:
            setting = Setting.TEAR
        end = begin + len(self.text[begin:place].rstrip())
        if self.is_record(begin, end, setting):
            self._take(begin, end)
        else:
            self.is_alone = False
        return place

    def _take(self, begin: int, end: int) -> None:
        self.records.append((begin, end))
        if self.tear is not None:
            self.torn.append((self.tear, begin))
            self.tear = None

    def _break(self, begin: int, place: int) -> int:
        """An object that breaks off at a place. Gives the place from which to go on.

        If a record was written over its end, that record begins at the last brace before the break: in mid-string the string ends with the record's first
        quote, which nothing can follow. Only where a value was due, the record stands for it, and the break comes after.
        """
        if self.tear is not None and place <= self.broken_at:
            return max(self.broken_at, begin + 1)  # a part of the one that broke
        if self.tear is not None:
            self.torn.append((self.tear, begin))
        self.tear, self.broken_at, self.is_alone = begin, place, False
        inner = _object_before(self.text, begin, place)
        if inner is not None and self.is_record(*inner, Setting.TEAR):
            self._take(*inner)
            return place
        brace = self.text.rfind(b"{", begin + 1, place + 1)
        return brace if brace > begin and _OPENING.match(self.text, brace) else max(place, begin + 1)


def _extent(view: memoryview, begin: int) -> tuple[int, bool]:
    """Where the value ends that begins here (blanks behind it included), or where it breaks; and whether it is whole."""
    try:
        _skip(view[begin:])
    except msgspec.DecodeError as error:
        place = _PLACE.search(str(error))
        if place is None:
            return len(view), False
        is_whole = "trailing characters" in str(error)
        return begin + int(place[1]) - is_whole, is_whole  # msgspec counts what trails from 1, all else from 0
    return len(view), True


def _object_before(text: bytes, begin: int, place: int) -> Span | None:
    """The object that ends at a break, inside of the one that begins at `begin`."""
    end = begin + len(text[begin:place].rstrip())
    if text[end - 1 : end] != b"}":
        return None
    open_braces: list[int] = []
    last = begin
    for token in _STRING_OR_BRACE.finditer(text, begin, end):
        if token[0] == b"{":
            open_braces.append(token.start())
        elif token[0] == b"}":
            last = open_braces.pop() if open_braces else begin
    return (last, end) if last > begin else None
