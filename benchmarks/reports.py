"""A store → the wall time of every report on it, beyond the interpreter and its imports.

    python benchmarks/reports.py STORE [--times 5]

A report is a whole process; what is taken off is a process that imports the same libraries and does nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from measure import AGENTLOG, PYTHON, alternately, median, megabytes, run, table

REPORTS = (
    "runs",
    "turns",
    "cost",
    "tokens",
    "cache",
    "tools",
    "retries",
    "compactions",
    "subagents",
    "unreadable",
    "unmodelled",
    "sources",
)
IMPORTS = "import agentlog.cli, agentlog.dataset, agentlog.render, click, duckdb, polars, rich.console, rich.table"


def main() -> None:
    """Measure and print Markdown."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("store", type=Path)
    options.add_argument("--times", type=int, default=5)
    chosen = options.parse_args()
    store = str(chosen.store.resolve())
    run(AGENTLOG, "runs", "--store", store)  # warm
    idle, *reports = alternately(
        chosen.times, lambda: run(PYTHON, "-c", IMPORTS), *(lambda name=name: run(AGENTLOG, name, "--store", store) for name in REPORTS)
    )
    floor = median(idle)
    rows = [
        [f"`agentlog {name}`", f"{median(done):.2f} s", f"{median(done) - floor:.2f} s", megabytes(max(one.peak_bytes for one in done))]
        for name, done in zip(REPORTS, reports, strict=True)
    ]
    print(f"interpreter and imports: {floor:.2f} s\n\n{table(['', 'wall time', 'beyond that', 'peak'], rows)}")


if __name__ == "__main__":
    main()
