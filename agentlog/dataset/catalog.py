"""Views → `agentlog.duckdb`: the same views for other programs, in a file of their own.

Each public view is whole in itself: its steps are part of it, so that the catalog shows the contract's views and nothing else, and asks for no setting
of the session. It reads the store's parts through the link that a publish switches, by the absolute path of the directory, and holds no rows.
"""

from __future__ import annotations

import glob
import secrets
from typing import TYPE_CHECKING, Final

import duckdb

from agentlog.dataset.definitions import View, needed, public, public_names
from agentlog.durable import PRIVATE_FILE, cannot_write, flush, remove
from agentlog.errors import StoreError
from agentlog.events import TABLES
from agentlog.store import CATALOG

if TYPE_CHECKING:
    from pathlib import Path

_STORAGE: Final = "v1.0.0"
"""The oldest file format that DuckDB still writes: any client can open it."""


def whole(view: View) -> str:
    """The view as one statement over the stored tables."""
    steps = [step for step in needed([view.name]) if step.name != view.name]
    if not steps:
        return view.sql
    return "with " + ", ".join(f"{step.name} as ({step.sql})" for step in steps) + f" select * from ({view.sql})"


def write_catalog(directory: Path) -> None:
    """Write the catalog of the store in this directory anew; a reader finds the old one or the new one. Raises StoreError where it cannot be written."""
    target = directory / CATALOG
    for left in directory.glob(f".{CATALOG}-*"):
        remove(left)
    fresh = directory / f".{CATALOG}-{secrets.token_hex(8)}"
    try:
        _fill(directory, fresh)
        fresh.chmod(PRIVATE_FILE)
        flush(fresh)
        remove(target.with_name(f"{CATALOG}.wal"))  # of an older file: it would be replayed into this one
        fresh.replace(target)
        flush(directory)
    except OSError as error:
        raise cannot_write(target, error) from error
    except duckdb.IOException as error:
        raise StoreError(f"cannot write {target}: {error}") from error
    finally:
        remove(fresh)


def _fill(directory: Path, path: Path) -> None:
    with duckdb.connect(":memory:") as connection:
        quoted = str(path).replace("'", "''")
        connection.execute(f"attach '{quoted}' as catalog (storage_version '{_STORAGE}')")
        connection.execute("use catalog")
        for table in TABLES:
            pattern = f"{glob.escape(str(directory))}/{table}/*.parquet"
            connection.read_parquet(pattern, hive_partitioning=False, union_by_name=False).create_view(f"_{table}")
        for name in public_names():
            view = public(name)
            connection.execute(f"create view {name} as {whole(view)}")
            meaning = view.grain.replace("'", "''")
            connection.execute(f"comment on view {name} is '{meaning}'")
        connection.execute("use memory")
        connection.execute("detach catalog")
