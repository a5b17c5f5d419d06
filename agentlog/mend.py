"""Bytes → typed records, with what cannot be mended away: one mechanism for every field of every harness.

A record whose figures or side fields have the wrong shape (a negative count, a broken time, a number where text belongs) is decoded again with
those fields set to NULL, and their JSON paths are reported, so that the line is listed as repaired. The paths come from msgspec's own errors.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_FAULTS = 200
"""In a record with more faulty fields than this, whole lists are set to NULL; with twice as many, it is no record of its type."""

_EMPTY: tuple[Any, ...] = ("", [], {})
"""As if missing: nothing is lost with them."""

_PATH = re.compile(r"^(?P<what>.*?)(?: - at `(?:key in )?\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|(\[\.\.\.\])")


class Faults(list[str]):
    """The faults of one record, in the words of msgspec: `Expected `int`, got `str` - at `$.usage.input_tokens``."""

    @property
    def detail(self) -> str:
        """All of them on one line."""
        return "; ".join(self)


def mend(record: dict[str, Any], convert: Callable[[Any], Any]) -> tuple[Any, Faults]:
    """The typed record and the faults that had to be set to NULL for it.

    `record` is the decoded JSON object and is changed; `convert` makes the typed record and raises `msgspec.ValidationError`.
    Raises that error again where no field can be blamed for it. A field that is empty counts as missing, and for no fault.
    """
    faults = Faults()
    tries = 0
    while True:
        try:
            return convert(record), faults
        except msgspec.ValidationError as error:
            if tries >= 2 * MAX_FAULTS or not _clear(record, error, convert, faults, in_whole=tries >= MAX_FAULTS):
                raise
            tries += 1


def _clear(
    record: dict[str, Any], error: msgspec.ValidationError, convert: Callable[[Any], Any], faults: Faults, *, in_whole: bool
) -> bool:
    """Set the field that the error names to NULL, or to the whole number it is. False where it names none.

    `in_whole` sets the list or the map that holds it to NULL.
    """
    message = str(error)
    match = _PATH.match(message)
    steps = [name or (int(index) if index else None) for name, index, _ in _STEP.findall((match and match["path"]) or "")]
    if in_whole:
        steps = list(takewhile(lambda step: isinstance(step, str), steps))
    place = _blamed(record, steps, message, convert) if steps else None
    if place is None:
        return False
    holder, key = place
    value = holder[key]
    if isinstance(value, float) and value.is_integer() and "`int" in message:
        holder[key] = int(value)
        return True
    if value is None:
        return False
    holder[key] = None
    if value not in _EMPTY:
        faults.append(f"{message}, which is set to NULL with all beside it" if in_whole else message)
    return True


def _blamed(record: dict[str, Any], steps: list[Any], message: str, convert: Callable[[Any], Any]) -> tuple[Any, Any] | None:
    """The container and key of the faulty value; a step of None is some value of an object, found by trying each alone."""
    holder: Any = record
    for at, named in enumerate(steps):
        last = at == len(steps) - 1
        step: Any = _culprit(record, holder, message, convert) if named is None and isinstance(holder, dict) else named
        if not (isinstance(holder, dict) and step in holder) and not (
            isinstance(holder, list) and isinstance(step, int) and step < len(holder)
        ):
            return None
        if last:
            return holder, step
        holder = holder[step]
    return None


def _culprit(top: dict[str, Any], holder: dict[str, Any], message: str, convert: Callable[[Any], Any]) -> str | None:
    """The first key of an object whose value alone gives this error."""
    whole = dict(holder)
    keys = list(whole)
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        keys = half if _fails(top, holder, {key: whole[key] for key in half}, message, convert) else keys[len(half) :]
    holder.clear()
    holder.update(whole)
    return keys[0] if keys else None


def _fails(top: dict[str, Any], holder: dict[str, Any], part: dict[str, Any], message: str, convert: Callable[[Any], Any]) -> bool:
    holder.clear()
    holder.update(part)
    try:
        convert(top)
    except msgspec.ValidationError as error:
        return str(error) == message
    return False
