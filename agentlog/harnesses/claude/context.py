"""What the handlers of one stream share: the place in the source, the state of each run, and the events so far."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agentlog.events import Event
from agentlog.harnesses.claude.responses import Responses
from agentlog.runs import Run, Runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentlog.harnesses.claude.wire import Record

EVENTS_A_BLOCK = 3
"""A block gives at most so many events: a call, the subagent it starts, or a question or plan."""

HARNESS = "claude"


class RunState:
    """What agentlog remembers of one run while it reads a source."""

    def __init__(self, run: Run, source_path: str, format_name: str) -> None:
        self.run = run
        self.template = Event(
            run_id=run.run_id,
            source_path=source_path,
            line_no=0,
            part_no=0,
            kind="",
            harness=HARNESS,
            format=format_name,
            session_id=run.session_id,
        )
        """What all events of the run have in common."""
        self.copy_template: Callable[[], Event] = self.template.__copy__  # type: ignore[attr-defined]  # the stubs of msgspec lack it
        """By far the quickest way to make an event."""
        self.requested_model: str | None = None
        self.responses = Responses()
        self.waiting: dict[str, list[Event]] = {}
        """The calls that wait for their results, by id."""
        self.agent_calls: set[str] = set()
        self.agent_tasks: set[str] = set()
        self.denied: set[str] = set()
        self.last_retry: dict[str | None, int | None] = {}


class Context:
    """One source being read."""

    def __init__(self, source_path: str, format_name: str) -> None:
        self.source_path = source_path
        self.format_name = format_name
        self.runs = Runs(HARNESS, source_path)
        self.events: list[Event] = []
        self.line_no = 0
        self.part_no = 0
        self.data = b""
        self._states: dict[Run, RunState] = {}
        self.state: RunState

    @property
    def raw(self) -> str:
        """The current record as it stands in the source."""
        return self.data.decode("utf-8", "replace")

    @property
    def states(self) -> list[RunState]:
        """The runs of this source, in order of appearance."""
        return list(self._states.values())

    def reserve(self) -> int:
        """The part number from which a block of this line can be told later, once it is known whether its complete line comes."""
        self.part_no += EVENTS_A_BLOCK
        return self.part_no - EVENTS_A_BLOCK

    @contextmanager
    def at(self, line_no: int, part_no: int) -> Iterator[None]:
        """Stand for a moment on an earlier line, after a part of it."""
        here = self.line_no, self.part_no
        self.line_no, self.part_no = line_no, part_no
        yield
        self.line_no, self.part_no = here

    def enter(self, session_id: str | None) -> RunState:
        """Make the run of this session the current one. Events that waited for the session's name get it."""
        waiting = self.runs.current if self.runs.current is not None and self.runs.current.is_provisional else None
        run = self.runs.at(session_id)
        if run not in self._states:
            self._states[run] = RunState(run, self.source_path, self.format_name)
        self.state = self._states[run]
        if waiting is run and not run.is_provisional:
            for event in (self.state.template, *self.events, *self.state.responses.events()):
                event.run_id, event.session_id = run.run_id, run.session_id
        return self.state

    def emit(self, kind: str, native_type: str | None, record: Record, **facts: object) -> Event:
        """Add an event of the current line, with these facts."""
        event = self.make(kind, native_type, record)
        for name, fact in facts.items():
            setattr(event, name, fact)
        self.events.append(event)
        return event

    def make(self, kind: str, native_type: str | None, record: Record) -> Event:
        """An event of the current line that is not added yet; its part of the line is taken."""
        self.part_no = part_no = self.part_no + 1
        event = self.state.copy_template()
        event.line_no = self.line_no
        event.part_no = part_no
        event.kind = kind
        event.native_type = native_type
        event.uuid = record.uuid
        if record.parent_tool_use_id or record.agent_id:
            event.agent_id = record.parent_tool_use_id or record.agent_id
            event.parent_tool_call_id = record.parent_tool_use_id or None
        if record.timestamp is not None:
            event.occurred_at = utc(record.timestamp)
            event.time_source = "native"
        return event


def utc(at: dt.datetime | None) -> dt.datetime | None:
    """A time without an offset is UTC, as all times that Claude Code writes."""
    return at.replace(tzinfo=dt.UTC) if at is not None and at.tzinfo is None else at
