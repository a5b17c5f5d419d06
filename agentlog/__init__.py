"""Archived transcripts of coding agents → a store of Parquet files, views over it, and reports that add up.

    agentlog.ingest(["runs/"])                      # what is new or changed in a folder, into ./.agentlog
    store = agentlog.open()                         # a snapshot of it to read
    store.report("cost", by=["day", "model"])       # a polars DataFrame; also store.view(…) and store.sql(…)
    for event in agentlog.read_events("run.jsonl"): # without a store

Names are imported when they are first used: `import agentlog` is cheap.
"""

from __future__ import annotations

import sys
import types
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agentlog.dataset import Store, open
    from agentlog.errors import AgentlogError, PathError, QueryError, StoreError, UnknownNameError
    from agentlog.events import Event, Source, Unreadable
    from agentlog.ingest import IngestReport, ingest
    from agentlog.reading import read_events

    __version__: str

_HOMES: Final = {
    "AgentlogError": "errors",
    "Event": "events",
    "IngestReport": "ingest",
    "PathError": "errors",
    "QueryError": "errors",
    "Source": "events",
    "Store": "dataset",
    "StoreError": "errors",
    "UnknownNameError": "errors",
    "Unreadable": "events",
    "ingest": "ingest",
    "open": "dataset",
    "read_events": "reading",
}
"""Public name → the module it comes from."""

__all__ = [
    "AgentlogError",
    "Event",
    "IngestReport",
    "PathError",
    "QueryError",
    "Source",
    "Store",
    "StoreError",
    "UnknownNameError",
    "Unreadable",
    "ingest",
    "open",
    "read_events",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("agentlog")
    if name not in _HOMES:
        raise AttributeError(f"module 'agentlog' has no attribute {name!r}")
    value = getattr(import_module(f"agentlog.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


class _Package(types.ModuleType):
    """Python binds an imported submodule to its package; this one keeps the function `agentlog.ingest` from being replaced by its module."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, types.ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
