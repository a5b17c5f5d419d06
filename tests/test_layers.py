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
    ("errors",),
    ("events",),
    ("sources",),
    ("harnesses",),
    ("decode",),
    ("store",),
    ("ingest",),
    ("dataset",),
    ("reports",),
    ("render",),
    ("cli", "__main__"),
)
"""Left to right; a module may import what stands left of it, and its own neighbours."""

OWNERS = {
    "pyarrow": {"events", "store"},
    "duckdb": {"dataset"},
    "polars": {"dataset", "render"},
    "click": {"cli"},
    "rich": {"render", "cli"},
    "filelock": {"store"},
    "zstandard": {"sources"},
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer_of(module: str) -> str:
    """The layer's name: of a module in a folder, the folder."""
    return module.split(".")[0]


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
    order = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    module = module_of(path)
    if module == "__init__":
        pytest.skip("it exports from every layer, lazily")
    used = {layer_of(name.removeprefix("agentlog.")) for name in imports(path) if name.startswith("agentlog.")}
    unknown = {name for name in {layer_of(module), *used} if name not in order}
    assert not unknown, f"{module}: no layer is named for {sorted(unknown)}"
    assert {name for name in used if order[name] > order[layer_of(module)]} == set()


@pytest.mark.parametrize("library", OWNERS)
def test_a_library_has_its_owners(library: str) -> None:
    users = {layer_of(module_of(path)) for path in MODULES for name in imports(path) if name.split(".")[0] == library}
    assert users <= OWNERS[library]


def test_sql_is_not_made_outside_its_files() -> None:
    """Views and reports are one SELECT a file; the package ships them."""
    assert sorted(path.name for path in (PACKAGE / "views").glob("*.sql"))
    assert sorted(path.name for path in (PACKAGE / "reports").glob("*.sql"))


def test_the_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()
