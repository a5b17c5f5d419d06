"""Caller faults → one clear line: the exceptions agentlog raises on purpose, and its exit codes.

Data faults are never exceptions: they become `Unreadable` rows. What is raised here is the caller's to mend, so every message is one
sentence that names the thing and, where there is a set of valid answers, lists it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_GATE = 0, 1, 2, 3


class AgentlogError(Exception):
    """Something the caller can mend; its text is one line."""


class UnknownNameError(AgentlogError):
    """A column, view, report or the like that does not exist; the text lists those that do."""

    def __init__(self, thing: str, name: str, valid: Iterable[str]) -> None:
        self.thing, self.name, self.valid = thing, name, tuple(valid)
        super().__init__(f"unknown {thing} {name!r}; valid: {', '.join(self.valid)}")


class StoreError(AgentlogError):
    """The store is absent, of another schema version, locked, or overtaken."""


class PathError(AgentlogError):
    """A path given by the caller does not exist or cannot be used."""


class QueryError(AgentlogError):
    """A query that is not one reading statement, or that DuckDB refuses."""
