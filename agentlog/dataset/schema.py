"""View files → what the views are: their grain, their columns, types, units and meanings. No store is needed for that.

Types are DuckDB's own answer about the views over stored tables without rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from agentlog.dataset.definitions import STORED, public, public_names, whole
from agentlog.events import arrow_schema, unit

if TYPE_CHECKING:
    import polars as pl


def schema(view: str | None = None) -> pl.DataFrame:
    """Of a view one row per column: column, type, unit, meaning. Without a view one row per view: view, grain.

    Raises UnknownNameError for a view that does not exist.
    """
    import polars as pl

    if view is None:
        return pl.DataFrame({"view": public_names(), "grain": [public(name).grain for name in public_names()]})
    asked = public(view)
    with duckdb.connect(":memory:") as connection:
        for name, row in STORED.items():
            connection.from_arrow(arrow_schema(row).empty_table()).create(name)
        described = connection.execute(f"describe {whole(asked)}").fetchall()
    columns = [(name, kind, unit(name), asked.columns[name]) for name, kind, *_ in described]
    return pl.DataFrame(columns, schema=dict.fromkeys(("column", "type", "unit", "meaning"), pl.String), orient="row")
