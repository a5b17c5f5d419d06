"""A report's file → its command: the options of every report, then one call."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from agentlog.cli import options
from agentlog.cli.output import format_of, limit_of, show
from agentlog.reports import reports

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentlog.reports import Report


@cache
def report_commands() -> tuple[click.Command, ...]:
    """One command per report."""
    return tuple(_command(report) for report in reports().values())


def _command(report: Report) -> click.Command:
    @options.STORE
    @options.selection
    @click.option("--by", metavar="A,B", callback=options.column_names, shell_complete=_completer(report.by), help=_by_help(report))
    @click.option(
        "--sort",
        metavar="A,-B",
        callback=options.column_names,
        shell_complete=_completer(report.columns),
        help=f"Columns to sort by; - puts large ones first.  [default: {report.sort or 'in order of time'}]",
    )
    @options.output
    def body(store: str, format: str | None, output: str | None, limit: int | None, **asked: Any) -> None:  # noqa: ANN401 (the options of every report, named once in `options`)
        import agentlog

        form = format_of(format, output)
        show(agentlog.open(store).answer(report.name, limit=limit_of(limit, form, output), **asked), form, output)

    if report.raw:
        body = click.option("--raw", is_flag=True, help=f"Show {', '.join(report.raw)} too: what the transcripts say, whatever it is.")(
            body
        )
    return click.command(name=report.name, help=report.help, epilog=f"Example: {report.example}")(body)


def _by_help(report: Report) -> str:
    default = f"  [default: {','.join(report.default_by)}]" if report.default_by else ""
    what = "Group by these columns" if report.default_by else "Count and sum by these columns instead of listing"
    return f"{what}: {', '.join(report.by)}.{default}"


def _completer(names: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, begun = incomplete.rpartition(",")
        sign = "-" if begun.startswith("-") else ""
        return [CompletionItem(f"{before}{comma}{sign}{name}") for name in names if name.startswith(begun.removeprefix("-"))]

    return complete
