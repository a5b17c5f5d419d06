"""A store's files + what DuckDB says of them → the file that is missing or damaged, in one line with what to do about it.

DuckDB does not always name the file that it failed on, and cannot miss one that nobody told it of. Nothing here asks what is in the files.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING, Final

import duckdb

from agentlog.errors import StoreError
from agentlog.events import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentlog.dataset.engine import Engine
    from agentlog.store import Generation

_AGAIN: Final = "`agentlog ingest --force PATH…` reads all sources again"
_READS_A_FILE: Final = (duckdb.IOException, duckdb.InternalException, duckdb.SerializationException)


def check_tables(generation: Generation) -> None:
    """Raise StoreError where a table has no file at all: there is always at least one."""
    for table in TABLES:
        if not getattr(generation, table):
            raise StoreError(f"cannot read {generation.path / table}: it holds no file; {_AGAIN}")


def check_parts(generation: Generation, engine: Engine) -> None:
    """Raise StoreError where a file is not there that rows of some source lie in: the views would silently leave them out."""
    rows = engine.connection.execute(
        "select part, coalesce(bool_or(events > 0), false) from _sources where part is not null group by part order by part"
    ).fetchall()
    events, unreadable = ({Path(path).name for path in paths} for paths in (generation.events, generation.unreadable))
    for part, has_events in rows:
        if part not in (events if has_events else events | unreadable):
            raise StoreError(f"cannot read {generation.path / 'events' / part}: it is not there; {_AGAIN}")


def cannot_read(error: duckdb.Error, files: Iterable[str]) -> StoreError | None:
    """The error that names the file of the store that DuckDB could not read; None where the fault is another."""
    text, files = one_line(error), list(files)
    is_of_files = isinstance(error, _READS_A_FILE) or type(error) is duckdb.Error
    file = next((file for file in files if file in text), None) or (_first_damaged(files) if is_of_files else None)
    if file is not None:
        return StoreError(f"cannot read {file}: {text}; {_AGAIN}")
    return StoreError(f"cannot read the store: {text}") if is_of_files or isinstance(error, duckdb.OutOfMemoryException) else None


def one_line(error: Exception) -> str:
    """DuckDB's own words, without its quotation of the query."""
    first = str(error).split("\n\n", 1)[0].split("\nLINE ", 1)[0]
    return " ".join(first.split())


def _first_damaged(files: Iterable[str]) -> str | None:
    with duckdb.connect(":memory:") as connection:
        for file in files:
            try:
                connection.read_parquet(glob.escape(file)).aggregate("max(hash(columns(*)))").fetchall()
            except duckdb.Error:
                return file
    return None
