"""A command → how long it took and the most memory any process of it held; figures → Markdown.

Memory is the kernel's own high-water mark of the largest process of the command's tree, workers included. So this process must stay small:
it imports nothing heavy.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

AGENTLOG = str(Path(sysconfig.get_path("scripts")) / "agentlog")
PYTHON = sys.executable


@dataclass(frozen=True)
class Measured:
    """One run of a command."""

    seconds: float
    peak_bytes: int
    stdout: bytes


def run(*command: str) -> Measured:
    """Run it to its end; a failure ends the benchmark with what it printed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{err.read().decode(errors='replace')}")
        kilobyte = 1 if sys.platform == "darwin" else 1024
        return Measured(seconds, usage.ru_maxrss * kilobyte, out.read())


def median(runs: Sequence[Measured]) -> float:
    """The median of their seconds."""
    return statistics.median(run.seconds for run in runs)


def alternately(times: int, *commands: Callable[[], Measured]) -> list[list[Measured]]:
    """Each command so many times, turn and turn about, so that a slow minute meets all of them."""
    rounds = [[command() for command in commands] for _ in range(times)]
    return [list(column) for column in zip(*rounds, strict=True)]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, its first column text, the others figures."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def megabytes(size: float) -> str:
    """Bytes as whole megabytes."""
    return f"{size / 1e6:,.0f} MB"
