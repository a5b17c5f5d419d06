"""Hand-made rows → a store: what the views are tested on, without an adapter.

A `Log` is one source, written event by event as an adapter of Claude's stream-json would; each event stands on a line of its own.
`write_store` puts logs into a store directory that `agentlog.dataset.open` reads.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow.parquet as pq

import agentlog
from agentlog.events import SCHEMA_VERSION, TABLES, Event, Source, SourceRun, Unreadable, UsagePart, to_arrow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agentlog.dataset import Store

START = dt.datetime(2026, 6, 1, 10, tzinfo=dt.UTC)
SHORT = {
    "i": "input_tokens",
    "r": "cache_read_tokens",
    "w": "cache_write_5m_tokens",
    "w1h": "cache_write_1h_tokens",
    "o": "output_tokens",
    "usd": "cost_usd",
}


def at(seconds: float) -> dt.datetime:
    """A time of 2026-06-01, that many seconds after 10:00 UTC."""
    return START + dt.timedelta(seconds=seconds)


def part(model: str | None = "opus", entry: str = "model", **figures: Any) -> UsagePart:
    """An entry of a modelUsage, or an iteration; figures under their short names (`i`, `r`, `w`, `w1h`, `o`, `usd`) or in full."""
    return UsagePart(
        **{"entry": entry, "model": model, "native_model": model} | {SHORT.get(name, name): value for name, value in figures.items()}
    )


def opened(folder: Path, *logs: Log) -> Store:
    """A store of these logs, opened."""
    return agentlog.open(write_store(folder / "store", *logs))


def ask(store: Store, query: str) -> list[dict[str, Any]]:
    """The rows of a query, as dicts."""
    return store.sql(query).to_dicts()


def only(store: Store, view: str, *columns: str) -> Any:
    """The one row of a view: of these columns as a tuple, of one column its value."""
    ((*row,),) = store.sql(f"select {', '.join(columns)} from {view}").rows()
    return row[0] if len(columns) == 1 else tuple(row)


class Log:
    """One source of run `run_id`; every method adds one event and returns it."""

    def __init__(self, run_id: str = "run", source_path: str = "/archive/run.jsonl", form: str = "stream-json", **common: Any) -> None:
        self.run_id, self.source_path, self.common = (
            run_id,
            source_path,
            {"harness": "claude", "format": form, "session_id": run_id, **common},
        )
        self.events: list[Event] = []
        self.unreadable: list[Unreadable] = []
        self.lines = 0

    def add(self, kind: str, *, seconds: float | None = None, **fields: Any) -> Event:
        """An event of a kind on the next line (or on `line_no`), at a time or at none."""
        self.lines = fields.pop("line_no", self.lines + 1)
        same_line = sum(event.line_no == self.lines for event in self.events)
        stamp = {} if seconds is None else {"occurred_at": at(seconds), "time_source": "native"}
        own = {SHORT.get(name, name): value for name, value in fields.items()}
        event = Event(
            **{
                "run_id": self.run_id,
                "source_path": self.source_path,
                "line_no": self.lines,
                "part_no": same_line + 1,
                "kind": kind,
                **self.common,
                **stamp,
                **own,
            }
        )
        self.events.append(event)
        return event

    def request(self, message_id: str | None = None, *, model: str | None = "opus", agent: str | None = None, **fields: Any) -> Event:
        """A folded response; its figures under their short names. Streamed, its output not final."""
        whole = {"is_final": False, "is_streamed": True, **fields}
        if "ends" in whole:
            whole["ended_at"] = at(whole.pop("ends"))
        return self.add(
            "request", message_id=message_id, model=model, native_model=model, agent_id=agent, parent_tool_call_id=agent, **whole
        )

    def call(
        self,
        tool_call_id: str,
        message_id: str | None = None,
        *,
        tool: str = "Bash",
        given: Any = None,
        agent: str | None = None,
        **fields: Any,
    ) -> Event:
        """A tool call of the response `message_id`."""
        kind = "agent" if tool in {"Agent", "Task"} else "execute"
        text = None if given is None else json.dumps(given)
        hashed = None if given is None else hash(json.dumps(given, sort_keys=True)) >> 1
        return self.add(
            "tool_call",
            **{
                "tool_call_id": tool_call_id,
                "message_id": message_id,
                "tool_name": tool,
                "tool_kind": kind,
                "tool_input": text,
                "tool_input_hash": hashed,
                "agent_id": agent,
                **fields,
            },
        )

    def answer(self, tool_call_id: str, status: str = "ok", *, agent: str | None = None, **fields: Any) -> Event:
        """The result of a tool call."""
        return self.add("tool_result", tool_call_id=tool_call_id, status=status, is_error=status != "ok", agent_id=agent, **fields)

    def result(
        self, *models: UsagePart, usd: float | None = None, subtype: str | None = "success", is_error: bool | None = False, **fields: Any
    ) -> Event:
        """A terminal record; its modelUsage as parts."""
        own = {
            "native_type": "result",
            "usage_parts": list(models) or None,
            "reported_cost_usd": usd,
            "subtype": subtype,
            "is_error": is_error,
        }
        return self.add("result", **{"is_verdict_readable": True, **own, **fields})

    def broken(self, *, native_type: str | None = None, reason: str = "cut", is_repaired: bool = False) -> Unreadable:
        """A line that could not be read (or was repaired)."""
        self.lines += 1
        row = Unreadable(
            run_id=self.run_id,
            source_path=self.source_path,
            line_no=self.lines,
            byte_offset=0,
            byte_length=9,
            reason=reason,
            native_type=native_type,
            raw='{"type":"',
            is_repaired=is_repaired,
        )
        self.unreadable.append(row)
        return row

    def source(self, **fields: Any) -> Source:
        """The source's own row, with the share of each of its runs."""
        runs = dict.fromkeys([*(event.run_id for event in self.events), *(row.run_id for row in self.unreadable)])
        shares = [self._share(run) for run in runs]
        totals = {
            name: sum(getattr(share, name) for share in shares)
            for name in ("lines", "blank_lines", "readable_lines", "unreadable_lines", "repaired_lines")
        }
        return Source(
            **{
                "source_path": self.source_path,
                "harness": "claude",
                "format": self.common["format"],
                "runs": shares,
                "events": len(self.events),
                **totals,
                **fields,
            }
        )

    def _share(self, run_id: str | None) -> SourceRun:
        events = [event for event in self.events if event.run_id == run_id]
        unreadable = sum(row.run_id == run_id and not row.is_repaired for row in self.unreadable)
        repaired = sum(row.run_id == run_id and row.is_repaired for row in self.unreadable)
        readable = len(
            {event.line_no for event in events} | {-row.line_no for row in self.unreadable if row.run_id == run_id and row.is_repaired}
        )
        first = min((event.occurred_at for event in events if event.occurred_at), default=None)
        return SourceRun(
            run_id=str(run_id),
            lines=readable + unreadable,
            blank_lines=0,
            readable_lines=readable,
            unreadable_lines=unreadable,
            repaired_lines=repaired,
            first_at=first,
        )


def write_parts(folder: Path, events: Sequence[Event], unreadable: Sequence[Unreadable], sources: Sequence[Source]) -> None:
    """One part file per table below a generation's folder."""
    rows: dict[str, Sequence[msgspec.Struct]] = {"events": events, "unreadable": unreadable, "sources": sources}
    for table, kind in TABLES.items():
        (folder / table).mkdir(parents=True, mode=0o700)
        pq.write_table(to_arrow(rows[table], kind), folder / table / "part-00000.parquet")


def write_store(folder: Path, *logs: Log, sources: Sequence[Source] = (), generation: int = 1) -> Path:
    """A store of one generation that holds these logs; sources that gave no events may be added."""
    parts = folder / "generations" / str(generation)
    events = [event for log in logs for event in log.events]
    unreadable = [row for log in logs for row in log.unreadable]
    write_parts(parts, events, unreadable, [*(log.source() for log in logs), *sources])
    (parts / "store.json").write_bytes(msgspec.json.encode({"schema_version": SCHEMA_VERSION}))
    switch(folder, generation)
    for table in TABLES:
        if not (folder / table).is_symlink():
            (folder / table).symlink_to(f"current/{table}")
    return folder


def switch(folder: Path, generation: int) -> None:
    """Make a generation the current one, by one rename."""
    new = folder / "current.new"
    new.symlink_to(f"generations/{generation}")
    new.rename(folder / "current")
