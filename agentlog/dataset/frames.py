"""Frames as DuckDB gives them → frames with exact whole numbers.

DuckDB adds 64-bit numbers in 128 bits, which reach polars as decimals; decimals would be printed as text and sums would change type with their size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
    from polars._typing import PolarsDataType


def exact(frame: pl.DataFrame) -> pl.DataFrame:
    """Decimals without a fraction become whole numbers, in 64 bits where all of a column fit; those with a fraction become floats."""
    import polars as pl

    return frame.with_columns(_exact(column) for column in frame if _has_decimals(column.dtype) or column.dtype == pl.Int128)


def _exact(column: pl.Series) -> pl.Series:
    import polars as pl

    wide = column.cast(_without_decimals(column.dtype))
    if wide.dtype != pl.Int128:
        return wide
    bounds = [int(bound) for bound in (wide.min(), wide.max()) if bound is not None]  # type: ignore[arg-type]
    return wide.cast(pl.Int64) if all(-(2**63) <= bound < 2**63 for bound in bounds) else wide


def _has_decimals(kind: PolarsDataType) -> bool:
    return kind != _without_decimals(kind)


def _without_decimals(kind: PolarsDataType) -> PolarsDataType:
    import polars as pl

    match kind:
        case pl.Decimal(scale=0):
            return pl.Int128()
        case pl.Decimal():
            return pl.Float64()
        case pl.List(inner=inner):
            return pl.List(_without_decimals(inner))
        case pl.Struct(fields=fields):
            return pl.Struct([pl.Field(field.name, _without_decimals(field.dtype)) for field in fields])
        case _:
            return kind
