"""Values → words a person reads: thousands separators, dollars, durations, percentages, local times.

What a figure means is told by its column's unit suffix (`_usd`, `_ms`, `_share`, `_bytes`, `_at`, `_no`), the contract's only source of units.
No figure is ever cut, and none but zero is shown as zero. NULL stays None: how it is shown is the table's affair.
"""

from __future__ import annotations

import datetime as dt
import math
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from agentlog.render import exact
from agentlog.render.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from decimal import Decimal

    import polars as pl

    Show = Callable[[Any], str]

_NOISE: Final = 5e-10
"""Totals are equal to a billionth (of a dollar, of the whole); what is smaller comes from adding floats and is zero."""

_DECIMALS: Final = (2, 3, 4)
"""How many decimals dollars may have."""

_LEAST_SHARE: Final = 0.0005
"""What rounds to 0.1 %."""

_KILO: Final = 1000
_SECOND, _MINUTE, _HOUR, _DAY = 1000, 60_000, 3_600_000, 86_400_000


def texts(series: pl.Series, zone: dt.tzinfo, decimals: int | None = None) -> list[str | None]:
    """The cells of one column, in words; None for NULL. Times are shown in `zone`, dollars with `decimals`, by default what the column needs."""
    decimals = decimals if decimals is not None else decimals_of([series])
    if series.dtype.is_numeric():
        show = _figure(series.name, decimals)
    elif series.dtype.is_temporal():
        show = _time(zone, is_hour=series.name == "hour")
    else:
        show = _nested if series.dtype.is_nested() else _text
        series = exact.plain(series.to_frame()).to_series()
    return [None if value is None else show(value) for value in series.to_list()]


def decimals_of(columns: Iterable[pl.Series]) -> int:
    """How many decimals the dollars of one report have, in all its columns and rows: as many as the figures need, two to four."""
    figures = [value for column in columns if _is_money(column) for value in column.to_list() if value is not None and math.isfinite(value)]
    needed = (count for count in _DECIMALS if all(abs(value - round(value, count)) < _NOISE for value in figures))
    return next(needed, _DECIMALS[-1])


def heading(column: str) -> str:
    """The column's name in words, without the unit where the cells show it themselves."""
    plain = column.removeprefix("is_").removesuffix("_ms")
    return visible((f"{plain.removesuffix('_bytes')}_size" if plain.endswith("_bytes") else plain).replace("_", " "))


def _is_money(column: pl.Series) -> bool:
    return column.name.endswith("_usd") and column.dtype.is_numeric()


def _figure(column: str, decimals: int) -> Show:
    by_suffix: dict[str, Show] = {
        "_usd": partial(dollars, decimals=decimals),
        "_share": percent,
        "_ms": duration,
        "_bytes": size,
        **dict.fromkeys(("_no", "_status", "_id"), str),
    }
    show = next((show for suffix, show in by_suffix.items() if column.endswith(suffix)), number)
    return lambda value: show(value) if not isinstance(value, float) or math.isfinite(value) else str(value)


def _time(zone: dt.tzinfo, *, is_hour: bool) -> Show:
    def show(value: object) -> str:
        if not isinstance(value, dt.datetime):
            return str(value)
        mark = ""
        try:
            local = value if value.tzinfo is None else value.astimezone(zone)
        except OverflowError:  # the first or last day of the calendar has no name there
            local, mark = value.astimezone(dt.UTC), "Z"
        return local.replace(tzinfo=None).isoformat(" ", "minutes" if is_hour else "seconds") + mark

    return show


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return visible(value if isinstance(value, str) else str(value))


def _nested(value: list[object] | dict[str, object]) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return visible(", ".join(map(str, value)))
    return visible(exact.json_text(value))


def number(value: float | Decimal) -> str:
    """1234567 → `1,234,567`; 0.125 → `0.125`; six decimals at most, more only where it would show as zero."""
    if not isinstance(value, float):
        return f"{value:,}"
    short = f"{value:,.6f}".rstrip("0").rstrip(".")
    if short in {"0", "-0"}:
        return f"{value:.3g}" if value else "0"
    return short


def dollars(value: float, decimals: int = 2) -> str:
    """12.5 → `12.50`; a sum too small for the decimals does not become 0."""
    if abs(value) < _NOISE:
        return f"{0:.{decimals}f}"
    least = 10**-decimals
    if abs(value) < least / 2:
        return f"<{least:.{decimals}f}" if value > 0 else f">-{least:.{decimals}f}"
    return f"{value:,.{decimals}f}"


def percent(value: float) -> str:
    """0.934 → `93.4%`; neither does a small share become 0 % nor a large one 100 %."""
    if abs(value) < _NOISE:
        return "0.0%"
    if abs(value) < _LEAST_SHARE:
        return "<0.1%" if value > 0 else ">-0.1%"
    if 1 - _LEAST_SHARE <= value < 1 - _NOISE:
        return ">99.9%"
    return f"{value:,.1%}"


def duration(milliseconds: float) -> str:
    """850 → `850ms`; 1200 → `1.2s`; 83000 → `1m 23s`; 7500000 → `2h 05m`; 273600000 → `3d 04h`."""
    if milliseconds < 0:
        return f"-{duration(-milliseconds)}"
    if round(milliseconds) < _SECOND:
        return f"{round(milliseconds)}ms" if round(milliseconds) or not milliseconds else "<1ms"
    if (tenths := round(milliseconds / 100)) < _MINUTE // 100:
        return f"{tenths / 10:.1f}s"
    if (seconds := round(milliseconds / _SECOND)) < _HOUR // _SECOND:
        return f"{seconds // 60}m {seconds % 60:02}s"
    if (minutes := round(milliseconds / _MINUTE)) < _DAY // _MINUTE:
        return f"{minutes // 60}h {minutes % 60:02}m"
    hours = round(milliseconds / _HOUR)
    return f"{hours // 24:,}d {hours % 24:02}h"


def size(count: float) -> str:
    """850 → `850 B`; 1234567 → `1.2 MB` (decimal units)."""
    amount, units = float(count), ["B", "kB", "MB", "GB", "TB"]
    while round(abs(amount), 1) >= _KILO and len(units) > 1:
        amount /= _KILO
        units.pop(0)
    return f"{amount:,.0f} B" if units[0] == "B" else f"{amount:,.1f} {units[0]}"
