"""A query, or the name of a view → rows: `sql` and `schema`."""

from __future__ import annotations

import sys

import click
from click.shell_completion import CompletionItem

from agentlog.cli import options
from agentlog.cli.output import format_of, limit_of, show


@click.command(epilog='Example: agentlog sql "select tool_name, count(*) as calls from tool_calls group by all order by calls desc"')
@click.argument("query")
@options.STORE
@options.TZ
@options.output
def sql(  # noqa: PLR0917 (Click passes them by name)
    query: str, store: str, tz: str | None, limit: int | None, format: str | None, output: str | None
) -> None:
    """Run one reading SQL statement over the views.

    QUERY is a SELECT (or FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW) in DuckDB's dialect, or - to read it from stdin. It can neither write nor
    reach anything but the views, which `agentlog schema` lists. Times are UTC; --tz is the zone in which a table shows them.
    """
    import agentlog
    from agentlog.reports import Answer
    from agentlog.reports.selection import machine_zone, zone_of

    form = format_of(format, output)
    text = sys.stdin.buffer.read().decode(errors="replace") if query == "-" else query
    zone = zone_of(tz or machine_zone()).key
    rows = agentlog.open(store).sql(text)
    most = limit_of(limit, form, output) or len(rows)
    show(Answer(frame=rows.head(min(most, len(rows))), rows=len(rows), tz=zone), form, output)


def _views(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from agentlog.dataset.definitions import public_names

    return [CompletionItem(name) for name in public_names() if name.startswith(incomplete)]


@click.command(epilog="Example: agentlog schema tool_calls")
@click.argument("view", required=False, shell_complete=_views)
@click.option("--store", hidden=True, expose_value=False, help="Taken and not needed: what the views are is the same for every store.")
@options.output
def schema(view: str | None, limit: int | None, format: str | None, output: str | None) -> None:
    """List the views, or the columns of one.

    Columns come with their types, units and meanings. No store is needed.
    """
    from agentlog import dataset
    from agentlog.reports import Answer

    form = format_of(format, output)
    rows = dataset.schema(view)
    shown = rows.head(min(limit or len(rows), len(rows)))
    show(Answer(frame=shown, rows=len(rows), prose=("grain", "type", "meaning")), form, output)
