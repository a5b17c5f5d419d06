"""An archive → what an ingest of it costs, beside one process that does nothing but `orjson.loads` on every line.

    python benchmarks/ingest.py ARCHIVE [--times 3] [--second FOLDER_OF_MANY_FILES] [--large ARCHIVE_OF_ONE_FILE] [--sessions ARCHIVE]

ARCHIVE holds runs/ and truth.json as `generate.py` writes them. Both sides are whole processes, start included, turn and turn about; the
medians are compared. The store's totals must equal truth.json, or this ends with exit 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from measure import AGENTLOG, PYTHON, Measured, alternately, median, megabytes, run, table

PARSE_ONLY = """
import sys
from pathlib import Path
import orjson
for path in sorted(Path(sys.argv[1]).rglob("*.jsonl")):
    with open(path, "rb", buffering=1 << 20) as file:
        for line in file:
            try:
                orjson.loads(line)
            except orjson.JSONDecodeError:
                pass
"""
TOTALS = """
select (select count(*) from sources) as files, (select count(*) from runs) as runs, (select sum(source_bytes) from sources) as bytes,
    (select sum(lines) from sources) as lines, (select count(*) from turns) as turns, sum(input_tokens) as input_tokens,
    sum(output_tokens) as output_tokens, sum(cache_read_tokens) as cache_read_tokens, sum(cache_write_tokens) as cache_write_tokens,
    (select count(*) from tool_calls) as tool_calls, (select count(*) from tool_calls where status = 'error') as tool_errors,
    (select count(*) from api_retries) as api_retries, (select count(*) from compactions where status = 'completed') as compactions,
    (select count(*) from unreadable where not is_repaired) as unreadable_lines, sum(cost_usd) as cost_usd
from usage
"""


def ingest(runs: Path, store: Path) -> Measured:
    """One `agentlog ingest`; what it says about itself is on its stdout as JSON."""
    return run(AGENTLOG, "ingest", str(runs), "--store", str(store), "--format", "json")


def wrong_totals(archive: Path, store: Path) -> list[str]:
    """What the store says otherwise than the archive's truth."""
    truth: dict[str, Any] = json.loads((archive / "truth.json").read_text(encoding="utf-8"))
    (totals,) = json.loads(run(AGENTLOG, "sql", TOTALS, "--store", str(store), "--format", "json").stdout)
    return [
        f"{name}: {totals[name]}, right is {right}"
        for name, right in truth.items()
        if name in totals and abs(totals[name] - right) > 1e-6 * abs(right) * (name == "cost_usd")
    ]


def cold(archive: Path, scratch: Path, times: int) -> tuple[str, list[str]]:
    """Ingest into an empty store against parsing only: a table, and what was counted wrongly."""
    runs = archive / "runs"
    size = sum(path.stat().st_size for path in runs.rglob("*.jsonl"))
    stores = iter(scratch / f"cold-{number}" for number in range(times + 1))
    run(PYTHON, "-c", PARSE_ONLY, str(runs))  # both sides read from the page cache
    parsed, ingested = alternately(times, lambda: run(PYTHON, "-c", PARSE_ONLY, str(runs)), lambda: ingest(runs, next(stores)))
    rows = [
        [name, f"{median(done):.2f} s", f"{size / median(done) / 1e6:,.0f} MB/s", megabytes(max(one.peak_bytes for one in done))]
        for name, done in (("`orjson.loads` on every line, one process", parsed), ("`agentlog ingest`, cold", ingested))
    ]
    rows.append(["ratio", f"{median(ingested) / median(parsed):.2f}", "", ""])
    store = scratch / "cold-0"
    kept = sum(path.stat().st_size for path in store.rglob("*") if path.is_file() and not path.is_symlink())
    title = f"{megabytes(size)} in {len(list(runs.rglob('*.jsonl'))):,} files; the store takes {megabytes(kept)}"
    return f"{title}\n\n{table(['', 'wall time', 'rate', 'peak of any process'], rows)}", wrong_totals(archive, store)


def second(archive: Path, scratch: Path, times: int) -> str:
    """Ingest again what has not changed."""
    store = scratch / "second"
    ingest(archive / "runs", store)
    again = [ingest(archive / "runs", store) for _ in range(times)]
    files = len(list((archive / "runs").rglob("*.jsonl")))
    return f"second ingest of {files:,} unchanged files: {median(again):.2f} s, {read_files(again[-1])} files read"


def read_files(done: Measured) -> int:
    """How many files an ingest says it read."""
    return int(json.loads(done.stdout)["files_read"])


def main() -> int:
    """Measure and print Markdown."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("archive", type=Path)
    options.add_argument("--times", type=int, default=3)
    options.add_argument("--second", type=Path, help="archive of many small files, for the second ingest")
    options.add_argument("--large", type=Path, help="archive of one large file, for its memory")
    options.add_argument("--sessions", type=Path, help="archive of session files, for their time per byte")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="agentlog-bench-") as name:
        scratch = Path(name)
        report, wrong = cold(chosen.archive, scratch, chosen.times)
        print(report)
        if chosen.large:
            report, wrong_large = cold(chosen.large, scratch / "large", 1)
            print(f"\n{report}")
            wrong += wrong_large
        if chosen.sessions:
            report, wrong_sessions = cold(chosen.sessions, scratch / "sessions", chosen.times)
            print(f"\nsession files: {report}")
            wrong += wrong_sessions
        if chosen.second:
            print(f"\n{second(chosen.second, scratch, chosen.times)}")
    print("\ntotals equal truth.json" if not wrong else "\nWRONG TOTALS: " + "; ".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
