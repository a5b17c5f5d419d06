"""Polars frame → table, json, ndjson, csv, markdown or parquet: one result, and every format agrees cell for cell.

`table` and `markdown` show the same words, made for people, with a totals row; the others hold the values, exactly, and rows only.
This package must not know where a frame comes from: units are read from column names, and all text is taken for hostile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Final
from zoneinfo import ZoneInfo

from agentlog.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Collection

    import polars as pl

FORMATS: Final = ("table", "json", "ndjson", "csv", "markdown", "parquet")


def write(
    frame: pl.DataFrame,
    form: str,
    out: BinaryIO,
    *,
    totals: pl.DataFrame | None = None,
    total: str = "total",
    keys: int = 1,
    prose: Collection[str] = (),
    zone: str = "UTC",
    width: int | None = None,
    is_coloured: bool = False,
) -> None:
    """Write the frame as UTF-8 (or Parquet) bytes in one of `FORMATS`.

    `totals` is one row with some of the frame's columns, `total` what it is called, and `keys` the number of leading columns that say what a row is;
    they, the time zone `zone`, `width` (cells of the terminal; None: as wide as it gets), the columns `prose` that are broken into lines where they
    are too wide, and `is_coloured` matter to `table` and, but for the last three, `markdown`.
    Raises `UnknownNameError` for another format.
    """
    from agentlog.render import exact

    writers = {"json": exact.write_json, "ndjson": exact.write_ndjson, "csv": exact.write_csv, "parquet": exact.write_parquet}
    if form in writers:
        writers[form](frame, out)
        return
    if form not in FORMATS:
        raise UnknownNameError("format", form, FORMATS)
    from agentlog.render import table

    has_totals = totals is not None and not totals.is_empty()
    columns = table.columns_of(frame, totals if has_totals else None, keys, ZoneInfo(zone), total=total, prose=prose)
    if form == "table":
        lines = table.lines(columns, keys=keys, width=width, has_totals=has_totals, is_coloured=is_coloured)
    else:
        lines = table.markdown_lines(columns, has_totals=has_totals)
    out.writelines(f"{line}\n".encode() for line in lines)
