"""Options that name nothing → a sentence each that says so, with the names that they may have meant.

Asked only where a report has no rows. A name that is not in the store is no error: the same command may find it after the next ingest.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from agentlog.errors import listed
from agentlog.reports.header import chosen_sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection

    from agentlog.reports.selection import Selection

OPTIONS: Final = ("run", "project", "model", "harness")
NAMES: Final = "_names"
"""The file of `chosen/` that knows what these options may name."""

_NEAREST: Final = 3
_MOST_COMPARED: Final = 5_000
"""Names that are compared letter by letter, which takes a tenth of a millisecond each."""


def sentences(session: DuckDBPyConnection, selection: Selection) -> Iterator[str]:
    """What to say of each option that matches nothing at all in the store."""
    given = {option: pattern for option in OPTIONS if (pattern := getattr(selection, option)) is not None}
    rows = session.execute(chosen_sql(NAMES)).fetchall() if given else []
    for option, pattern in given.items():
        found = [(name, is_named) for of_option, name, is_named in rows if of_option == option]
        if not any(is_named for _, is_named in found):
            yield _sentence(option, pattern, [name for name, _ in found if name])


def _sentence(option: str, pattern: str, names: Sequence[str]) -> str:
    nothing = f"no {option} matches {pattern!r}"
    if option == "harness":
        return f"{nothing}; the store has {listed(names) or 'none'}"
    glob = "" if set("*?[") & set(pattern) else f", such as '*{pattern}*'"
    nearest = _nearest(pattern, names)
    return f"{nothing}; a pattern is a glob for the whole name{glob}" + (f"; nearest: {listed(nearest)}" if nearest else "")


def _nearest(pattern: str, names: Sequence[str]) -> list[str]:
    """The names most like the pattern: those that hold it, else those with letters like it."""
    word = pattern.strip("*")
    holding = [name for name in names if word and word.casefold() in name.casefold()]
    return holding[:_NEAREST] or get_close_matches(word, names[:_MOST_COMPARED], n=_NEAREST)
