"""Row classes → Arrow: the three stored tables, each defined once.

`Event`, `Unreadable` and `Source` are the schema: their annotated fields give the Arrow types, the Parquet field metadata, `agentlog schema`
and the reference page. There is no second list of columns anywhere. NULL means that the file does not say; 0 means zero.

This module must not know any harness: adapters fill these rows, views give them meaning.
"""

from __future__ import annotations

import datetime as dt
import types
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

SCHEMA_VERSION: Final = 2
"""Raised with every change of the stored columns; a store of another version is refused."""

RAW_LIMIT: Final = 65_536
"""`Unreadable.raw` holds at most this many bytes of the line; `byte_offset` and `byte_length` find the rest."""

EVENT_KINDS: Final = (
    "session",
    "prompt",
    "text",
    "thinking",
    "tool_call",
    "tool_result",
    "request",
    "subagent_start",
    "subagent_end",
    "question",
    "plan",
    "api_retry",
    "compaction",
    "model_change",
    "rate_limit",
    "permission",
    "hook",
    "notice",
    "error",
    "result",
    "unmodelled",
)
TOOL_KINDS: Final = ("read", "edit", "delete", "move", "search", "execute", "fetch", "think", "plan", "agent", "mcp", "question", "other")
UNREADABLE_REASONS: Final = {
    "not_json": "the line is no JSON (a banner, stderr text, a stack trace)",
    "cut": "the line begins a JSON object and ends too early",
    "not_object": "the line is JSON, but no object",
    "nul": "the line is a run of NUL bytes",
    "too_deep": "the JSON is nested too deeply to decode",
    "too_long": "the line is longer than agentlog reads",
    "bad_shape": "a modelled record whose message cannot be read",
    "bad_verdict": "a terminal record whose verdict cannot be read",
    "damaged_archive": "the compressed file ends or breaks here",
}
REPAIRED_REASONS: Final = {
    "bad_utf8": "bytes that are no UTF-8 were replaced",
    "lone_surrogate": "escaped lone surrogates were replaced",
    "control_character": "raw control characters were escaped",
    "prefixed": "text before the record was put aside",
    "trailing": "text or NULs after the record were put aside",
    "glued": "several records on one line were read apart",
    "bad_value": "figures or fields that cannot be were set to NULL",
}

Time = dt.datetime


def _doc(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


class UsagePart(msgspec.Struct, kw_only=True, gc=False):
    """A share of a usage report: one model of a `result`, or one iteration of a `request`."""

    entry: Annotated[str, _doc("`model` (an entry of modelUsage) or the iteration's type (`message`, `compaction`, …)")]
    model: Annotated[str | None, _doc("canonical model name")] = None
    native_model: Annotated[str | None, _doc("the model name as the file spells it")] = None
    input_tokens: Annotated[int | None, _doc("uncached input")] = None
    cache_read_tokens: Annotated[int | None, _doc("input read from the cache")] = None
    cache_write_5m_tokens: Annotated[int | None, _doc("input written to the 5-minute cache")] = None
    cache_write_1h_tokens: Annotated[int | None, _doc("input written to the 1-hour cache")] = None
    output_tokens: Annotated[int | None, _doc("output, reasoning included")] = None
    reasoning_tokens: Annotated[int | None, _doc("reasoning, a subset of output")] = None
    web_search_requests: Annotated[int | None, _doc("web searches billed")] = None
    cost_usd: Annotated[float | None, _doc("cost as reported for this share")] = None


class Event(msgspec.Struct, kw_only=True, gc=False):
    """One row per normalized event; `(source_path, line_no, part_no)` is unique."""

    run_id: Annotated[str, _doc("the run this event belongs to")]
    source_path: Annotated[str, _doc("absolute path of the source")]
    line_no: Annotated[int, _doc("line of the source, from 1 (element of a JSON array); a folded request has its first line's")]
    part_no: Annotated[int, _doc("part of that line, from 1")]
    kind: Annotated[str, _doc("event kind")]
    native_type: Annotated[str | None, _doc("the harness's own type, `type/subtype`")] = None
    harness: Annotated[str, _doc("the program that wrote the stream")]
    format: Annotated[str, _doc("the shape of the file")]
    harness_version: Annotated[str | None, _doc("version of the harness, where stated")] = None
    session_id: Annotated[str | None, _doc("the harness's session id, as written")] = None
    uuid: Annotated[str | None, _doc("the record's own id")] = None
    copy_mark: Annotated[
        str | None, _doc("what marks the record as a copy of history: the session it was forked from, or the kind of a background session")
    ] = None
    agent_id: Annotated[str | None, _doc("the subagent; NULL is the main loop")] = None
    parent_tool_call_id: Annotated[str | None, _doc("the call that started the subagent")] = None
    occurred_at: Annotated[Time | None, _doc("when it happened")] = None
    time_source: Annotated[str | None, _doc("`native` (written on the record) or `derived` (an anchor and durations of the file)")] = None
    ended_at: Annotated[Time | None, _doc("request: time of its last line")] = None
    duration_ms: Annotated[
        int | None, _doc("duration the file states: of a tool's run, a hook, a compaction, a subagent, a result's process time")
    ] = None
    api_duration_ms: Annotated[int | None, _doc("result: time spent in the API, running total of the process")] = None
    message_id: Annotated[str | None, _doc("model response the event is part of")] = None
    request_id: Annotated[str | None, _doc("the API's request id")] = None
    model: Annotated[str | None, _doc("canonical model name")] = None
    native_model: Annotated[str | None, _doc("the model name as the file spells it")] = None
    text: Annotated[str | None, _doc("prompt, text, thinking, tool output, summary, message; raw JSON of an unmodelled record")] = None
    status: Annotated[
        str | None,
        _doc(
            "tool_result: ok, error, rejected; compaction: completed, failed, micro; subagent_end, hook, rate_limit, notice: the harness's own word"
        ),
    ] = None
    is_error: Annotated[bool | None, _doc("the harness called it an error")] = None
    error_type: Annotated[str | None, _doc("category of an error, retry or failed result")] = None
    error_status: Annotated[int | None, _doc("HTTP status of an error or retry")] = None
    tool_call_id: Annotated[str | None, _doc("id that pairs a call with its result (may repeat)")] = None
    tool_name: Annotated[str | None, _doc("the harness's own tool name, also on the result")] = None
    tool_kind: Annotated[str | None, _doc("tool kind")] = None
    mcp_server: Annotated[str | None, _doc("MCP server of the tool")] = None
    tool_input: Annotated[str | None, _doc("the call's input as JSON, keys sorted")] = None
    tool_input_hash: Annotated[
        int | None, _doc("checksum of the canonical input: equal for equal input, whatever its key order and spacing")
    ] = None
    tool_summary: Annotated[str | None, _doc("the call in one short line: its command, path or pattern")] = None
    result_chars: Annotated[int | None, _doc("characters of a tool's result")] = None
    subagent_type: Annotated[str | None, _doc("type of a subagent")] = None
    description: Annotated[str | None, _doc("the task given to a subagent, in the harness's short form")] = None
    attempt: Annotated[int | None, _doc("api_retry: number of the attempt within its episode")] = None
    max_attempts: Annotated[int | None, _doc("api_retry: attempts allowed")] = None
    delay_ms: Annotated[float | None, _doc("api_retry: wait before the attempt")] = None
    trigger: Annotated[str | None, _doc("compaction: `auto`, `manual`, …")] = None
    tokens_before: Annotated[int | None, _doc("compaction: context before")] = None
    tokens_after: Annotated[int | None, _doc("compaction: context after")] = None
    input_tokens: Annotated[int | None, _doc("request, result: uncached input")] = None
    cache_read_tokens: Annotated[int | None, _doc("request, result: input read from the cache")] = None
    cache_write_5m_tokens: Annotated[int | None, _doc("request, result: input written to the 5-minute cache")] = None
    cache_write_1h_tokens: Annotated[int | None, _doc("request, result: input written to the 1-hour cache")] = None
    output_tokens: Annotated[int | None, _doc("request, result: output, reasoning included")] = None
    reasoning_tokens: Annotated[int | None, _doc("request, result: reasoning, a subset of output")] = None
    total_tokens: Annotated[int | None, _doc("subagent_end: the total its harness states, where it states no split")] = None
    tool_uses: Annotated[int | None, _doc("subagent_end: tool calls its harness states")] = None
    web_search_requests: Annotated[int | None, _doc("request, result: web searches billed")] = None
    service_tier: Annotated[str | None, _doc("request, result: tier that served it")] = None
    speed: Annotated[str | None, _doc("request, result: `standard` or `fast`")] = None
    inference_geo: Annotated[str | None, _doc("request, result: region it ran in")] = None
    usage_parts: Annotated[
        list[UsagePart] | None, _doc("result: its modelUsage, a running total of the process; request: its iterations")
    ] = None
    stop_reason: Annotated[str | None, _doc("why the response or run stopped")] = None
    is_final: Annotated[bool | None, _doc("request: its output count is final, not the placeholder of a started stream")] = None
    is_streamed: Annotated[bool | None, _doc("request: it was streamed; false for a response that came whole as a fallback")] = None
    reported_cost_usd: Annotated[float | None, _doc("cost as reported: of a request; on a result a running total of its process")] = None
    reported_turns: Annotated[int | None, _doc("result: the harness's own count of turns")] = None
    subtype: Annotated[str | None, _doc("result: its subtype; NULL where it cannot be read or is not stated")] = None
    terminal_reason: Annotated[str | None, _doc("result: why the process ended")] = None
    is_verdict_readable: Annotated[bool | None, _doc("result: false where its verdict (subtype, is_error) cannot be read")] = None
    cwd: Annotated[str | None, _doc("session: working directory as written")] = None
    git_branch: Annotated[str | None, _doc("session: git branch")] = None
    title: Annotated[str | None, _doc("session: title the harness gave the run")] = None


class Unreadable(msgspec.Struct, kw_only=True, gc=False):
    """One row per unreadable or repaired line."""

    run_id: Annotated[str | None, _doc("the run of the record before it, else of the one after")]
    source_path: Annotated[str, _doc("absolute path of the source")]
    line_no: Annotated[int, _doc("line of the source, from 1")]
    byte_offset: Annotated[int, _doc("where the line begins in the decompressed source")]
    byte_length: Annotated[int, _doc("length of the line, its newline left out")]
    reason: Annotated[str, _doc("one word for what is wrong")]
    detail: Annotated[str | None, _doc("the decode error with its JSON path")] = None
    native_type: Annotated[str | None, _doc("the record's type where it can be told, also from a cut line")] = None
    raw: Annotated[str, _doc(f"the line's first {RAW_LIMIT:,} bytes; bytes that are no UTF-8 as escapes")]
    is_repaired: Annotated[bool, _doc("its records were recovered and count")]


class SourceRun(msgspec.Struct, kw_only=True, gc=False):
    """The share of one run in one source."""

    run_id: Annotated[str, _doc("the run")]
    lines: Annotated[int, _doc("physical lines")]
    blank_lines: Annotated[int, _doc("blank lines")]
    readable_lines: Annotated[int, _doc("lines that gave an event or were folded into one")]
    unreadable_lines: Annotated[int, _doc("lines that could not be read")]
    repaired_lines: Annotated[int, _doc("readable lines that were repaired")]
    first_at: Annotated[Time | None, _doc("earliest time")] = None


class Source(msgspec.Struct, kw_only=True, gc=False):
    """One row per source."""

    source_path: Annotated[str, _doc("absolute path")]
    source_bytes: Annotated[int | None, _doc("size of the file")] = None
    modified_at: Annotated[Time | None, _doc("the file's modification time")] = None
    modified_ns: Annotated[int | None, _doc("the same in nanoseconds since 1970, to notice changes")] = None
    changed_ns: Annotated[int | None, _doc("the file's change time in nanoseconds since 1970, to notice changes")] = None
    content_hash: Annotated[str | None, _doc("SHA-256 of the decompressed content")] = None
    content_bytes: Annotated[int | None, _doc("length of the decompressed content")] = None
    head_hash: Annotated[str | None, _doc("SHA-256 of its first line, to find sources that begin alike")] = None
    harness: Annotated[str | None, _doc("the program that wrote it")] = None
    format: Annotated[str | None, _doc("the shape of the file")] = None
    status: Annotated[str, _doc("`ok`, `duplicate`, `unsupported`, `failed` or `missing`")] = "ok"
    error: Annotated[str | None, _doc("why it is unsupported or failed; of a duplicate, whose content it has")] = None
    duplicate_of: Annotated[str | None, _doc("the source with the same content, or that begins with it")] = None
    lines: Annotated[int | None, _doc("physical lines; NULL where the source was not read")] = None
    blank_lines: Annotated[int | None, _doc("blank lines")] = None
    readable_lines: Annotated[int | None, _doc("lines that gave an event or were folded into one")] = None
    unreadable_lines: Annotated[int | None, _doc("lines that could not be read")] = None
    repaired_lines: Annotated[int | None, _doc("readable lines that were repaired")] = None
    events: Annotated[int | None, _doc("events")] = None
    unmodelled_events: Annotated[int | None, _doc("events of types that agentlog does not model")] = None
    runs: Annotated[list[SourceRun] | None, _doc("the runs it holds, with their lines")] = None
    part: Annotated[str | None, _doc("the part file that holds its events")] = None
    ingested_at: Annotated[Time | None, _doc("when agentlog read it")] = None


TABLES: Final[dict[str, type[msgspec.Struct]]] = {"events": Event, "unreadable": Unreadable, "sources": Source}


def columns(row: type[msgspec.Struct]) -> dict[str, tuple[Any, str]]:
    """The fields of a row class: name → (bare type, one-line meaning)."""
    found = {}
    for name, hint in get_type_hints(row, include_extras=True).items():
        inner, meta = get_args(hint)
        found[name] = (inner, meta.description)
    return found


def unit(column: str) -> str | None:
    """The unit that a column's suffix states (contract: units are name suffixes)."""
    suffixes = {
        "_tokens": "tokens",
        "_usd": "USD",
        "_ms": "milliseconds",
        "_ns": "nanoseconds",
        "_bytes": "bytes",
        "_at": "UTC time",
        "_no": "1-based number",
        "_share": "0 to 1",
    }
    return next((unit for suffix, unit in suffixes.items() if column.endswith(suffix)), None)


def arrow_schema(row: type[msgspec.Struct]) -> pa.Schema:
    """The Arrow schema of a row class, with unit and meaning in each field's metadata."""
    import pyarrow as pa

    fields = []
    for name, (kind, meaning) in columns(row).items():
        metadata = {"meaning": meaning} | ({"unit": named} if (named := unit(name)) else {})
        fields.append(pa.field(name, _arrow_type(kind), nullable=_is_nullable(kind), metadata=metadata))
    return pa.schema(fields)


def to_arrow(rows: Sequence[msgspec.Struct], row: type[msgspec.Struct]) -> pa.Table:
    """Rows of one class as an Arrow table of its schema."""
    import pyarrow as pa

    schema = _schema(row)
    batches = [_batch(rows[at : at + _BATCH_ROWS], schema) for at in range(0, len(rows), _BATCH_ROWS)]
    return pa.Table.from_batches(batches, schema=schema)


_BATCH_ROWS: Final = 1000
"""Rows are turned into columns so many at a time: more of them fall out of the processor's cache (measured: 8,000 take 1.6 times as long)."""


def _batch(rows: Sequence[msgspec.Struct], schema: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    nothing = (None,) * len(rows)
    by_column = zip(*map(msgspec.structs.astuple, rows), strict=True)
    arrays = [
        _nulls(len(rows), field.type)
        if values == nothing
        else pa.array(_plain(values) if pa.types.is_list(field.type) else values, field.type)
        for field, values in zip(schema, by_column, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


@lru_cache(maxsize=256)
def _nulls(rows: int, kind: pa.DataType) -> pa.Array:
    """Most columns of most batches say nothing: making them anew each time is a fifth of the conversion."""
    import pyarrow as pa

    return pa.nulls(rows, kind)


_SCHEMAS: dict[type, Any] = {}


def _schema(row: type[msgspec.Struct]) -> pa.Schema:
    if row not in _SCHEMAS:
        _SCHEMAS[row] = arrow_schema(row)
    return _SCHEMAS[row]


def _plain(values: Sequence[Any]) -> list[Any]:
    """Lists of structs as lists of dicts, which is what Arrow takes."""
    return [None if value is None else [msgspec.structs.asdict(part) for part in value] for value in values]


def _is_nullable(kind: object) -> bool:
    return type(None) in get_args(kind)


def _arrow_type(kind: Any) -> pa.DataType:  # noqa: ANN401 (an annotation, of which typing has no type)
    import pyarrow as pa

    if isinstance(kind, types.UnionType) or get_origin(kind) is Union:
        kind = next(part for part in get_args(kind) if part is not type(None))
    if get_origin(kind) is list:
        return pa.list_(_arrow_type(get_args(kind)[0]))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return pa.struct([pa.field(name, _arrow_type(inner)) for name, (inner, _) in columns(kind).items()])
    return {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), Time: pa.timestamp("us", tz="UTC")}[kind]
