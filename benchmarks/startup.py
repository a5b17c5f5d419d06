"""What `agentlog --help` costs: wall time, and which third-party packages it imports (Click alone).

python benchmarks/startup.py [--times 9]
"""

from __future__ import annotations

import argparse

from measure import AGENTLOG, PYTHON, alternately, median, run, table

IMPORTED = """
import sys
before = set(sys.modules)
from agentlog.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
found = {name.partition(".")[0] for name in set(sys.modules) - before}
print("imported:", *sorted(found - sys.stdlib_module_names - {"agentlog"}))
"""


def main() -> None:
    """Measure and print Markdown."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--times", type=int, default=9)
    chosen = options.parse_args()
    imported = run(PYTHON, "-c", IMPORTED).stdout.decode().splitlines()[-1].removeprefix("imported: ")
    commands = {"`python -c pass`": (PYTHON, "-c", "pass"), "`agentlog --help`": (AGENTLOG, "--help")}
    measured = alternately(chosen.times, *(lambda command=command: run(*command) for command in commands.values()))
    rows = [[name, f"{1000 * median(done):.0f} ms"] for name, done in zip(commands, measured, strict=True)]
    print(f"{table(['', 'wall time'], rows)}\n\nthird-party packages imported by `agentlog --help`: {imported}")


if __name__ == "__main__":
    main()
