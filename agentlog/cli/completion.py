"""Shell → the script that completes `agentlog` in it."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example: agentlog completion bash > ~/.local/share/bash-completion/completions/agentlog")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    It completes commands, options and their values; load it where that shell looks for completions.
    """
    maker = get_completion_class(shell)
    if maker is None:
        raise click.ClickException(f"Click knows no completion for {shell}")
    click.echo(maker(context.find_root().command, {}, "agentlog", "_AGENTLOG_COMPLETE").source())
