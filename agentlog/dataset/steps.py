"""Kept steps ⇄ Parquet files in a state of a store: what every view is made of, computed once when the state is published.

They are no part of what was read from the sources: any state can do without them, and those made by other view files are not used. They are written
before the state is published, so that whoever sees the state sees them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import duckdb

from agentlog.dataset.damage import cannot_read, one_line
from agentlog.dataset.definitions import View, column_type, fingerprint, lasting
from agentlog.dataset.engine import Engine
from agentlog.durable import PRIVATE_FILE, cannot_write, flush, make_folder, write_file
from agentlog.errors import StoreError
from agentlog.events import TABLES

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = "steps"
_FINGERPRINT: Final = "fingerprint"


def steps_of(generation: Path) -> dict[str, str]:
    """The kept steps that a state holds, name → path; none where they are missing or of other view files."""
    folder = generation / FOLDER
    try:
        is_ours = (folder / _FINGERPRINT).read_text(encoding="ascii") == fingerprint()
    except (OSError, UnicodeDecodeError):
        return {}
    return {view.name: str(_path(folder, view)) for view in lasting()} if is_ours else {}


def write_steps(generation: Path) -> None:
    """Compute the kept steps of a state that is about to be published, from its parts, into it. Raises StoreError where that cannot be written."""
    folder = generation / FOLDER
    engine = Engine({table: sorted(map(str, (generation / table).iterdir())) for table in TABLES})
    try:
        make_folder(folder)
        for view in lasting():
            engine.need([view.name])
            _write(engine.connection, view, _path(folder, view))
        write_file(folder / _FINGERPRINT, fingerprint().encode())
        flush(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    except duckdb.Error as error:
        raise cannot_read(error, engine.files) or StoreError(f"cannot write {folder}: {one_line(error)}") from error
    finally:
        engine.connection.close()


def _write(connection: duckdb.DuckDBPyConnection, view: View, path: Path) -> None:
    narrow = (f"{name}::decimal(38, 0) as {name}" if column_type(name) == "hugeint" else name for name in view.columns)
    connection.table(view.name).project(", ".join(narrow)).write_parquet(str(path), compression="snappy")
    path.chmod(PRIVATE_FILE)
    flush(path)


def _path(folder: Path, view: View) -> Path:
    return folder / f"{view.name}.parquet"
