"""Views + options → one named report, as a frame with its totals.

A report is a .sql file beside this module (`header.py` tells how it reads); `chosen/` defines once what the options choose. All reports that sum
tokens or dollars sum the same ledger, the view `usage`, so their totals are equal whatever they group by. This package knows the names of views,
not how they are made, and it never makes SQL out of text: options reach it as session variables.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from agentlog.errors import UnknownNameError
from agentlog.reports import unmatched
from agentlog.reports.header import Report, chosen_sql, report, reports
from agentlog.reports.options import Options, check, column_names
from agentlog.reports.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from duckdb import DuckDBPyConnection

__all__ = ["Answer", "Options", "Report", "answer", "report", "reports", "sql_of"]

_TIME_GRAINS = frozenset({"hour", "day", "week", "month"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A report's rows, cut to the limit, with what a reader of them needs to know.

    `totals` is one row over all that was selected, with those of the frame's columns that can be summed; None where it would say nothing new.
    `keys` leading columns say what a row is. `rows` counts the rows before the limit cut them. `notes` are sentences for the person who asked.
    `prose` names columns of sentences.
    """

    frame: pl.DataFrame
    totals: pl.DataFrame | None = None
    keys: int = 1
    rows: int
    tz: str = "UTC"
    notes: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()


def answer(connection: DuckDBPyConnection, name: str, **options: Unpack[Options]) -> Answer:
    """Run a named report over the views of `connection`, whose session stays as it is.

    Raises `UnknownNameError` for an unknown report, option or column, `TypeError` for an option of a wrong type, and `AgentlogError` for a time or
    time zone that cannot be read.
    """
    asked = report(name)
    check(options)
    by = _by(asked, options.get("by"))
    sort = column_names("sort", options.get("sort")) or column_names("sort", None if _TIME_GRAINS & set(by) else asked.sort)
    selection = _selection(options)
    with _session(connection, asked, selection) as session:
        frame, totals = _frames(session, asked, by)
        notes = (*_notes(session, asked, selection), *(unmatched.sentences(session, selection) if frame.is_empty() else ()))
    if not options.get("raw"):
        frame = frame.drop(asked.raw, strict=False)
    frame = _sorted(frame, sort)
    return Answer(
        frame=frame.head(min(options.get("limit") or len(frame), len(frame))),
        totals=None if totals is None else totals.select([name for name in totals.columns if name in frame.columns]),
        keys=len(by) or len(asked.key),
        rows=len(frame),
        tz=selection.tz,
        notes=notes,
    )


def sql_of(name: str, options: Options) -> str:
    """All the SQL that this report may run with these options, by which it can be told which views it reads."""
    asked = report(name)
    names = (unmatched.NAMES,) if any(options.get(option) is not None for option in unmatched.OPTIONS) else ()
    return "\n".join([asked.sql, *map(chosen_sql, ("_options", "runs", *asked.reads, *names))])


def _selection(options: Options) -> Selection:
    return Selection.of(
        since=options.get("since"),
        until=options.get("until"),
        tz=options.get("tz"),
        run=options.get("run"),
        project=options.get("project"),
        model=options.get("model"),
        harness=options.get("harness"),
    )


def _frames(session: DuckDBPyConnection, asked: Report, by: list[str]) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    """The report's rows, and where there are several, its totals."""
    candidates, *rows, grouped = [statement.query for statement in session.extract_statements(asked.sql)]
    session.execute(candidates)
    session.execute(chosen_sql("_selected"))
    frame = _frame(session, rows[0]) if rows and not by else _grouped(session, grouped, by)
    return frame, _grouped(session, grouped, ["all_rows"]) if len(frame) > 1 else None


def _by(asked: Report, by: object) -> list[str]:
    wanted = column_names("by", by)
    for name in wanted:
        if name not in asked.by:
            raise UnknownNameError("column to group by", name, asked.by)
    return list(wanted or asked.default_by)


@contextmanager
def _session(connection: DuckDBPyConnection, asked: Report, selection: Selection) -> Iterator[DuckDBPyConnection]:
    """A session of its own on the same views, with the selection set, so that reports neither disturb the caller nor one another."""
    session = connection.cursor()
    try:
        session.execute("set TimeZone = 'UTC'")
        session.execute("set variable selection = ?", [selection.as_variable()])
        for part in asked.parts(is_narrowed=selection.is_narrowed, has_model=selection.model is not None):
            session.execute(chosen_sql(part))
        yield session
    finally:
        session.close()


def _grouped(session: DuckDBPyConnection, statement: str, by: list[str]) -> pl.DataFrame:
    session.execute("set variable sel_by = ?", [by])
    return _frame(session, statement)


def _frame(session: DuckDBPyConnection, statement: str) -> pl.DataFrame:
    from agentlog.frames import frame_of

    return frame_of(session.sql(statement))


def _sorted(frame: pl.DataFrame, wanted: tuple[str, ...]) -> pl.DataFrame:
    """The frame in the order asked for; rows that are equal in it stay in the order of the SQL, which is total."""
    columns = [name.removeprefix("-") for name in wanted]
    for column in columns:
        if column not in frame.columns:
            raise UnknownNameError("column to sort by", column, frame.columns)
    if not columns:
        return frame
    return frame.sort(columns, descending=[name.startswith("-") for name in wanted], nulls_last=True, maintain_order=True)


def _notes(session: DuckDBPyConnection, asked: Report, selection: Selection) -> tuple[str, ...]:
    if not selection.has_window:
        return ()
    ((undated,),) = session.execute("select coalesce(sum(undated), 0)::bigint from candidates").fetchall()
    return (f"{asked.undated} without a time, outside --since and --until: {undated:,}",) if undated else ()
