"""An answer → stdout or a file, and what there is to say about it → stderr."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from agentlog.errors import AgentlogError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentlog.reports import Answer

TABLE_ROWS: Final = 50
"""How many rows a table has where --limit is not given."""

_FORMATS_BY_ENDING: Final = {
    "": "table",
    ".txt": "table",
    ".json": "json",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".csv": "csv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".parquet": "parquet",
}


def format_of(form: str | None, path: str | None) -> str:
    """The format: as given, else by the ending of the output file, else a table.

    Raises `UsageError` for an ending that says nothing, for no file name, and for binary data on a terminal.
    """
    if path is not None and not path:
        raise click.UsageError("-o needs the name of a file, or - for stdout")
    chosen = form or _FORMATS_BY_ENDING.get(ending := PurePath(path or "").suffix.lower())
    if chosen is None:
        known = ", ".join(filter(None, _FORMATS_BY_ENDING))
        raise click.UsageError(f"cannot tell a format from the ending {ending!r}; give --format, or one of {known}")
    if chosen == "parquet" and path in {None, "-"} and _is_terminal():
        raise click.UsageError("parquet is binary; give -o FILE, or send stdout to a file")
    return chosen


def limit_of(limit: int | None, form: str, path: str | None) -> int:
    """How many rows: as given, else a screenful in a table on stdout, and all of them in a file and in data."""
    return limit if limit is not None else TABLE_ROWS if form == "table" and path in {None, "-"} else 0


def show(answer: Answer, form: str, path: str | None) -> None:
    """Write the answer, and what a reader of it should know to stderr."""
    from agentlog.render import write

    is_file = path not in {None, "-"}
    with _opened(path) as out:
        write(
            answer.frame,
            form,
            out,
            totals=answer.totals,
            total=f"total of {answer.rows:,}" if len(answer.frame) < answer.rows else "total",
            keys=answer.keys,
            prose=answer.prose,
            zone=answer.tz,
            width=None if is_file else _width(),
            is_coloured=not is_file and _is_terminal() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb",
        )
    for note in _notes(answer, form):
        say(note)


def say(sentence: str) -> None:
    """One line of narration, on stderr; what it quotes from files cannot act on the terminal."""
    from agentlog.render.escapes import visible

    click.echo(visible(sentence), err=True)


def _notes(answer: Answer, form: str) -> Iterator[str]:
    if not answer.rows:
        yield "no rows"
    if len(answer.frame) < answer.rows:
        yield f"{len(answer.frame):,} of {answer.rows:,} rows; --limit 0 shows all"
    yield from answer.notes
    if form in {"table", "markdown"} and any(kind.is_temporal() for kind in answer.frame.dtypes):
        yield f"times are in {answer.tz}"


@contextmanager
def _opened(path: str | None) -> Iterator[BinaryIO]:
    if path is not None and path != "-":
        with open(path, "wb") as file:  # noqa: PTH123 (the caller's path, as it is)
            yield file
        return
    if sys.stdout is None:  # its descriptor was closed before the start
        raise AgentlogError("stdout is closed")
    out = sys.stdout.buffer
    try:
        yield out
        out.flush()
    except OSError as error:
        _abandon_stdout()
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(0) from None  # the reader has what it wanted
        raise


def _abandon_stdout() -> None:
    """Let what is still buffered go nowhere, or the interpreter would try to write it once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _width() -> int | None:
    """Cells of a line: `$COLUMNS`, else those of the terminal; None where the output is no terminal, which has no edge."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    return os.get_terminal_size(sys.stdout.fileno()).columns or None if _is_terminal() else None
