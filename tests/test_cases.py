"""The cases beside the checkout, judged by their own script; skipped where they are not."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PASSING = (
    *("B01", "B05", "B07", "B08", "B09", "B11", "B12", "B15", "B47", "B49", "B50", "B54", "B55", "B58", "B66", "B69", "B70", "B80"),
    *("B85", "B86", "B88", "B91", "B105"),
)
"""Every case whose kind of input agentlog models: each stays here for good."""


@pytest.fixture(scope="module")
def verdicts(cases: Path, command: str) -> dict[str, str]:
    """Each case's verdict with its faults; two processes share the work."""
    script = [sys.executable, str(cases / "check.py"), "--agentlog", command]
    halves = [subprocess.Popen([*script, *PASSING[half::2]], stdout=subprocess.PIPE, text=True) for half in range(2)]
    printed = "".join(half.communicate()[0] for half in halves)
    return {found[1]: found[2].strip() for found in re.finditer(r"^(B\d+): (.*(?:\n    .*)*)", printed, re.MULTILINE)}


@pytest.mark.parametrize("case", PASSING)
def test_case(case: str, verdicts: dict[str, str]) -> None:
    assert verdicts[case] == "pass"
