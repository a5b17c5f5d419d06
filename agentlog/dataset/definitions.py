"""View files → definitions: every view by name, with its grain, its columns and what it reads.

A view is one SELECT in `views/NAME.sql`. Its header is comment lines: `grain: one row per …`, then `column: meaning` for each of its columns, in order;
other lines are prose. `columns: Event` stands for the stored columns of that row class, whose meanings are told there and nowhere else. Views whose
names begin with `_` are the steps that public ones are made of. Of those, a step marked `kept: yes` is worth computing once; one marked
`kept: where OTHER has rows` is about something rare, and is empty without a look where the step OTHER is.

This module must not know what a view means.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agentlog.errors import UnknownNameError
from agentlog.events import TABLES, columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

_FOLDER: Final = Path(__file__).parent.parent / "views"
_HEADER: Final = re.compile(r"-- ([a-z_0-9]+): (.+)")
_COMMENT: Final = re.compile(r"--[^\n]*")
_READS: Final = re.compile(r"\b(?:from|join)\s+([a-z_]+)\b")
_ORDER: Final = (
    *("runs", "turns", "requests", "usage", "tool_calls", "api_retries", "compactions", "subagents", "results"),
    *("events", "sources", "unreadable", "unmodelled", "reconciliation", "prices"),
)
"""The public views as a person would go through them; others come after these."""

_TYPES: Final = {
    **dict.fromkeys(("run_no", "source_no"), "integer"),
    **dict.fromkeys(("place", "_tokens", "_requests"), "hugeint"),
    **dict.fromkeys(("nth", "nested_no", "request_no", "turn_no", "turns", "tool_calls", "_ms"), "bigint"),
    "_key": "ubigint",
    "_at": "timestamptz",
    "_usd": "double",
}
"""What the end of a column's name says of its type."""

STORED: Final = {f"_{table}": row for table, row in TABLES.items()}
"""The views over the stored tables, which everything else is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One view, as its file says it. `reads` names the views it is made of, stored tables among them."""

    name: str
    grain: str
    columns: dict[str, str]
    sql: str
    reads: tuple[str, ...]
    is_kept: bool
    kept_where: str | None

    @property
    def is_public(self) -> bool:
        """Whether it is part of the contract, rather than a step towards such a view."""
        return not self.name.startswith("_")


@cache
def views() -> dict[str, View]:
    """Every view by name."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.sql"))}
    return {name: _parsed(name, text, {*texts, *STORED}) for name, text in texts.items()}


def public_names() -> tuple[str, ...]:
    """The names of the contract's views."""
    rank = {name: number for number, name in enumerate(_ORDER)}
    return tuple(sorted((view.name for view in views().values() if view.is_public), key=lambda name: (rank.get(name, len(rank)), name)))


def public(name: str) -> View:
    """The public view of that name; raises `UnknownNameError` for another."""
    if name not in public_names():
        raise UnknownNameError("view", name, public_names())
    return views()[name]


def needed(names: Iterable[str], *, given: Collection[str] = ()) -> list[View]:
    """These views and all that they are made of, each after what it reads; what is made of something `given` is not looked into.

    Names of other things are passed over.
    """
    found: dict[str, View] = {}

    def visit(name: str) -> None:
        if name in views() and name not in found:
            for read in views()[name].reads if name not in given else ():
                visit(read)
            found[name] = views()[name]

    for name in names:
        visit(name)
    return list(found.values())


def whole(view: View, *, given: Collection[str] = ()) -> str:
    """The view as one statement over the stored tables, and over the steps that are given."""
    steps = [step for step in needed([view.name], given=given) if step.name not in {view.name, *given}]
    if not steps:
        return view.sql
    with_steps = ", ".join(f"{step.name} as ({step.sql})" for step in steps)
    return f"with {with_steps} select * from ({view.sql})"  # noqa: S608 (of view files only)


def lasting() -> list[View]:
    """The kept steps that public views read, directly or through steps that are not kept: enough to answer anything."""
    kept = {view.name for view in views().values() if view.is_kept}
    return [view for view in needed(public_names(), given=kept) if view.name in kept]


def fingerprint() -> str:
    """Says whether kept steps were made by these very files."""
    return hashlib.sha256("\0".join(f"{view.name}\0{view.sql}" for view in views().values()).encode()).hexdigest()[:16]


def read_by(text: str) -> list[str]:
    """The views, and steps of views, that some SQL text reads by name."""
    return [name for name in dict.fromkeys(_READS.findall(_COMMENT.sub("", text))) if name in views()]


def column_type(name: str) -> str:
    """The type of a column of a kept step, which its name tells."""
    if name.startswith(("is_", "has_")):
        return "boolean"
    return next((kind for suffix, kind in _TYPES.items() if name.endswith(suffix)), "varchar")


def _parsed(name: str, text: str, names: set[str]) -> View:
    described: dict[str, str] = {}
    marks: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        if header := _HEADER.fullmatch(line):
            key, value = header.groups()
            if key in {"grain", "kept", "columns"}:
                marks[key] = value
            else:
                described[key] = value
    sql = _COMMENT.sub("", text).strip()
    reads = dict.fromkeys(read for read in _READS.findall(sql) if read in names)
    where = marks.get("kept", "").removeprefix("where ").removesuffix(" has rows") if marks.get("kept", "yes") != "yes" else None
    return View(
        name=name,
        grain=marks["grain"],
        columns=_with_stored(described, marks.get("columns")),
        sql=sql,
        reads=tuple(reads),
        is_kept="kept" in marks,
        kept_where=where,
    )


def _with_stored(described: dict[str, str], row: str | None) -> dict[str, str]:
    """The described columns, and before them those of the row class that the header names."""
    stored = next((row_class for row_class in TABLES.values() if row_class.__name__ == row), None)
    if stored is None:
        return described
    return {name: meaning for name, (_, meaning) in columns(stored).items()} | described
