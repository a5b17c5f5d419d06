"""Views → `agentlog.duckdb`: the same views for other programs, in a file of their own.

Each public view is whole in itself but for the files it reads: its steps are part of it, so that it asks for no setting and no step of the session. It
reads the store's parts, and the kept steps where the state has them, through the links that a publish switches, by the absolute path of the directory;
the catalog holds no rows.
"""

from __future__ import annotations

import glob
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import Final

import duckdb

from agentlog.dataset.damage import one_line
from agentlog.dataset.definitions import public, public_names, views, whole
from agentlog.dataset.engine import read_step
from agentlog.dataset.steps import FOLDER, steps_of
from agentlog.durable import PRIVATE_FILE, cannot_write, flush, make_file, remove
from agentlog.errors import StoreError
from agentlog.events import TABLES
from agentlog.store import CATALOG, CURRENT

_STORAGE: Final = "v1.0.0"
"""The oldest file format that DuckDB still writes: any client can open it."""


def write_catalog(directory: Path) -> None:
    """Write the catalog of the store in this directory anew; a reader finds the old one or the new one. Raises StoreError where it cannot be written."""
    target = directory / CATALOG
    for left in directory.glob(f".{CATALOG}-*"):
        remove(left)
    fresh = directory / f".{CATALOG}-{secrets.token_hex(8)}"
    try:
        _make(directory, fresh)
        fresh.chmod(PRIVATE_FILE)
        flush(fresh)
        remove(target.with_name(f"{CATALOG}.wal"))  # of an older file: it would be replayed into this one
        fresh.replace(target)
        flush(directory)
    except OSError as error:
        raise cannot_write(target, error) from error
    except duckdb.Error as error:
        raise StoreError(f"cannot write {target}: {one_line(error)}") from error
    finally:
        remove(fresh)
        remove(fresh.with_name(f"{fresh.name}.wal"))


def _make(directory: Path, path: Path) -> None:
    """DuckDB takes a question mark in the path of a database for the end of its name, so there the file is made elsewhere and copied."""
    if "?" not in str(path):
        _fill(directory, path)
        return
    with tempfile.TemporaryDirectory() as elsewhere:
        _fill(directory, Path(elsewhere) / CATALOG)
        make_file(path)
        shutil.copyfile(Path(elsewhere) / CATALOG, path)


def _fill(directory: Path, path: Path) -> None:
    steps = steps_of(directory / CURRENT)
    with duckdb.connect(":memory:") as connection:
        quoted = str(path).replace("'", "''")
        connection.execute(f"attach '{quoted}' as catalog (storage_version '{_STORAGE}')")
        connection.execute("use catalog")
        for table in TABLES:
            pattern = f"{glob.escape(str(directory))}/{table}/*.parquet"
            connection.read_parquet(pattern, hive_partitioning=False, union_by_name=False).create_view(f"_{table}")
        for name in steps:
            read_step(connection, views()[name], str(directory / CURRENT / FOLDER / f"{name}.parquet")).create_view(name)
        for name in public_names():
            view = public(name)
            connection.execute(f"create view {name} as {whole(view, given=steps)}")
            meaning = view.grain.replace("'", "''")
            connection.execute(f"comment on view {name} is '{meaning}'")
        connection.execute("use memory")
        connection.execute("detach catalog")
