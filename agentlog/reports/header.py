"""A report's .sql file → its name, help, defaults and statements.

The file's name is the report's and the command's. Its header is comment lines: first the help text, then `key: value` lines:

* `example`: a command line;
* `by`: the columns it may be grouped by;
* `default by`: of a report that always groups, those it groups by unless told otherwise;
* `key`: of a report of single things, the leading columns that say which one a row is;
* `sort`: the default order, over that of the SQL;
* `reads`: the files of `chosen/` that its candidates are made of; `reads narrowed` instead, where a window or a model is given;
* `undated`: what the rows are called that a window of time leaves out because they have none;
* `raw`: columns that hold transcript content, shown only where they are asked for.

The first statement of the file makes the view `candidates`. The last one groups the view `selected` by the columns of the variable `sel_by`; the
totals row is that same statement over one constant column. In a report of single things a statement between them gives the rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from agentlog.errors import UnknownNameError

_FOLDER: Final = Path(__file__).parent
_KEYS: Final = ("example", "by", "default by", "key", "sort", "reads", "reads narrowed", "undated", "raw")
_COLUMN: Final = re.compile(r"^    (?:.* as )?(\w+),?$", re.MULTILINE)
_ORDER: Final = (
    "runs",
    "turns",
    "cost",
    "tokens",
    "cache",
    "tools",
    "retries",
    "compactions",
    "subagents",
    "unreadable",
    "unmodelled",
    "reconcile",
)
"""As a person would go through them; reports that are not named here come after these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One named report, as its file says it."""

    name: str
    help: str
    example: str
    by: tuple[str, ...]
    default_by: tuple[str, ...]
    key: tuple[str, ...]
    sort: str | None
    reads_whole: tuple[str, ...]
    reads_narrowed: tuple[str, ...]
    undated: str
    raw: tuple[str, ...]
    sql: str

    @property
    def reads(self) -> tuple[str, ...]:
        """Every file of `chosen/` that it may need."""
        return tuple(dict.fromkeys(("model", *self.reads_whole, *self.reads_narrowed)))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that its rows may have, as its statements say them; what it is grouped by comes first."""
        return tuple(dict.fromkeys((*self.by, *_COLUMN.findall(self.sql))))

    def parts(self, *, is_narrowed: bool, has_model: bool) -> tuple[str, ...]:
        """The files of `chosen/` that it needs for such a selection, in order."""
        return ("_options", *(("model",) if has_model else ()), "runs", *(self.reads_narrowed if is_narrowed else self.reads_whole))


@cache
def reports() -> dict[str, Report]:
    """Every report by name, whole runs first, then what they are made of."""
    found = {path.stem: _parsed(path) for path in _FOLDER.glob("*.sql")}
    rank = {name: number for number, name in enumerate(_ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: (rank.get(name, len(rank)), name))}


def report(name: str) -> Report:
    """The report of that name; raises `UnknownNameError` for another."""
    if name not in reports():
        raise UnknownNameError("report", name, reports())
    return reports()[name]


def chosen_sql(name: str) -> str:
    """A file of `chosen/`: what every report chooses from, defined once."""
    return (_FOLDER / "chosen" / f"{name}.sql").read_text(encoding="utf-8")


def _parsed(path: Path) -> Report:
    sql = path.read_text(encoding="utf-8")
    values: dict[str, str] = {}
    prose = []
    for line in sql.splitlines():
        if not line.startswith("--"):
            break
        comment = line.removeprefix("--").strip()
        key, _, value = comment.partition(":")
        if key in _KEYS:
            values[key] = value.strip()
        else:
            prose.append(comment)
    return Report(
        name=path.stem,
        help="\n".join(prose),
        example=values["example"],
        by=names(values["by"]),
        default_by=names(values.get("default by", "")),
        key=names(values.get("key", "")),
        sort=values.get("sort"),
        reads_whole=names(values["reads"]),
        reads_narrowed=names(values.get("reads narrowed", values["reads"])),
        undated=values["undated"],
        raw=names(values.get("raw", "")),
        sql=sql,
    )


def names(text: str) -> tuple[str, ...]:
    """The names in a comma-separated list, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
