"""A store → its views: a read-only, consistent snapshot of it, for Python, for SQL and for reports.

    store = agentlog.open(".agentlog")
    store.view("tool_calls")                       # a polars DataFrame
    store.report("cost", by=["day", "model"])
    store.sql("from turns where context_tokens > 150000")
    store.connection                               # the DuckDB connection, with all views, in UTC

What the views mean stands in `views/*.sql`; this package only brings them to life. A `Store` sees the state that was published when it was opened, also
while others are published; two publishes later its files are gone, and it says so.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, Unpack

import duckdb

from agentlog.dataset import sandbox
from agentlog.dataset.catalog import write_catalog
from agentlog.dataset.damage import cannot_read, check_parts, check_tables
from agentlog.dataset.definitions import public, public_names, read_by
from agentlog.dataset.engine import Engine
from agentlog.dataset.schema import schema
from agentlog.dataset.steps import steps_of, write_steps
from agentlog.errors import StoreError
from agentlog.frames import frame_of
from agentlog.store import Generation, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    import polars as pl

    from agentlog.reports import Answer, Options

__all__ = ["Store", "open", "schema", "write_catalog", "write_steps"]


def open(store: str | os.PathLike[str] | None = None) -> Store:
    """A snapshot of a store: of `store`, else `$AGENTLOG_STORE`, else `./.agentlog`.

    Raises StoreError where there is no store, or one of another schema version.
    """
    if store is not None and "\0" in os.fsdecode(store):
        raise StoreError(f"{store!r} cannot be the path of a store: it holds a NUL")
    return Store(resolve(store))


class Store:
    """One published state of a store, to read. Also a context manager that closes it."""

    def __init__(self, generation: Generation) -> None:
        self._generation = generation

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The DuckDB connection with every view in it; its session is in UTC. What is done on it stays in memory and touches no file of the store."""
        with self._reading():
            self._engine.need_all()
        return self._engine.connection

    def views(self) -> list[str]:
        """The names of the views."""
        return list(public_names())

    def schema(self, view: str | None = None) -> pl.DataFrame:
        """Of a view one row per column: column, type, unit, meaning. Without a view one row per view: view, grain.

        Raises UnknownNameError for a view that does not exist.
        """
        return schema(view)

    def view(self, name: str) -> pl.DataFrame:
        """All rows of a view. Raises UnknownNameError for a view that does not exist."""
        public(name)
        with self._reading():
            self._engine.need([name])
            return frame_of(self._engine.connection.sql(f"from {name}"))

    def sql(self, query: str, params: Sequence[Any] | Mapping[str, Any] | None = None) -> pl.DataFrame:
        """The rows of one reading statement over the views: SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE or SHOW.

        `params` are the values of its `$1`, `$2`, … (or `?`), or of its `$names`. It can neither write nor reach any other file, setting or network.
        Values that polars has not (intervals, times of day, infinity) come as text.
        Raises QueryError, in one line, for anything else and for names that do not exist.
        """
        if not isinstance(query, str):
            raise TypeError(f"query is {query!r}; it may be text")
        engine = self._sandbox
        with self._reading():
            read = sandbox.tables_read(engine.connection, query)
            if {sandbox.EVERYTHING, sandbox.TABLES} & read:
                engine.need_all()
            engine.need(read)
            try:
                return sandbox.without_steps(read, frame_of(engine.connection.sql(query, params=params)))
            except (duckdb.Error, ValueError) as error:
                if self._is_overtaken or (isinstance(error, duckdb.Error) and cannot_read(error, engine.files)):
                    raise
                raise sandbox.explain(error, read) from None

    def report(self, name: str, **options: Unpack[Options]) -> pl.DataFrame:
        """The rows of a named report: of `cost`, `tokens`, `tools`, … with the options of `agentlog.reports.Options`.

        Raises UnknownNameError for a report or column that does not exist, AgentlogError for a time that cannot be read.
        """
        return self.answer(name, **options).frame

    def answer(self, name: str, **options: Unpack[Options]) -> Answer:
        """A named report with its totals and what there is to say about it."""
        from agentlog import reports

        text = reports.sql_of(name, options)
        with self._reading():
            self._engine.need(read_by(text))
            return reports.answer(self._engine.connection, name, **options)

    def close(self) -> None:
        """Close its connections; it cannot be used any more."""
        for name in ("_engine", "_sandbox"):
            if name in self.__dict__:
                self.__dict__[name].connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.close()

    @cached_property
    def _engine(self) -> Engine:
        return self._new_engine()

    @cached_property
    def _sandbox(self) -> Engine:
        engine = self._new_engine()
        sandbox.lock(engine)
        return engine

    def _new_engine(self) -> Engine:
        generation = self._generation
        with self._reading():
            check_tables(generation)
            parts = {"events": generation.events, "unreadable": generation.unreadable, "sources": generation.sources}
            engine = Engine(parts, steps_of(generation.path))
            check_parts(generation, engine)
            return engine

    @property
    def _is_overtaken(self) -> bool:
        """Whether the files of this state are gone."""
        return not self._generation.path.exists()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Say in one line that the files of this state are gone, or cannot be read, where that is what went wrong."""
        try:
            yield
        except duckdb.Error as error:
            generation = self._generation
            if self._is_overtaken:
                directory = generation.path.parent.parent
                raise StoreError(f"the store {directory} has been published anew since it was opened; open it again") from error
            files = (*generation.events, *generation.unreadable, *generation.sources, *steps_of(generation.path).values())
            if damage := cannot_read(error, files):
                raise damage from error
            raise
