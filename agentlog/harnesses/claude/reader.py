"""Records of Claude Code → events: what its formats share.

Stateful per source: it folds the lines of each response into one request, names the tool of every result, ends subagents, and remembers what
one run has told. It never fails on a record: a type it does not know is kept as `unmodelled`, a known type of an unreadable shape is reported as a
fault, with whatever could still be read of it.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from agentlog.harnesses.claude.context import Context
from agentlog.harnesses.claude.result import end_responses, read_result
from agentlog.harnesses.claude.wire import Record, Result
from agentlog.harnesses.protocol import Fault
from agentlog.mend import mend

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from agentlog.events import Event
    from agentlog.harnesses.claude.responses import Response
    from agentlog.runs import Run

    Handler = Callable[[Context, Any], None]
    Fields = dict[str, Any]


class Dialect(NamedTuple):
    """How one format writes the records."""

    name: str
    decode: Callable[[bytes], Record]
    """A record of a modelled type; raises `msgspec.ValidationError` for any other."""
    readers: Mapping[type[Record], Handler]
    notices: Collection[str]
    """Types that are kept and mean nothing to any count."""
    envelope: type[Record]
    """What can be read of a record of any type."""
    as_today: Callable[[Fields], Fields | None]
    """A record of an older spelling in that of the modelled types; None for any other."""

    @property
    def modelled(self) -> set[str]:
        """The types that are modelled."""
        return {str(record.__struct_config__.tag) for record in self.readers}

    def knows(self, record: Fields) -> bool:
        """Whether a record is of a type of this format, of any version."""
        kind = record.get("type")
        return (isinstance(kind, str) and (kind in self.modelled or kind in self.notices)) or self.as_today(record) is not None


_NOT_YET = object()
"""No session id, and not the lack of one either."""
_UNREADABLE_MESSAGE = re.compile(r"at `\$\.message`$")
_UNREADABLE_VERDICT = re.compile(r"at `\$\.(?:subtype|is_error)`$")


class RecordReader:
    """Reads one source; `events` fills up, and whoever takes them clears it. `run` is that of the record read last."""

    dialect: Dialect

    def __init__(self, source_path: str) -> None:
        self._context = Context(source_path, self.dialect.name)
        self._decode, self._readers = self.dialect.decode, self.dialect.readers
        self._current: dict[str | None, Response] = {}
        """The responses that the agents of the current run are in."""
        self.events: list[Event] = self._context.events
        self.run: Run | None = None
        self._session_id: object = _NOT_YET

    def read(self, line_no: int, data: bytes) -> Fault | None:
        """Read one record; gives what is wrong with it.

        Raises `msgspec.DecodeError` or `RecursionError`, and has done nothing, where `data` is no JSON that can be decoded.
        """
        context = self._context
        context.data = data
        if line_no != context.line_no:  # records glued on one line share its number and go on counting parts
            context.line_no, context.part_no = line_no, 0
        try:
            record = self._decode(data)
        except msgspec.ValidationError:
            return self._read_odd(data)
        if record.timestamp is not None and not is_near(record.timestamp):
            return self._read_odd(data)
        self._enter(record)
        self._readers[type(record)](context, record)
        return None

    def knows(self, data: bytes, *, is_torn: bool) -> bool:
        """Whether this JSON object is of a type that agentlog models; behind a torn record only one with an envelope, for messages lie inside of records."""
        record = msgspec.json.decode(data)
        return isinstance(record, dict) and self.dialect.knows(record) and not (is_torn and self.dialect.as_today(record) is not None)

    def settle(self) -> None:
        """A run without a session id keeps its provisional name."""
        self._context.runs.settle()

    def close(self) -> None:
        """The source has ended: so have its responses."""
        for state in self._context.states:
            self._context.state = state
            end_responses(self._context)

    def _enter(self, record: Record) -> None:
        """Turn to the run of a record."""
        if record.session_id != self._session_id:
            state = self._context.enter(record.session_id)
            self.run, self._current, self._session_id = state.run, state.responses.current, record.session_id

    def _read_odd(self, data: bytes) -> Fault | None:
        """A record that is not of a modelled type, or whose fields are not all what they should be."""
        record = msgspec.json.decode(data)
        if not isinstance(record, dict):
            return Fault("not_object", f"Expected `object`, got {type(record).__name__}")
        record = self.dialect.as_today(record) or record
        native_type = record.get("type")
        if not isinstance(native_type, str) or native_type not in self.dialect.modelled:
            self._read_unmodelled(record, native_type)
            return None
        try:
            typed, faults = mend(record, lambda mended: _with_time(self._decode(msgspec.json.encode(mended))))
        except msgspec.ValidationError as error:
            return Fault("bad_shape", str(error), native_type)
        self._enter(typed)
        if isinstance(typed, Result):
            is_verdict_readable = not any(map(_UNREADABLE_VERDICT.search, faults))
            legacy_type = "system" if record.get("role") == "system" else None
            read_result(self._context, typed, native_type=legacy_type, is_verdict_readable=is_verdict_readable)
            if not is_verdict_readable:
                return Fault("bad_verdict", faults.detail, native_type)
        elif any(map(_UNREADABLE_MESSAGE.search, faults)):
            return Fault("bad_shape", faults.detail, native_type)
        else:
            self._readers[type(typed)](self._context, typed)
        return Fault("bad_value", faults.detail, native_type, is_repaired=True) if faults else None

    def _read_unmodelled(self, record: Fields, native_type: object) -> None:
        """Kept with its JSON; nothing on it can break it, so faults of its envelope are no faults of the line."""
        envelope = self.dialect.envelope
        named = native_type if isinstance(native_type, str) else None
        written = {field: record[field] for field in envelope.__struct_encode_fields__ if field in record}
        found, _ = mend(written, lambda mended: _with_time(msgspec.convert({**mended, "type": envelope.__struct_config__.tag}, envelope)))
        self._enter(found)
        kind = "notice" if named in self.dialect.notices else "unmodelled"
        self._context.emit(kind, _with_subtype(named, record), found, text=self._context.raw)


def is_near(at: dt.datetime) -> bool:
    """Whether a time is far enough from the first and the last that there are to be told in UTC, whatever its offset."""
    return dt.MINYEAR < at.year < dt.MAXYEAR


def _with_time(record: Record) -> Record:
    """The record, if its time can be told in UTC. Raises `msgspec.ValidationError` where it cannot."""
    try:
        if record.timestamp is not None and record.timestamp.tzinfo is not None:
            record.timestamp.astimezone(dt.UTC)
    except OverflowError as error:
        raise msgspec.ValidationError(
            f"Expected a time in the years 1 to 9999 of UTC, got `{record.timestamp}` - at `$.timestamp`"
        ) from error
    return record


def _with_subtype(named: str | None, record: Fields) -> str | None:
    subtype = record.get("subtype")
    return f"{named}/{subtype}" if named is not None and isinstance(subtype, str) and subtype else named
