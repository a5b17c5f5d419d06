"""Code → pages: writes the generated pages of docs/, and the query results in the written ones. `--check` only tells which are stale.

* cli.md from the commands, events.md from the row classes, views.md from the headers of the view files;
* in how-a-line-becomes-a-row.md the block after each SQL block: its result over a store of that page's JSON lines.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

import agentlog
from agentlog import events, render
from agentlog.cli import agentlog as group

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).resolve().parent
WIDTH = 100
MADE = "<!-- Made by docs/generate.py; `make docs` writes it anew. -->"
_QUERY = re.compile(r"```sql\n(?P<query>.*?)```\n\n```text\n(?P<result>.*?)```", re.DOTALL)
_LINES = re.compile(r"```json\n(.*?)```", re.DOTALL)


def pages() -> dict[str, str]:
    """What each page of this folder should say, by file name."""
    written = FOLDER / "how-a-line-becomes-a-row.md"
    page = written.read_text(encoding="utf-8")
    lines = _LINES.search(page)
    if lines is None:
        raise SystemExit(f"{written.name} has no JSON lines")
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "run.jsonl").write_text(lines[1], encoding="utf-8")
        agentlog.ingest([Path(scratch) / "run.jsonl"], Path(scratch) / "store")
        with agentlog.open(Path(scratch) / "store") as store:
            return {"cli.md": _commands(), "events.md": _tables(), "views.md": _views(store), written.name: _with_results(page, store)}


def _commands() -> str:
    parts = [f"# The command line\n\n{MADE}\n", _help(group, "agentlog")]
    parts += [f"## {name}\n\n{_help(command, f'agentlog {name}')}" for name, command in group.commands.items()]
    return "\n".join(parts)


def _help(command: click.Command, path: str) -> str:
    context = click.Context(command, info_name=path, terminal_width=WIDTH, max_content_width=WIDTH, help_option_names=["-h", "--help"])
    return f"```\n{command.get_help(context)}\n```\n"


def _tables() -> str:
    parts = [f"# The stored tables\n\n{MADE}\n"]
    for name, row in (events.TABLES | {"events.usage_parts": events.UsagePart, "sources.runs": events.SourceRun}).items():
        parts.append(f"## {name}\n\n{(row.__doc__ or '').strip()}\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |")
        for field in events.arrow_schema(row):
            kind = re.sub(r"[\[<].*", "", str(field.type))
            parts.append(f"| `{field.name}` | {kind} | {events.unit(field.name) or ''} | {events.columns(row)[field.name][1]} |")
        parts.append("")
    parts += ["## Words", "", f"Event kinds: {_listed(events.EVENT_KINDS)}.", "", f"Tool kinds: {_listed(events.TOOL_KINDS)}.", ""]
    for title, reasons in (("unreadable", events.UNREADABLE_REASONS), ("repaired", events.REPAIRED_REASONS)):
        parts += [f"Reasons of an {title} line:" if title[0] in "aeiou" else f"Reasons of a {title} line:", ""]
        parts += [*(f"* `{reason}`: {meaning}" for reason, meaning in reasons.items()), ""]
    return "\n".join(parts)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _views(store: agentlog.Store) -> str:
    parts = [f"# The views\n\n{MADE}\n"]
    for view, grain in store.schema().iter_rows():
        parts.append(f"## {view}\n\nGrain: {grain}.\n\n| column | type | unit | meaning |\n| --- | --- | --- | --- |")
        for column, kind, unit, meaning in store.schema(view).iter_rows():
            parts.append(f"| `{column}` | {re.sub(r'STRUCT.*', 'STRUCT[]', kind).lower()} | {unit or ''} | {meaning} |")
        parts.append("")
    return "\n".join(parts)


def _with_results(page: str, store: agentlog.Store) -> str:
    def answered(found: re.Match[str]) -> str:
        out = io.BytesIO()
        render.write(store.sql(found["query"]), "table", out)
        return f"```sql\n{found['query']}```\n\n```text\n{out.getvalue().decode()}```"

    return _QUERY.sub(answered, page)


def main() -> None:
    """Write the pages that are stale, or with `--check` name them and fail."""
    stale = {
        name: text for name, text in pages().items() if not (path := FOLDER / name).is_file() or path.read_text(encoding="utf-8") != text
    }
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit(f"stale: {', '.join(sorted(stale))}; run: make docs")
        return
    for name, text in stale.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()
