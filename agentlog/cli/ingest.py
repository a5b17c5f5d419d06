"""Paths → the store, with a bar on the way and a summary at the end."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Final

import click

from agentlog.cli import options
from agentlog.cli.output import say
from agentlog.errors import EXIT_GATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress as RichProgress

    from agentlog.ingest import IngestReport

LISTED_PROBLEMS: Final = 20
LOCK_TIMEOUT: Final = 60.0
LEAST_BYTES: Final = 10_000_000
"""Reading less than this says nothing about the speed."""


def _seconds(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if math.isnan(value):  # which lies in every range
        raise click.BadParameter("nan is no number of seconds")
    return value


@click.command(epilog="Example: agentlog ingest runs/ --strict; or agentlog ingest --claude")
@click.argument("paths", nargs=-1, metavar="PATH...")
@options.STORE
@click.option(
    "--claude",
    is_flag=True,
    help="Also the session files that Claude Code keeps: below $CLAUDE_CONFIG_DIR, ~/.claude and ~/.config/claude.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.  [default: one per core, where there is enough to read]"
)
@click.option("--force", is_flag=True, help="Read every file again, also those that have not changed.")
@click.option("--prune", is_flag=True, help="Drop sources below these paths whose files are gone.")
@click.option("--harness", metavar="NAME", help="Take every file for one of this harness.  [default: told by its records]")
@click.option(
    "--lock-timeout",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=LOCK_TIMEOUT,
    callback=_seconds,
    show_default=True,
    help="How long to wait for another ingest.",
)
@click.option("--strict", is_flag=True, help="Exit with 3 if lines read now were unreadable; with --force, of all files.")
@click.option(
    "--format", type=click.Choice(["table", "json"]), default="table", show_default=True, help="json: print the summary as data too."
)
@click.pass_context
def ingest(  # noqa: PLR0917 (Click passes them by name)
    context: click.Context,
    paths: tuple[str, ...],
    store: str,
    claude: bool,
    jobs: int | None,
    force: bool,
    prune: bool,
    harness: str | None,
    lock_timeout: float,
    strict: bool,
    format: str,
) -> None:
    """Read transcripts into the store.

    PATH is a file, a folder with all that is in it, or - for stdin. Files that have not changed are not read again, so the same command brings the
    store up to date. The store changes in one step at the end, or not at all. Formats are told by content: JSON lines or one JSON array, plain, gzip
    or zstd.
    """
    import agentlog

    if claude:
        from agentlog.harnesses.claude.folders import session_folders

        paths = (*paths, *map(str, session_folders()))
    elif not paths:
        raise click.UsageError("Missing argument 'PATH...'.", context)
    bar = Bar() if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        report = agentlog.ingest(
            paths, store, jobs=jobs, force=force, prune=prune, harness=harness, lock_timeout=lock_timeout, progress=bar
        )
    finally:
        if bar is not None:
            bar.finish()
    if format == "json":
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    for sentence in summary(report, paths):
        say(sentence)
    if strict and report.unreadable_lines:
        context.exit(EXIT_GATE)


def summary(report: IngestReport, paths: Sequence[str]) -> list[str]:
    """What the ingest did, as lines for a person: what went wrong first, the total last."""
    return [
        *_problems(report),
        _files(report, paths),
        *([_lines(report), _speed(report)] if report.files_read else [f"nothing new to read into {report.store}"]),
    ]


def _problems(report: IngestReport) -> list[str]:
    """What could not be read; of files that nobody expects to be read only where there is news."""
    told = [one for one in report.problems if report.is_published or one.status != "unsupported"]
    listed = [f"{one.status}: {one.source_path}{f': {one.error}' if one.error else ''}" for one in told[:LISTED_PROBLEMS]]
    more = len(told) - LISTED_PROBLEMS
    return [*listed, f"and {more:,} more; see agentlog sources"] if more > 0 else listed


def _files(report: IngestReport, paths: Sequence[str]) -> str:
    found = [f"{getattr(report, name):,} {name}" for name in ("new", "changed", "unchanged", "failed") if getattr(report, name)]
    of_them = [f"{getattr(report, name):,} {name}" for name in ("duplicate", "unsupported") if getattr(report, name)]
    gone = [f"{getattr(report, name):,} {name}" for name in ("missing", "pruned") if getattr(report, name)]
    news = "; ".join(filter(None, (", ".join(found), f"of them {' and '.join(of_them)}" if of_them else "", ", ".join(gone))))
    if report.files_found:
        return f"{_count(report.files_found, 'file')}: {news}"
    return f"no files below {', '.join(paths)}" + (f": {news}" if news else "")


def _lines(report: IngestReport) -> str:
    see = "; see agentlog unreadable" if report.unreadable_lines else ""
    return (
        f"{_count(report.lines, 'line')}: {_count(report.events, 'event')}, {_count(report.unreadable_lines, 'unreadable line')}, "
        f"{report.repaired_lines:,} repaired, {_count(report.unmodelled_events, 'event')} of unmodelled types{see}"
    )


def _speed(report: IngestReport) -> str:
    from agentlog.render.cells import size

    is_telling = report.megabytes_per_second is not None and report.bytes_read >= LEAST_BYTES
    speed = f" ({report.megabytes_per_second:,.0f} MB/s)" if is_telling else ""
    return f"{_count(report.files_read, 'file')} with {size(report.bytes_read)} read in {report.seconds:,.1f} s{speed} into {report.store}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


class Bar:
    """A progress bar on stderr: files, bytes, rate and time left. It is what `agentlog.ingest` takes as `progress`."""

    def __init__(self) -> None:
        self._progress: RichProgress | None = None
        self._files = self._all_files = 0

    def start(self, files: int, size: int) -> None:
        """So much is to be read."""
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

        self._all_files = files
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task(self._counted(), total=size)
        self._progress.start()

    def advance(self, files: int, size: int) -> None:
        """So much more has been read."""
        self._files += files
        if self._progress is not None:
            self._progress.update(self._task, advance=size, description=self._counted())

    def finish(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def _counted(self) -> str:
        return f"{self._files:,} of {self._all_files:,} files"
