"""Polars frame → JSON, NDJSON, CSV or Parquet: values exactly as they are, in batches of rows.

Whole numbers of any width are numbers, dollars too, times are ISO 8601 in UTC (`2026-01-01T00:00:00Z`), NULL is `null` or an empty CSV cell.
Only CSV touches text: a cell that a spreadsheet would run as a formula gets an apostrophe, and what could act on a terminal is escaped.
"""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING, BinaryIO, Final

from agentlog.render import escapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

_BATCH_ROWS: Final = 50_000


def write_json(frame: pl.DataFrame, out: BinaryIO) -> None:
    """One array of objects, an object a line; `[]` without rows."""
    before = b"[\n"
    for batch in _ndjson_batches(frame):
        out.write(before + batch.removesuffix(b"\n").replace(b"\n", b",\n"))
        before = b",\n"
    out.write(b"[]\n" if frame.is_empty() else b"\n]\n")


def write_ndjson(frame: pl.DataFrame, out: BinaryIO) -> None:
    """One object a line."""
    out.writelines(_ndjson_batches(frame))


def write_csv(frame: pl.DataFrame, out: BinaryIO) -> None:
    """A header line, then a line a row; nested values are JSON. An empty text is `""`, NULL is nothing."""
    import polars as pl

    header = pl.DataFrame([list(map(escapes.csv, frame.columns))], orient="row")
    out.write(header.write_csv(include_header=False).encode())
    for batch in frame.iter_slices(_BATCH_ROWS):
        exact = plain(batch)
        out.write(exact.with_columns([_csv_column(column) for column in exact]).write_csv(include_header=False).encode())


def write_parquet(frame: pl.DataFrame, out: BinaryIO) -> None:
    """The frame as it is; sums too wide for 64 bits become 64-bit numbers where they fit, since few readers know wider ones."""
    out.write(_parquet(frame))


def _parquet(frame: pl.DataFrame) -> bytes:
    import polars as pl

    narrow = [
        pl.col(name).cast(pl.Int64, strict=True)
        for name, kind in frame.schema.items()
        if isinstance(kind, pl.Decimal)
        and kind.scale == 0
        and frame[name].cast(pl.Int64, strict=False).null_count() == frame[name].null_count()
    ]
    buffer = io.BytesIO()
    frame.with_columns(narrow).write_parquet(buffer)
    return buffer.getvalue()


def _ndjson_batches(frame: pl.DataFrame) -> Iterator[bytes]:
    for batch in frame.iter_slices(_BATCH_ROWS):
        buffer = io.BytesIO()
        plain(batch).write_ndjson(buffer)
        yield buffer.getvalue()


def plain(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with each column in a type that JSON and CSV can hold."""
    import polars as pl

    return frame.select(_in_plain_type(pl.col(name), kind).alias(name) for name, kind in frame.schema.items())


def json_text(value: object) -> str:
    """A nested value of a plain column as JSON, in which figures that are no numbers are null."""
    return json.dumps(_finite(value), ensure_ascii=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _in_plain_type(value: pl.Expr, kind: object) -> pl.Expr:
    import polars as pl

    if isinstance(kind, pl.List):
        return value.list.eval(_in_plain_type(pl.element(), kind.inner))
    if isinstance(kind, pl.Struct):
        fields = [_in_plain_type(value.struct.field(field.name), field.dtype).alias(field.name) for field in kind.fields]
        return pl.when(value.is_not_null()).then(pl.struct(fields))
    if isinstance(kind, pl.Datetime) and kind.time_zone is not None:
        return value.dt.convert_time_zone("UTC").dt.to_string("%Y-%m-%dT%H:%M:%S%.fZ")
    if isinstance(kind, pl.Datetime):
        return value.dt.to_string("%Y-%m-%dT%H:%M:%S%.f")
    return _scalar(value, kind)


def _scalar(value: pl.Expr, kind: object) -> pl.Expr:
    import polars as pl

    if isinstance(kind, pl.Duration | pl.Date | pl.Time):
        return value.dt.to_string("iso")
    if isinstance(kind, pl.Decimal):
        return value.cast(pl.Float64 if kind.scale else pl.Int128)
    if isinstance(kind, pl.Binary):
        return value.bin.encode("hex")
    return value


def _csv_column(column: pl.Series) -> pl.Series:
    import polars as pl

    if column.dtype.is_nested():
        cells = [None if value is None else json_text(value) for value in column.to_list()]
    elif column.dtype in {pl.String, pl.Categorical} or isinstance(column.dtype, pl.Enum):
        cells = column.cast(pl.String).to_list()
    else:
        return column
    return pl.Series(column.name, [None if cell is None else escapes.csv(cell) for cell in cells], dtype=pl.String)
