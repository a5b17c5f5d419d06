"""Arguments → one call of the library, its answer rendered: the `agentlog` command.

A command opens, calls one method and renders; whatever it does, Python can do. stdout is data, stderr is narration. Exit codes: 0 fine, 1 a fault that one
line tells, 2 a command that cannot be read, 3 a gate that failed. These modules import nothing but Click until a command runs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from agentlog.cli.completion import completion
from agentlog.cli.ingest import ingest
from agentlog.cli.report import report_commands
from agentlog.cli.sql import schema, sql
from agentlog.errors import EXIT_ERROR, EXIT_OK, EXIT_USAGE, AgentlogError

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_INTERRUPTED = 130


class Agentlog(click.Group):
    """The group, whose help tells commands and reports apart."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (Click's signature)
        """List the commands in the order in which a person needs them."""
        reports = {command.name for command in report_commands()}
        for title, are_reports in (("Commands", False), ("Reports", True)):
            names = [name for name in self.commands if (name in reports) is are_reports]
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(limit=formatter.width)) for name in names])

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands, in that order."""
        return list(self.commands)


@click.group(
    cls=Agentlog,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
    epilog="Exit codes: 0 fine, 1 a fault that one line on stderr tells, 2 a command that cannot be read, 3 unreadable lines under --strict.",
)
@click.version_option(package_name="agentlog", message="agentlog %(version)s")
def agentlog() -> None:
    """Right answers from archived transcripts of coding agents.

    Ingest a folder of transcripts once, and again whenever it grows; then ask.

    \b
      agentlog ingest runs/
      agentlog cost --by day,model --since 7d
      agentlog sql "select tool_name, count(*) from tool_calls group by all"
    """  # noqa: D301 (the escape is Click's mark for lines to keep as they are)


for _command in (ingest, *report_commands(), sql, schema, completion):
    agentlog.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code. What goes wrong is told in one line on stderr."""
    try:
        code = agentlog.main(arguments, prog_name="agentlog", standalone_mode=False)
    except click.Abort:  # Click's word for an interrupt
        return EXIT_INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return EXIT_USAGE
    except (click.ClickException, AgentlogError, OSError) as error:
        from agentlog.render.escapes import visible

        click.echo(f"error: {visible(' '.join(_sentence(error).split()))}", err=True)
        return EXIT_USAGE if isinstance(error, click.UsageError) else EXIT_ERROR
    return code if isinstance(code, int) else EXIT_OK


def _sentence(error: Exception) -> str:
    """What to say; where the usage is wrong, also whose help to read."""
    if isinstance(error, click.UsageError):
        return f"{error.format_message()} (see {error.ctx.command_path if error.ctx is not None else 'agentlog'} --help)"
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error)
