"""Rows of DuckDB → a polars frame in which every value can be shown and written.

DuckDB has types and values that polars has not, or has and fails on later: intervals, unions, bit strings, times of day up to 24:00, days before year 1,
after year 9999 and at infinity. They become text, in DuckDB's words. DuckDB adds 64-bit numbers in 128 bits, which reach polars as decimals; they are
whole numbers again, or a sum would change its type with its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import duckdb
from duckdb.sqltypes import DuckDBPyType

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from polars._typing import PolarsDataType

_TEXT: Final = duckdb.type("varchar")
_TIMES: Final = {"date", "timestamp", "timestamp with time zone"}
_SAME: Final = {
    *("boolean", "varchar", "enum", "uuid", "blob", "null", "float", "double", "decimal", "hugeint"),
    *("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint"),
    *_TIMES,
}
"""The types that polars has too."""

_NO_TEXT_IN_JSON: Final = {"blob", *_TIMES}
"""Those that polars cannot write where they are values of a map."""

_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""Days of the calendar as people write it, 0001-01-01 to 9999-12-31, counted from 1970."""

_MICROSECONDS_OF_A_DAY: Final = 86_400_000_000


def frame_of(rows: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The rows, each value as polars has it, else as text; a column that holds a time outside the calendar is text as a whole."""
    kinds = [_held(kind) for kind in rows.types]
    frame = _fetched(rows, kinds)
    beyond = {at for at, column in enumerate(frame) if _leaves_the_calendar(column)}
    return _fetched(rows, [_timeless(kind) if at in beyond else kind for at, kind in enumerate(kinds)]) if beyond else frame


def _fetched(rows: duckdb.DuckDBPyRelation, kinds: Sequence[DuckDBPyType]) -> pl.DataFrame:
    if kinds != rows.types:
        columns = zip(rows.columns, kinds, strict=True)  # by number, for names may repeat
        rows = rows.select(*(duckdb.SQLExpression(f"#{number}").cast(kind).alias(name) for number, (name, kind) in enumerate(columns, 1)))
    return _exact(rows.pl())


def _held(kind: DuckDBPyType, *, is_in_map: bool = False) -> DuckDBPyType:
    """The type in which polars can hold what is of this one."""
    if kind.id in _SAME:
        return _TEXT if is_in_map and kind.id in _NO_TEXT_IN_JSON else kind
    if kind.id in {"list", "array"}:
        return duckdb.list_type(_held(_inner(kind)["child"], is_in_map=is_in_map))
    if kind.id == "map":
        return duckdb.map_type(_TEXT, _held(_inner(kind)["value"], is_in_map=True))
    if kind.id == "struct" and kind.children:
        return duckdb.struct_type({name: _held(child, is_in_map=is_in_map) for name, child in _inner(kind).items()})
    return _TEXT


def _timeless(kind: DuckDBPyType) -> DuckDBPyType:
    """The type with text in place of times."""
    if kind.id == "list":
        return duckdb.list_type(_timeless(_inner(kind)["child"]))
    if kind.id == "struct":
        return duckdb.struct_type({name: _timeless(child) for name, child in _inner(kind).items()})
    return _TEXT if kind.id in _TIMES else kind


def _inner(kind: DuckDBPyType) -> dict[str, DuckDBPyType]:
    """The types that a nested one is made of, by name."""
    return {name: child for name, child in kind.children if isinstance(child, DuckDBPyType)}


def _leaves_the_calendar(column: pl.Series) -> bool:
    import polars as pl

    match column.dtype:
        case pl.List():
            return _leaves_the_calendar(column.explode())
        case pl.Struct(fields=fields):
            return any(_leaves_the_calendar(column.struct.field(field.name)) for field in fields)
        case pl.Date():
            ticks = 1
        case pl.Datetime():
            ticks = _MICROSECONDS_OF_A_DAY
        case _:
            return False
    inside = column.to_physical().is_between(_FIRST_DAY * ticks, (_LAST_DAY + 1) * ticks - 1)
    return not inside.all()


def _exact(frame: pl.DataFrame) -> pl.DataFrame:
    """Decimals without a fraction become whole numbers, in 64 bits where all of a column fit; those with a fraction become floats."""
    import polars as pl

    return frame.with_columns(_exact_column(column) for column in frame if _has_decimals(column.dtype) or column.dtype == pl.Int128)


def _exact_column(column: pl.Series) -> pl.Series:
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
        case _ if hasattr(kind, "key") and hasattr(kind, "value"):  # a Map, which polars 1 has not
            return pl.Map(kind.key, _without_decimals(kind.value))
        case _:
            return kind
