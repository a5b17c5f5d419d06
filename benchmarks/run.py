"""All benchmarks, one after the other, as the Markdown of README.md.

    python benchmarks/run.py [--megabytes 500] [--large-megabytes 1000] [--files 2000] [--data FOLDER]

The data is made in FOLDER (kept, and used again) or in a scratch folder (removed).
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from generate import generate
from measure import AGENTLOG, PYTHON, run

HERE = Path(__file__).resolve().parent
KILOBYTES_A_SMALL_RUN = 22


def main() -> None:
    """Make what is missing, measure, print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--megabytes", type=float, default=500)
    options.add_argument("--large-megabytes", type=float, default=1000)
    options.add_argument("--files", type=int, default=2000)
    options.add_argument("--data", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="agentlog-bench-") as scratch:
        data = chosen.data or Path(scratch)
        archive, large, many, sessions = data / "archive", data / "large", data / "many", data / "sessions"
        if not (archive / "truth.json").exists():
            generate(archive, chosen.megabytes)
        if not (large / "truth.json").exists():
            generate(large, chosen.large_megabytes, one_file=True)
        if not (many / "truth.json").exists():
            generate(many, chosen.files * KILOBYTES_A_SMALL_RUN / 1000, small=True)
        if not (sessions / "truth.json").exists():
            generate(sessions, chosen.megabytes, sessions=True)
        libraries = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "polars", "pyarrow", "msgspec", "orjson"))
        print(f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {libraries}\n")
        show("Ingest", "ingest.py", str(archive), "--second", str(many), "--large", str(large), "--sessions", str(sessions))
        store = Path(scratch) / "store"
        run(AGENTLOG, "ingest", str(archive / "runs"), "--store", str(store))
        show("Reports", "reports.py", str(store))
        show("Start", "startup.py")


def show(title: str, script: str, *arguments: str) -> None:
    """One script's Markdown under its heading."""
    print(f"### {title}\n\n{run(PYTHON, str(HERE / script), *arguments).stdout.decode()}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
