"""Polars frame → a table for people, on a terminal or in Markdown.

Digits and times are never cut. Where a table is wider than the terminal its texts are shortened first; where that is not enough it is printed in
blocks below one another, each beginning with the key columns; a column that alone is too wide goes past the edge. Prose is broken into lines instead
of being shortened. Without a width nothing is cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from agentlog.render import cells, escapes

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterator, Sequence

    import polars as pl

NULL: Final = "–"
_GAP: Final = "  "
_LEAST_TEXT_WIDTH: Final = 16
"""No text is shortened to less."""

_FAIR_TEXT_WIDTH: Final = 20
"""What a text has room for, key columns left out, before another block is begun."""

_STYLES: Final = {"head": "1", "rule": "2", "null": "2", "total": "1", "bad": "31", "doubtful": "33"}
_WORDS_THAT_MATTER: Final = {"error": "bad", "failed": "bad", "unreadable": "bad", "incomplete": "doubtful", "missing": "doubtful"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column in words: `texts` holds a cell per row, None for NULL; `total` is its cell in the totals row, "" for none."""

    label: str
    texts: list[str | None]
    total: str | None
    is_right: bool
    is_cuttable: bool
    is_path: bool
    is_prose: bool
    width: int

    def at_least(self, text_width: int) -> int:
        """The least width, with `text_width` cells for a text that can be cut, and room for the longest word of the heading."""
        return min(self.width, max(text_width, _longest(self.label.split()))) if self.is_cuttable else self.width

    def heading(self) -> list[str]:
        """The label, broken at spaces to the column's width."""
        return _broken(self.label, self.width)

    def lines(self, text: str | None) -> Sequence[str | None]:
        """A row's text in as many lines as it takes."""
        return _broken(text, self.width) if text is not None and self.is_prose else [text]

    def cell(self, text: str, paint: Callable[[str], str], *, is_label: bool = False) -> str:
        """The text, shortened where needed, painted, and padded to the column's width; a label stands at the left, also among figures."""
        fitted = _shorten(text, self.width, at_start=self.is_path) if self.is_cuttable else text
        padding = " " * (self.width - cell_len(fitted))
        return padding + paint(fitted) if self.is_right and not is_label else paint(fitted) + padding


def columns_of(
    frame: pl.DataFrame, totals: pl.DataFrame | None, keys: int, zone: dt.tzinfo, *, total: str = "total", prose: Collection[str] = ()
) -> list[Column]:
    """The frame's columns in words. The totals row has the label `total` in the first key column and nothing in those that have no total."""
    decimals = cells.decimals_of([*frame, *(totals if totals is not None else ())])
    words = partial(cells.texts, zone=zone, decimals=decimals)
    columns = [
        _column(frame.get_column(name), totals, words, label=total if not at else "", is_key=at < keys)
        for at, name in enumerate(frame.columns)
    ]
    return [replace(column, is_prose=name in prose) for name, column in zip(frame.columns, columns, strict=True)]


def _column(
    series: pl.Series, totals: pl.DataFrame | None, words: Callable[[pl.Series], list[str | None]], *, label: str, is_key: bool
) -> Column:
    has_total = totals is not None and not is_key and series.name in totals.columns
    whole = (
        series.to_frame().vstack(totals.select(series.name).cast({series.name: series.dtype})) if has_total and totals is not None else None
    )
    texts = words(series if whole is None else whole.get_column(series.name))
    total = texts.pop() if has_total else label
    heading = cells.heading(series.name)
    shown = [NULL if text is None else text for text in texts] + ([NULL if total is None else total] if totals is not None else [])
    return Column(
        label=heading,
        texts=texts,
        total=total,
        is_right=series.dtype.is_numeric(),
        is_cuttable=not (series.dtype.is_numeric() or series.dtype.is_temporal()),
        is_path=series.name.endswith("_path") or series.name == "project",
        is_prose=False,
        width=_longest([*heading.split(), *shown]),
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
    yield row(["---:" if column.is_right else "---" for column in columns])
    for at in range(len(columns[0].texts) if columns else 0):
        yield row([NULL if (text := column.texts[at]) is None else escapes.markdown(text) for column in columns])
    if has_totals:
        yield row([NULL if column.total is None else f"**{escapes.markdown(column.total)}**" if column.total else "" for column in columns])


def _blocks(columns: Sequence[Column], keys: int, width: int | None) -> Iterator[list[Column]]:
    """The columns in as many blocks as the width needs, each with the key columns in front."""
    fair = max(_LEAST_TEXT_WIDTH, min(_FAIR_TEXT_WIDTH, (width or 0) // 4))
    least = [column.at_least(_LEAST_TEXT_WIDTH if at < keys else fair) for at, column in enumerate(columns)]
    block = list(range(min(keys, len(columns))))
    for at in range(len(block), len(columns)):
        if width is not None and len(block) > keys and _total_width([least[part] for part in (*block, at)]) > width:
            yield [columns[part] for part in block]
            block = block[:keys]
        block.append(at)
    yield [columns[part] for part in block]


def _fitted(block: Sequence[Column], width: int | None) -> list[Column]:
    """The block's columns, the widest texts narrowed one by one until the block fits or no text can give more."""
    widths = [column.width for column in block]
    least = [column.at_least(_LEAST_TEXT_WIDTH) for column in block]
    excess = _total_width(widths) - (width if width is not None else _total_width(widths))
    for _ in range(min(excess, sum(widths) - sum(least))):
        widest = max((at for at in range(len(block)) if widths[at] > least[at]), key=widths.__getitem__)
        widths[widest] -= 1
    return [replace(column, width=narrowed) for column, narrowed in zip(block, widths, strict=True)]


def _block_lines(block: Sequence[Column], *, has_totals: bool, is_coloured: bool) -> Iterator[str]:
    def paint(style: str | None, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if is_coloured and style and text else text

    def line(texts: Sequence[str | None], style: str | None = None) -> str:
        parts = []
        for at, (column, text) in enumerate(zip(block, texts, strict=True)):
            own = style or ("null" if text is None else _WORDS_THAT_MATTER.get(text))
            parts.append(column.cell(NULL if text is None else text, partial(paint, own), is_label=style == "total" and not at))
        return _GAP.join(parts).rstrip()

    headings = [column.heading() for column in block]
    height = max(map(len, headings), default=0)
    for at in range(height):
        yield line([heading[at - height] if at >= height - len(heading) else "" for heading in headings], "head")
    rule = paint("rule", "─" * _total_width([column.width for column in block]))
    yield rule
    for texts in zip(*(column.texts for column in block), strict=True):
        cells_of_row = (column.lines(text) for column, text in zip(block, texts, strict=True))
        yield from map(line, zip_longest(*cells_of_row, fillvalue=""))
    if has_totals and any(column.total != "" for column in block[1:]):
        yield rule
        yield line([column.total for column in block], "total")


def _broken(text: str, width: int) -> list[str]:
    """The text, broken at spaces to that width; a longer word has a line of its own."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        lines[-1:] = [joined] if cell_len(joined) <= width or not lines[-1] else [lines[-1], word]
    return lines


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


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
