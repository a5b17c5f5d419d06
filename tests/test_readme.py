"""The README's commands print what it says they print; its Python runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"^\$ (agentlog (?:[^\n\"]|\"[^\"]*\")*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample data in it, where a newcomer types."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "sample_data").symlink_to(ROOT / "sample_data")
    return folder


def test_commands_print_what_the_readme_shows(folder: Path, command: str) -> None:
    shown = SHOWN.findall(README)
    assert [shlex.split(typed)[1] for typed, _ in shown] == ["ingest", "cost", "sql"]
    for typed, output in shown:
        done = subprocess.run(
            [command, *shlex.split(typed)[1:]], cwd=folder, env={**os.environ, "COLUMNS": "100"}, capture_output=True, check=True
        )
        assert [line.rstrip() for line in done.stdout.decode().splitlines()] == [line.rstrip() for line in output.splitlines()]


def test_its_python_runs(folder: Path, command: str) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    subprocess.run([command, "ingest", "sample_data/claude"], cwd=folder, capture_output=True, check=True)
    done = subprocess.run([sys.executable, "-c", f"{code}\nprint(frame['cost_usd'].sum())"], cwd=folder, capture_output=True, check=True)
    assert float(done.stdout) == pytest.approx(1.7492125)
