"""One reading statement of anybody's → rows: it sees the views and nothing else, and can change nothing.

Three walls: the statement is one SELECT by DuckDB's own parser; its syntax tree holds only nodes that read and only functions that make rows out of
what they are given (COPY and INSERT may hide in a WITH, and some table functions change settings or write files); and the session itself may open no
file but the store's parts, and its settings are locked. Names are resolved against the views, so that a wrong one is answered with the right ones.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import duckdb
import msgspec

from agentlog.dataset.damage import one_line
from agentlog.dataset.definitions import View, public_names, views
from agentlog.errors import LISTED, QueryError, UnknownNameError, listed, meant

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from agentlog.dataset.engine import Engine

_READING_NODES: Final = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE", "STATEMENT_NODE"}
_TABLE_FUNCTIONS: Final = {"range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "summary"}
_ONE: Final = "sql runs one reading statement: SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE or SHOW"
EVERYTHING: Final = "*"
"""Stands among the tables of a query that asks which tables there are."""
TABLES: Final = "show tables"
"""Likewise, of the statement that lists their names only."""
_NO_TABLE: Final = re.compile(r"Table with name (\S+) does not exist")
_PATH: Final = re.compile(r"[./\\:]")
_NO_COLUMN: Final = re.compile(r'(?:Referenced column "([^"]+)" not found|does not have a column named "([^"]+)")')


def lock(engine: Engine) -> None:
    """Let the session of this engine open nothing but its parts from now on, and change no setting."""
    connection = engine.connection
    connection.execute("set allowed_paths = $1", [engine.paths])
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def tables_read(connection: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    """The names of the tables that a statement reads, with `EVERYTHING` where it asks which there are.

    Raises `QueryError` where it is anything but one reading statement.
    """
    try:
        query.encode()
        statements = connection.extract_statements(query)
    except UnicodeEncodeError:
        raise QueryError("the query is no UTF-8") from None
    except duckdb.Error as error:
        raise QueryError(one_line(error)) from None
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise QueryError(_ONE)
    ((text,),) = connection.execute("select json_serialize_sql($1)", [statements[0].query]).fetchall()
    try:
        tree = msgspec.json.decode(text)
    except RecursionError:
        raise QueryError("the query is nested too deeply") from None
    if tree["error"]:
        raise QueryError(f"{_ONE}; of PIVOT only the form with IN (…)")
    return set(_tables(tree))


def without_steps(read: set[str], frame: pl.DataFrame) -> pl.DataFrame:
    """The answer of SHOW TABLES without the steps that views are made of; any other as it is."""
    import polars as pl

    return frame.filter(~pl.col("name").str.starts_with("_")) if read == {TABLES} and frame.columns == ["name"] else frame


def explain(error: Exception, read: set[str]) -> QueryError:
    """What is wrong with a query that reads these tables, in one line with the valid names."""
    text = one_line(error)
    if found := _NO_TABLE.search(text):
        return QueryError(_unknown_view(found[1]))
    if found := _NO_COLUMN.search(text):
        return QueryError(_unknown_column(found[1] or found[2], [views()[name] for name in public_names() if name in read]))
    return QueryError(text)


def _unknown_view(name: str) -> str:
    return str(UnknownNameError("view", name, public_names()))


def _unknown_column(name: str, read: list[View]) -> str:
    if not read:
        return f"unknown column {name!r}"
    guess = meant(name, dict.fromkeys(column for view in read for column in view.columns))
    valid = (f"{view.name} has {listed(tuple(view.columns), max(1, LISTED // len(read)))}" for view in read)
    return f"unknown column {name!r};{guess} {'; '.join(valid)}"


def _tables(tree: object) -> Iterator[str]:
    """The tables named in a syntax tree. Raises `QueryError` for a node or a function that does more than read."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            left += node.values()
            yield from _table(node)
        elif isinstance(node, list):
            left += node


def _table(node: dict[str, Any]) -> Iterator[str]:
    kind = node.get("type")
    if not isinstance(kind, str):
        return
    if kind.endswith("_NODE") and kind not in _READING_NODES:
        raise QueryError(f"{_ONE}; this one would also {kind.split('_', 1)[0]}")
    if kind == "TABLE_FUNCTION" and (name := node["function"]["function_name"].lower()) not in _TABLE_FUNCTIONS:
        raise QueryError(f"sql reads views only, not {name}(…); valid: {', '.join((*public_names(), *sorted(_TABLE_FUNCTIONS)))}")
    if kind == "BASE_TABLE" and _PATH.search(node["table_name"]):  # DuckDB would read the file of that name
        raise QueryError(_unknown_view(node["table_name"]))
    if kind == "BASE_TABLE":
        yield node["table_name"].lower() if (node.get("schema_name") or "main") == "main" else EVERYTHING
    if kind == "SHOW_REF":
        name = (node["table_name"] or "").lower()
        yield name if node["show_type"] != "SHOW_SPECIAL" else TABLES if name == '"tables"' else EVERYTHING
