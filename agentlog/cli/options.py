"""Options that several commands share, each defined once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from agentlog.cli.output import TABLE_ROWS
from agentlog.render import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., Any]

STORE: Final = click.option(
    "--store",
    metavar="DIR",
    envvar="AGENTLOG_STORE",
    default=".agentlog",
    show_default=True,
    show_envvar=True,
    help="Directory of the store.",
)
TZ: Final = click.option("--tz", metavar="ZONE", help="Time zone of days and of the times in a table.  [default: this machine's]")

_SELECTION: Final = (
    click.option(
        "--since",
        metavar="WHEN",
        help="From this day or time on: 2026-05-01, 2026-05, 2026-W23, today, yesterday, 7d, 2w, 12h, 2026-05-01T14:30.",
    ),
    click.option("--until", metavar="WHEN", help="Up to this day or time; a day, week or month is included."),
    TZ,
    click.option("--run", metavar="GLOB", help="Runs with this id, session id, name or source path."),
    click.option("--project", metavar="GLOB", help="Runs of this project: its path or its last folder."),
    click.option("--model", metavar="GLOB", help="What this model did."),
    click.option("--harness", metavar="GLOB", help="Runs of this harness."),
)
_OUTPUT: Final = (
    click.option(
        "--limit",
        type=click.IntRange(min=0),
        metavar="N",
        help=f"At most N rows; 0 is all.  [default: {TABLE_ROWS} in a table on stdout, else 0]",
    ),
    click.option("--format", type=click.Choice(FORMATS), help="How to print it.  [default: what FILE's ending says, else table]"),
    click.option(
        "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True), help="Write to FILE instead of stdout."
    ),
)


def selection(command: Command) -> Command:
    """Add the options that say what is counted."""
    return _all(_SELECTION, command)


def output(command: Command) -> Command:
    """Add the options that say what is printed, where and how."""
    return _all(_OUTPUT, command)


def column_names(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """What `--by` or `--sort` was given; raises `BadParameter` where the name of a column is missing."""
    if value is not None and {"", "-"} & {name.strip() for name in value.split(",")}:
        raise click.BadParameter("the name of a column is missing; write names with commas between them")
    return value


def _all(options: tuple[Callable[[Command], Command], ...], command: Command) -> Command:
    for option in reversed(options):
        command = option(command)
    return command
