"""Values → words a person reads: thousands separators, dollars, durations, percentages, local times.

What a figure means is told by its column's unit suffix (`_usd`, `_ms`, `_share`, `_bytes`, `_at`, `_no`), the contract's only source of units.
No figure is ever cut, and none but zero is shown as zero. NULL stays None: how it is shown is the table's affair.
"""

from __future__ import annotations

import datetime as dt
import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from agentlog.render.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    import polars as pl

    Show = Callable[[Any], str]

_NOISE: Final = 5e-10
"""Totals are equal to a billionth (of a dollar, of the whole); what is smaller comes from adding floats and is zero."""

_LEAST_SHARE: Final = 0.0005
"""What rounds to 0.1 %."""

_KILO: Final = 1000
_SECOND, _MINUTE, _HOUR, _DAY = 1000, 60_000, 3_600_000, 86_400_000


def texts(series: pl.Series, zone: dt.tzinfo) -> list[str | None]:
    """The cells of one column, in words; None for NULL. Times are shown in `zone`."""
    values = series.to_list()
    if series.dtype.is_numeric():
        show = _figure(series.name, [float(value) for value in values if value is not None])
    elif series.dtype.is_nested():
        show = _nested
    else:
        show = _text(zone)
    return [None if value is None else show(value) for value in values]


def heading(column: str) -> str:
    """The column's name in words, without the unit where the cells show it themselves."""
    plain = column.removeprefix("is_").removesuffix("_ms")
    return visible((f"{plain.removesuffix('_bytes')}_size" if plain.endswith("_bytes") else plain).replace("_", " "))


def _figure(column: str, values: Sequence[float]) -> Show:
    if column.endswith("_usd"):
        is_small = any(_NOISE <= abs(value) < 1 for value in values)
        return partial(dollars, decimals=4 if is_small else 2)
    by_suffix: dict[str, Show] = {"_share": percent, "_ms": duration, "_bytes": size, "_no": str, "_status": str, "_id": str}
    return next((show for suffix, show in by_suffix.items() if column.endswith(suffix)), number)


def _text(zone: dt.tzinfo) -> Show:
    def show(value: object) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, dt.datetime):
            local = value if value.tzinfo is None else value.astimezone(zone)
            return local.strftime("%Y-%m-%d %H:%M:%S")
        return visible(value if isinstance(value, str) else str(value))

    return show


def _nested(value: list[object] | dict[str, object]) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return visible(", ".join(map(str, value)))
    return visible(json.dumps(value, default=str, ensure_ascii=False))


def number(value: float | Decimal) -> str:
    """1234567 → `1,234,567`; 0.125 → `0.125`; six decimals at most, more only where it would show as zero."""
    if not isinstance(value, float):
        return f"{value:,}"
    short = f"{value:,.6f}".rstrip("0").rstrip(".")
    if short in {"0", "-0"}:
        return f"{value:.3g}" if value else "0"
    return short


def dollars(value: float, decimals: int = 2) -> str:
    """12.5 → `12.50`; a small sum gets as many decimals as show two of its digits."""
    if abs(value) < _NOISE:
        return f"{0:.{decimals}f}"
    while abs(value) < 1 and abs(value) < 10 ** (1 - decimals):
        decimals += 2
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
