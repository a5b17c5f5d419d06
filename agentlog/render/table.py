"""Polars frame → a table for people, on a terminal or in Markdown.

Digits are never cut. Where a table is wider than the terminal its text columns are shortened first; where that is not enough it is printed in
blocks below one another, each beginning with the key columns; a column that alone is too wide goes past the edge. Without a width nothing is cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from agentlog.render import cells, escapes

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Sequence

    import polars as pl

NULL: Final = "–"
_GAP: Final = "  "
_MIN_TEXT_WIDTH: Final = 12
_STYLES: Final = {"head": "1", "rule": "2", "null": "2", "total": "1", "bad": "31", "doubtful": "33"}
_WORDS_THAT_MATTER: Final = {"error": "bad", "failed": "bad", "unreadable": "bad", "incomplete": "doubtful", "missing": "doubtful"}


@dataclass(frozen=True, slots=True)
class Column:
    """One column in words: `texts` holds a cell per row, None for NULL; `total` is its cell in the totals row, "" for none."""

    label: str
    texts: list[str | None]
    total: str | None
    is_figure: bool
    is_path: bool
    width: int

    @property
    def min_width(self) -> int:
        """The least width: figures are never cut, text can be, but not below the longest word of its heading."""
        return self.width if self.is_figure else min(self.width, max(_MIN_TEXT_WIDTH, _longest(self.label.split())))

    def heading(self) -> list[str]:
        """The label, broken at spaces to the column's width."""
        lines = [""]
        for word in self.label.split():
            joined = f"{lines[-1]} {word}".strip()
            lines[-1:] = [joined] if cell_len(joined) <= self.width or not lines[-1] else [lines[-1], word]
        return lines

    def cell(self, text: str, paint: Callable[[str], str]) -> str:
        """The text, shortened where needed, painted, and padded to the column's width."""
        fitted = text if self.is_figure else _shorten(text, self.width, at_start=self.is_path)
        padding = " " * (self.width - cell_len(fitted))
        return padding + paint(fitted) if self.is_figure else paint(fitted) + padding


def columns_of(frame: pl.DataFrame, totals: pl.DataFrame | None, keys: int, zone: dt.tzinfo) -> list[Column]:
    """The frame's columns in words. The totals row has the label `total` in the first key column and nothing in those that have no total."""
    return [
        _column(frame.get_column(name), totals, zone, label="total" if not at else "", is_key=at < keys)
        for at, name in enumerate(frame.columns)
    ]


def _column(series: pl.Series, totals: pl.DataFrame | None, zone: dt.tzinfo, *, label: str, is_key: bool) -> Column:
    has_total = totals is not None and not is_key and series.name in totals.columns
    whole = (
        series.to_frame().vstack(totals.select(series.name).cast({series.name: series.dtype})) if has_total and totals is not None else None
    )
    texts = cells.texts(series if whole is None else whole.get_column(series.name), zone)
    total = texts.pop() if has_total else label
    heading = escapes.visible(series.name.removeprefix("is_").replace("_", " "))
    is_figure = cells.is_figure(series)
    shown = [NULL if text is None else text for text in texts] + ([NULL if total is None else total] if totals is not None else [])
    return Column(
        heading, texts, total, is_figure, series.name.endswith("_path") or series.name == "project", _longest([*heading.split(), *shown])
    )


def lines(columns: Sequence[Column], *, keys: int, width: int | None, has_totals: bool, is_coloured: bool) -> Iterator[str]:
    """The table, line by line."""
    for number, block in enumerate(_blocks(columns, keys, width)):
        if number:
            yield ""
        yield from _block_lines(_fitted(block, width), has_totals=has_totals, is_coloured=is_coloured)


def markdown_lines(columns: Sequence[Column], *, has_totals: bool) -> Iterator[str]:
    """The same cells as a Markdown table, never shortened."""

    def row(texts: Sequence[str]) -> str:
        return f"| {' | '.join(texts)} |"

    yield row([escapes.markdown(column.label) for column in columns])
    yield row(["---:" if column.is_figure else "---" for column in columns])
    for at in range(len(columns[0].texts) if columns else 0):
        yield row([NULL if (text := column.texts[at]) is None else escapes.markdown(text) for column in columns])
    if has_totals:
        yield row([NULL if column.total is None else f"**{escapes.markdown(column.total)}**" if column.total else "" for column in columns])


def _blocks(columns: Sequence[Column], keys: int, width: int | None) -> Iterator[list[Column]]:
    """The columns in as many blocks as the width needs, each with the key columns in front."""
    block = list(columns[:keys])
    for column in columns[keys:]:
        if width is not None and len(block) > keys and _total_width([*block, column], least=True) > width:
            yield block
            block = list(columns[:keys])
        block.append(column)
    yield block


def _fitted(block: Sequence[Column], width: int | None) -> list[Column]:
    """The block's columns, the widest texts narrowed one by one until the block fits or no text can give more."""
    if width is None:
        return list(block)
    fitted = [column if column.is_figure else replace(column, width=min(column.width, max(width, column.min_width))) for column in block]
    while _total_width(fitted) > width:
        at = max(range(len(fitted)), key=lambda at: fitted[at].width if fitted[at].width > fitted[at].min_width else -1)
        if fitted[at].width <= fitted[at].min_width:
            break
        fitted[at] = replace(fitted[at], width=fitted[at].width - 1)
    return fitted


def _block_lines(block: Sequence[Column], *, has_totals: bool, is_coloured: bool) -> Iterator[str]:
    def paint(style: str | None, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if is_coloured and style and text else text

    def line(texts: Sequence[str | None], style: str | None = None) -> str:
        parts = []
        for column, text in zip(block, texts, strict=True):
            own = style or ("null" if text is None else _WORDS_THAT_MATTER.get(text))
            parts.append(column.cell(NULL if text is None else text, partial(paint, own)))
        return _GAP.join(parts).rstrip()

    headings = [column.heading() for column in block]
    height = max(map(len, headings), default=0)
    for at in range(height):
        yield line([heading[at - height] if at >= height - len(heading) else "" for heading in headings], "head")
    rule = paint("rule", "─" * _total_width(block))
    yield rule
    for texts in zip(*(column.texts for column in block), strict=True):
        yield line(texts)
    if has_totals:
        yield rule
        yield line([column.total for column in block], "total")


def _total_width(block: Sequence[Column], *, least: bool = False) -> int:
    return sum(column.min_width if least else column.width for column in block) + len(_GAP) * (len(block) - 1)


def _longest(texts: Sequence[str]) -> int:
    return max(map(cell_len, texts), default=0)


def _shorten(text: str, width: int, *, at_start: bool) -> str:
    """The text in `width` cells: without its start where the end tells more (a path's file name), else without its middle."""
    if cell_len(text) <= width:
        return text
    head = "" if at_start else _within(text, (width - 1) // 2)
    tail = _within(text[::-1], width - 1 - cell_len(head))[::-1]
    return f"{head}…{tail}"


def _within(text: str, width: int) -> str:
    """The longest start of the text in at most `width` cells."""
    used = 0
    for at, char in enumerate(text):
        used += cell_len(char)
        if used > width:
            return text[:at]
    return text
