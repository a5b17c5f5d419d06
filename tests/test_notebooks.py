"""The notebooks run from top to bottom, and are kept without outputs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from nbclient import NotebookClient

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Its cells of code."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: NotebookNode) -> str:
    """What a cell's outputs say, as text."""
    return "".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_kept_without_outputs(path: Path) -> None:
    cells = code_cells(nbformat.read(path, as_version=4))
    assert [cell.id for cell in cells if cell.outputs or cell.execution_count] == []


def test_first_look_shows_the_sample_data() -> None:
    path = next(path for path in NOTEBOOKS if path.stem == "first_look")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
    said = {cell.id: shown(cell) for cell in code_cells(notebook)}
    assert "claude-haiku-4-5" in said["cost"]
    assert "Bash" in said["tools"]
    assert "155406" in said["context-by-turn"]
    assert said["read"].splitlines()[0].split()[1] == "session"
