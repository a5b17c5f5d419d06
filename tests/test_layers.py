"""The package's layers, read from its syntax trees: imports only point left, and each heavy library has its owners."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agentlog

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(agentlog.__file__).parent
LAYERS = (
    *("errors", "events"),
    *("content", "documents", "sources"),
    *("models", "mend", "runs", "salvage", "repair", "outlines", "harnesses"),
    *("decode", "reading"),
    *("durable", "parts", "store"),
    *("duplicates", "tasks", "plan", "workers", "changes"),
    *("frames", "reports", "dataset", "ingest"),
    *("render", "cli", "__main__"),
)
"""Left to right: a module imports only what stands left of it."""

OWNERS = {
    "pyarrow": {"events", "parts"},
    "duckdb": {"frames", "dataset", "reports"},
    "polars": {"frames", "dataset", "reports", "render"},
    "click": {"cli"},
    "rich": {"render", "cli"},
    "filelock": {"store"},
    "zstandard": {"content"},
}
MODULES = sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py"})  # which exports from every layer, lazily


def layer_of(module: str) -> str:
    """The layer's name: of a module in a folder, the folder."""
    return module.split(".", maxsplit=1)[0]


def module_of(path: Path) -> str:
    """`harnesses/claude/usage.py` → `harnesses.claude.usage`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, at any depth of it and under `TYPE_CHECKING` too, by its full name."""
    package = ["agentlog", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{name}.{alias.name}" for alias in node.names) if name == "agentlog" else (name,)


@pytest.mark.parametrize("path", MODULES, ids=module_of)
def test_imports_point_left(path: Path) -> None:
    module = module_of(path)
    used = {layer_of(name.removeprefix("agentlog.")) for name in imports(path) if name.startswith("agentlog.")}
    assert {layer_of(module), *used} <= set(LAYERS), "a module without a place in LAYERS"
    assert {name for name in used if LAYERS.index(name) > LAYERS.index(layer_of(module))} == set()


@pytest.mark.parametrize("library", OWNERS)
def test_a_library_has_its_owners(library: str) -> None:
    users = {layer_of(module_of(path)) for path in MODULES for name in imports(path) if name.split(".")[0] == library}
    assert users <= OWNERS[library]


@pytest.mark.parametrize("pattern", ["views/runs.sql", "reports/cost.sql", "py.typed"])
def test_the_package_ships_more_than_modules(pattern: str) -> None:
    assert (PACKAGE / pattern).is_file()
