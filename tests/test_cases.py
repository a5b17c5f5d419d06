"""The cases beside the checkout, judged by their own script; skipped where they are not.

The script starts `agentlog` as a command for each figure it compares. Here its command line runs in this process, which says the same in a tenth of the time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from agentlog import cli

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

PASSING = (
    *("B01", "B02", "B04", "B05", "B07", "B08", "B09", "B11", "B12", "B15", "B18", "B20", "B22", "B24", "B25", "B47", "B49", "B50", "B51"),
    *("B52", "B54", "B55", "B58", "B60", "B63", "B64", "B66", "B68", "B69", "B70", "B71", "B73", "B76", "B77", "B80", "B81", "B83", "B85"),
    *("B86", "B88", "B89", "B91", "B96", "B98", "B105"),
)
"""Every case whose kind of input agentlog models: each stays here for good."""


class _Bytes(io.TextIOWrapper):
    """A standard stream that keeps what is written to it."""

    def __init__(self) -> None:
        self.kept = io.BytesIO()
        super().__init__(self.kept, encoding="utf-8", write_through=True)


def in_this_process(log: Any, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """What `check.py` does with the command, without another process; one for another environment has to be another."""
    if env:
        return subprocess.run([*log.command, *arguments], capture_output=True, env={**os.environ, **env}, check=False)
    out, err = _Bytes(), _Bytes()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(arguments)
    return subprocess.CompletedProcess(arguments, code, out.kept.getvalue(), err.kept.getvalue())


@pytest.fixture(scope="module")
def check(cases: Path) -> ModuleType:
    """The script that judges."""
    spec = importlib.util.spec_from_file_location("check", cases / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.Agentlog.run = in_this_process
    return module


@pytest.mark.parametrize("case", PASSING)
def test_case(case: str, check: ModuleType, cases: Path, command: str) -> None:
    assert check.judge(cases / case, [command]) == []
