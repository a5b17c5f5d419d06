"""One source → rows: the containment boundary, where a bad line becomes a row and nothing more.

Every physical line ends up as exactly one of blank, readable or unreadable, and is counted for the run of the record before it (for the first
lines: after it). Memory is bounded by the rows since the last `take`. This module knows no harness and no store.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from agentlog import harnesses
from agentlog.events import RAW_LIMIT, Event, Source, SourceRun, Unreadable
from agentlog.harnesses.protocol import Fault
from agentlog.outlines import outlines
from agentlog.repair import native_type_of, repair
from agentlog.salvage import Setting
from agentlog.sources import MAX_LINE_BYTES, open_lines

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Sequence

    from agentlog.harnesses.protocol import Format, Reader
    from agentlog.runs import Run
    from agentlog.sources import Found, Lines

    Emit = Callable[[list[Event], list[Unreadable]], None]

EMIT_BYTES: Final = 2**20
"""Rows are given out after so many bytes of a source: few rows are still at hand when they become columns, many are not."""
EVIDENCE_BYTES: Final = 64 * 2**20
"""A source that shows no known record within so many bytes has none."""
WAITING_EVENTS: Final = 10_000
"""So many events wait for the session id that names their run; 0.2 of Claude Code writes it in its last line only."""


class Tally(msgspec.Struct):
    """The lines of one run, or of a whole source."""

    blank_lines: int = 0
    readable_lines: int = 0
    unreadable_lines: int = 0
    repaired_lines: int = 0

    @property
    def lines(self) -> int:
        """All lines: each is one of the three."""
        return self.blank_lines + self.readable_lines + self.unreadable_lines

    def add(self, other: Tally) -> None:
        """Count another's lines too."""
        for name in self.__struct_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Decoder:
    """Lines of one source, pushed in with `feed`, come out of `take` as rows."""

    def __init__(self, source_path: str, harness: str | None = None) -> None:
        self.source_path = source_path
        self.format: Format | None = None
        self.refusal: str | None = None
        """Why the source is of no format that agentlog reads, once that is clear."""
        self.events = self.unmodelled_events = 0
        self.whole_lengths: dict[int, int] = {}
        """The true lengths of lines that are given cut."""
        self._harness = harness
        self._reader: Reader | None = None
        self._first_lines: list[tuple[int, int, Sequence[bytes]]] = []
        self._evidence: list[dict[str, Any]] = []
        self._before_any_run = self._tally = Tally()
        self._tally_run: Run | None = None
        self._tallies: dict[Run, Tally] = {}
        self._first_at: dict[str, dt.datetime] = {}
        self._unreadable: list[tuple[Run | None, Unreadable]] = []

    def feed(self, line_no: int, offset: int, lines: Sequence[bytes]) -> int:
        """Read lines that follow one another from `line_no` and `offset` on, their newlines left on. Gives the offset behind them."""
        if self._reader is None:
            return self._look_at(line_no, offset, lines)
        read, run, readable = self._reader.read, self._tally_run, 0
        for number, data in enumerate(lines, line_no):
            begin = offset
            offset += len(data)
            try:
                fault = read(number, data)
            except (msgspec.DecodeError, RecursionError):
                if not data.strip():
                    self._tally.blank_lines += 1
                    continue
                fault = self._read_damaged(self._reader, number, data)
            if self._reader.run is not run:
                self._tally.readable_lines += readable
                run, readable = self._reader.run, 0
                self._turn_to(run)
            if fault is None:
                readable += 1
            else:
                self.report(fault, number, begin, data.removesuffix(b"\n"))
        self._tally.readable_lines += readable
        return offset

    def report(self, fault: Fault, line_no: int, offset: int, data: bytes) -> None:
        """Count a line as unreadable or repaired, and keep it."""
        if fault.is_repaired:
            self._tally.readable_lines += 1
            self._tally.repaired_lines += 1
        else:
            self._tally.unreadable_lines += 1
        row = Unreadable(
            run_id=None,
            source_path=self.source_path,
            line_no=line_no,
            byte_offset=offset,
            byte_length=self.whole_lengths.get(line_no, len(data)),
            reason=fault.reason,
            detail=fault.detail,
            native_type=fault.native_type,
            raw=data[:RAW_LIMIT].decode("utf-8", "backslashreplace"),
            is_repaired=fault.is_repaired,
        )
        self._unreadable.append((self._tally_run, row))

    def take(self, *, everything: bool = False) -> tuple[list[Event], list[Unreadable]]:
        """The rows since the last call. They wait while the session id that names their run may still come."""
        reader = self._reader
        if reader is None or reader.run is None:
            return [], []
        if reader.run.is_provisional and not everything and len(reader.events) < WAITING_EVENTS:
            return [], []
        reader.settle()
        events, unreadable = reader.events[:], self._unreadable
        reader.events.clear()
        self._unreadable = []
        for run, row in unreadable:
            row.run_id = (run or self._first_run(reader.run)).run_id
        for event in events:
            self.unmodelled_events += event.kind == "unmodelled"
            at = event.occurred_at
            if at is not None and not (event.run_id in self._first_at and self._first_at[event.run_id] <= at):
                self._first_at[event.run_id] = at
        self.events += len(events)
        return events, [row for _, row in unreadable]

    def close(self) -> None:
        """The source has ended; `take(everything=True)` gives the rest."""
        if self._reader is None and self.refusal is None:
            self._decide()
        if self._reader is not None:
            self._reader.close()

    def runs(self) -> list[SourceRun]:
        """The runs of the source with their lines, in order of appearance."""
        return [
            SourceRun(run_id=run.run_id, first_at=self._first_at.get(run.run_id), lines=tally.lines, **msgspec.structs.asdict(tally))
            for run, tally in self._counted().items()
        ]

    def lines(self) -> Tally:
        """The lines of the source."""
        total = Tally()
        for tally in self._counted().values():
            total.add(tally)
        if not self._tallies:
            total.add(self._before_any_run)
        return total

    def _turn_to(self, run: Run | None) -> None:
        """Lines count for this run from here on."""
        self._tally_run = run
        if run is not None:
            self._tally = self._tallies.setdefault(run, Tally())

    def _counted(self) -> dict[Run, Tally]:
        counted = {run: msgspec.structs.replace(tally) for run, tally in self._tallies.items()}
        if counted:
            next(iter(counted.values())).add(self._before_any_run)
        return counted

    def _first_run(self, current: Run) -> Run:
        return next(iter(self._tallies), current)

    def _read_damaged(self, reader: Reader, line_no: int, data: bytes) -> Fault:
        """Read what can be recovered of a line that does not decode as it stands."""
        if len(data) > MAX_LINE_BYTES:
            return Fault("too_long", f"over {MAX_LINE_BYTES:,} bytes", native_type_of(data))
        found = repair(data, partial(_is_known, reader))
        records = found.records
        if not records:
            return Fault(found.reason, found.detail, found.lost_type)
        details, lost_type = [found.detail], found.lost_type
        for record in records:
            try:
                fault = reader.read(line_no, record)
            except RecursionError as error:
                fault = Fault("too_deep", str(error))
            except msgspec.DecodeError as error:
                fault = Fault("not_json", str(error))
            if fault is not None:
                details.append(fault.detail)
                if not fault.is_repaired and len(records) == 1:
                    return fault
                lost_type = lost_type or (None if fault.is_repaired else fault.native_type)
        return Fault(found.reason, "; ".join(details), lost_type, is_repaired=True)

    def _look_at(self, line_no: int, offset: int, lines: Sequence[bytes]) -> int:
        """Keep the first lines until there is evidence enough for the format. Gives the offset behind them."""
        end = offset + sum(map(len, lines))
        if self.refusal is not None:
            return end
        self._first_lines.append((line_no, offset, lines))
        for data in lines:
            self._evidence += islice(outlines(data), harnesses.EVIDENCE_RECORDS)
            if len(self._evidence) >= harnesses.EVIDENCE_RECORDS or harnesses.is_certain(self._evidence[-1:]):
                self._decide()
                return end
        if end > EVIDENCE_BYTES:
            self._decide()
        return end

    def _decide(self) -> None:
        first_lines, self._first_lines = self._first_lines, []
        if not any(data.strip() for _, _, lines in first_lines for data in lines):
            self._before_any_run.blank_lines = sum(len(lines) for _, _, lines in first_lines)
            return
        found = harnesses.identify(self._evidence, self._harness)
        self._evidence = []
        if isinstance(found, str):
            self.refusal = found
            return
        self.format = found
        self._reader = found.reader(self.source_path)
        for line_no, offset, lines in first_lines:
            self.feed(line_no, offset, lines)


def _is_known(reader: Reader, record: bytes, setting: Setting) -> bool:
    """Whether an object that was found behind other text is a record: a log line that quotes some JSON is none, nor is an inner object of a cut line."""
    try:
        return reader.knows(record, is_torn=setting is Setting.TEAR)
    except (msgspec.DecodeError, RecursionError):
        return False


def decode_source(found: Found, emit: Emit, *, harness: str | None = None) -> Source:
    """Read one source; its rows go to `emit` in batches. Raises `OSError` where it cannot be opened or read.

    Gives the `Source` row: status `ok`, or `unsupported` with the reason; what only the caller can know (duplicates, parts) is left open.
    """
    decoder = Decoder(found.source_path, harness)
    due = EMIT_BYTES
    with open_lines(found.file) as lines:
        decoder.whole_lengths = lines.whole_lengths
        for line_no, offset, block in lines.blocks():
            end = decoder.feed(line_no, offset, block)
            if end >= due:
                due = end + EMIT_BYTES
                emit(*decoder.take())
            if decoder.refusal is not None:
                break
        decoder.close()
        if lines.damage is not None and decoder.format is not None:
            decoder.report(Fault("damaged_archive", lines.damage.text), decoder.lines().lines + 1, lines.damage.offset, b"")
    emit(*decoder.take(everything=True))
    return _source(found, decoder, lines)


def _source(found: Found, decoder: Decoder, lines: Lines) -> Source:
    source = Source(
        source_path=found.source_path,
        source_bytes=found.size,
        modified_ns=found.modified_ns,
        changed_ns=found.changed_ns,
        content_hash=lines.content_hash,
        content_bytes=lines.content_bytes,
        head_hash=lines.head_hash,
        events=decoder.events,
        unmodelled_events=decoder.unmodelled_events,
    )
    if lines.damage is not None and decoder.format is None:
        source.status, source.error = "failed", lines.damage.text
        return source
    if decoder.refusal is not None:
        source.status, source.error = "unsupported", decoder.refusal
        return source
    if decoder.format is not None:
        source.harness, source.format = decoder.format.harness, decoder.format.name
    tally = decoder.lines()
    source.lines = tally.lines
    for name, count in msgspec.structs.asdict(tally).items():
        setattr(source, name, count)
    source.runs = decoder.runs()
    return source
