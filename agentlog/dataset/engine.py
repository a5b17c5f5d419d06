"""One state of a store → a DuckDB session with the views in it, each made when it is first needed.

The session lives in memory, in UTC, and reads only the files it was given, by their names and never by a pattern. Kept steps are computed once and stay
as tables, unless the state holds them already (`steps`). Nothing here asks what a view means or who asks for it.
"""

from __future__ import annotations

import glob
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import duckdb

from agentlog.dataset.definitions import STORED, View, column_type, needed, public_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_SETTINGS: Final = (
    "set global TimeZone = 'UTC'",
    "set global parquet_metadata_cache = true",
    "set global asof_loop_join_threshold = 0",  # a wrong guess of few rows would make it compare all pairs
)
_CONFIG: Final = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""No extension is fetched, and no variable of the calling Python program is a table."""


class Engine:
    """A session on these part files (table → absolute paths) and kept steps (name → absolute path)."""

    def __init__(self, parts: Mapping[str, Sequence[str]], steps: Mapping[str, str] | None = None) -> None:
        spill = Path(tempfile.gettempdir()) / f"agentlog-{secrets.token_hex(8)}"  # DuckDB makes it when it first needs it
        self.connection = duckdb.connect(":memory:", config={**_CONFIG, "temp_directory": str(spill)})
        for setting in _SETTINGS:
            self.connection.execute(setting)
        self._steps = dict(steps or {})
        self._made: set[str] = set()
        stored = {name: list(parts[name.removeprefix("_")]) for name in STORED}
        self.files = [*(path for paths in stored.values() for path in paths), *self._steps.values()]
        """All files it reads."""
        for name, paths in stored.items():
            read_files(self.connection, paths).create_view(name)

    @property
    def paths(self) -> list[str]:
        """All files it reads, and each as a pattern that matches only itself, which is how DuckDB asks for them."""
        return sorted({*self.files, *map(glob.escape, self.files)})

    def need(self, names: Iterable[str]) -> None:
        """Make sure that these views, and what they are made of, are there. Names of other things are passed over."""
        for view in needed(names, given=self._steps):
            if view.name not in self._made:
                self._make(view)
                self._made.add(view.name)

    def need_all(self) -> None:
        """Make sure that every public view is there."""
        self.need(public_names())

    def _make(self, view: View) -> None:
        if view.name in self._steps:
            read_step(self.connection, view, self._steps[view.name]).create_view(view.name)
        elif not view.is_kept:
            self.connection.execute(f"create view {view.name} as {view.sql}")
        elif view.kept_where is not None and not self._has_rows(view.kept_where):
            columns = ", ".join(f"{name} {column_type(name)}" for name in view.columns)
            self.connection.execute(f"create table {view.name} ({columns})")
        else:
            self.connection.execute(f"create table {view.name} as {view.sql}")

    def _has_rows(self, name: str) -> bool:
        return bool(self.connection.table(name).limit(1).fetchall())


def read_files(connection: duckdb.DuckDBPyConnection, paths: Sequence[str]) -> duckdb.DuckDBPyRelation:
    """The rows of these files, whatever characters their names are made of."""
    return connection.read_parquet([glob.escape(path) for path in paths], hive_partitioning=False, union_by_name=False)


def read_step(connection: duckdb.DuckDBPyConnection, view: View, path: str) -> duckdb.DuckDBPyRelation:
    """The rows of a kept step; Parquet has no 128-bit integers, so they lie there as decimals."""
    wide = (f"{name}::hugeint as {name}" if column_type(name) == "hugeint" else name for name in view.columns)
    return read_files(connection, [path]).project(", ".join(wide))
