"""Keywords of a report → the options they are, or one line that says which cannot be one.

Python callers write them by hand, so a misspelt name or a value of another kind is told instead of passed over.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, TypedDict

from agentlog.errors import AgentlogError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentlog.reports.selection import When

_TEXT: Final = (str,)
_TIME: Final = (str, dt.date)
_NUMBER: Final = (int,)
_FLAG: Final = (bool,)
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("tz", "run", "project", "model", "harness"), _TEXT),
    **dict.fromkeys(("since", "until"), _TIME),
    "limit": _NUMBER,
    "raw": _FLAG,
}
_WORDS: Final[dict[tuple[type, ...], str]] = {
    _TEXT: "text",
    _TIME: "text, a date or a datetime",
    _NUMBER: "a whole number",
    _FLAG: "True or False",
}


class Options(TypedDict, total=False):
    """The options of every report; each may be left out or None."""

    by: str | Sequence[str] | None
    """Columns to group by, as a list or separated by commas."""
    since: When | None
    """The first day or instant: `2026-05-01`, `2026-05`, `2026-W23`, `today`, `yesterday`, `7d`, `2w`, `12h`, a timestamp, a `date` or a `datetime`."""
    until: When | None
    """The last day or instant, inclusive."""
    tz: str | None
    """IANA name of the time zone that days are days of; this machine's by default."""
    run: str | None
    """A run's id, session id, name or one of its source paths, or a glob over them."""
    project: str | None
    """A project or its last folder, or a glob."""
    model: str | None
    """A model, or a glob."""
    harness: str | None
    """A harness, or a glob."""
    sort: str | None
    """Columns to sort by, separated by commas; `-` before one sorts it from large to small."""
    limit: int | None
    """How many rows at most; 0 (the default) is all."""
    raw: bool | None
    """Whether to show transcript content, where the report has such a column (`unreadable`: the line itself)."""


def check(options: Mapping[str, object]) -> None:
    """Raise `UnknownNameError` for an option that there is not, `TypeError` for a value of a wrong type and `AgentlogError` for a limit below 0."""
    for name, value in options.items():
        if name not in Options.__annotations__:
            raise UnknownNameError("option of a report", name, Options.__annotations__)
        kinds = _TYPES.get(name)
        if value is not None and kinds is not None and (not isinstance(value, kinds) or (kinds == _NUMBER and isinstance(value, bool))):
            raise TypeError(f"{name} is {value!r}; it may be {_WORDS[kinds]}")
        if name == "limit" and isinstance(value, int) and value < 0:
            raise AgentlogError(f"limit is {value}; 0 is all, a positive number cuts")
        if isinstance(value, str) and value != value.encode(errors="replace").decode():
            raise AgentlogError(f"{name} is {value!a}, which is no UTF-8")


def column_names(option: str, given: object) -> tuple[str, ...]:
    """The names that `by` or `sort` gives, each once; none for None. Raises `AgentlogError` where a name is empty or there is none."""
    if given is None:
        return ()
    parts = given.split(",") if isinstance(given, str) else given
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
        raise TypeError(f"{option} is {given!r}; it may be text or a list of texts")
    names = tuple(dict.fromkeys(str(part).strip() for part in parts))
    if not names or {"", "-"} & set(names):
        raise AgentlogError(f"{option} is {given!r}: the name of a column is missing")
    return names
