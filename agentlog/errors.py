"""Caller faults → one clear line: the exceptions agentlog raises on purpose, and its exit codes.

Data faults are never exceptions: they become `Unreadable` rows. What is raised here is the caller's to mend, so every message is one
sentence that names the thing and, where there is a set of valid answers, lists it. A value of a wrong Python type is a `TypeError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_GATE = 0, 1, 2, 3

LISTED: Final = 18
"""How many names an error lists; what follows them is counted."""


class AgentlogError(Exception):
    """Something the caller can mend; its text is one line."""


class UnknownNameError(AgentlogError):
    """A column, view, report or the like that does not exist; the text lists those that do, the one most like it first."""

    def __init__(self, thing: str, name: object, valid: Iterable[str]) -> None:
        self.thing, self.name, self.valid = thing, name, tuple(valid)
        super().__init__(f"unknown {thing} {name!r};{meant(name, self.valid)} valid: {listed(self.valid)}")


class StoreError(AgentlogError):
    """The store is absent, of another schema version, locked, or overtaken."""


class PathError(AgentlogError):
    """A path given by the caller does not exist or cannot be used."""


class QueryError(AgentlogError):
    """A query that is not one reading statement, or that DuckDB refuses."""


def meant(name: object, valid: Iterable[str]) -> str:
    """` did you mean '…'?` with the valid name most like it; nothing where none is."""
    from difflib import get_close_matches

    return "".join(f" did you mean {guess!r}?" for guess in get_close_matches(str(name), valid, n=1))


def listed(names: Sequence[str], most: int = LISTED) -> str:
    """The names, separated by commas; of more than `most` the first, and how many more there are."""
    more = [f"and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more])
