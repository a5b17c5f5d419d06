"""The containment boundary: every line is one of blank, readable, unreadable, whatever the bytes are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from claude_records import OPUS, SESSION, answer, assistant, call, init, lines, message_start, result, streamed, system, text, usage, user
from hypothesis import given
from hypothesis import strategies as st

from agentlog.decode import Decoder

if TYPE_CHECKING:
    from agentlog.events import Event, Unreadable

RECORDS = [
    init(),
    user("fix the parser", timestamp="2026-03-01T10:00:00Z"),
    message_start("m0", usage(25, 1)),
    streamed("content_block_start", index=0, content_block={"type": "text", "text": ""}),
    streamed("content_block_delta", index=0, delta={"type": "text_delta", "text": "hi"}),
    streamed("message_delta", delta={"stop_reason": "end_turn"}, usage=usage(25, 15)),
    assistant("m1", text("looking"), call("t1", command="ls"), of=usage(10, 3, read=500)),
    answer("t1", "a.py", is_error=False, timestamp="2026-03-01T10:00:05Z"),
    assistant("m2", call("t2", "Task", prompt="x"), of=usage(12, 4)),
    assistant("s1", text("sub"), of=usage(5, 2), parent="t2"),
    answer("t2", "none"),
    system("api_retry", attempt=1, max_retries=10, retry_delay_ms=500.5, error_status=529),
    system("compact_boundary", compact_metadata={"trigger": "auto", "pre_tokens": 9}),
    {"type": "future", "session_id": SESSION},
    result(total_cost_usd=0.1, usage=usage(47, 20), modelUsage={OPUS: {"inputTokens": 50, "costUSD": 0.1}}),
]


def decode(data: list[bytes]) -> tuple[Decoder, list[Event], list[Unreadable]]:
    decoder = Decoder("/archive/run.jsonl")
    offset = 0
    for line_no, line in enumerate(data, 1):
        decoder.feed(line_no, offset, [line])
        offset += len(line) + 1
    decoder.close()
    events, unreadable = decoder.take(everything=True)
    return decoder, events, unreadable


def test_blank_and_unreadable_lines_go_with_the_record_before_them() -> None:
    decoder, _, unreadable = decode([b"banner", b"", *lines(init()), b"noise", b"  \r", *lines(init(session_id="two")), b"42"])
    first, second = decoder.runs()
    assert (first.lines, first.blank_lines, first.readable_lines, first.unreadable_lines) == (5, 2, 1, 2)
    assert (second.lines, second.blank_lines, second.readable_lines, second.unreadable_lines) == (2, 0, 1, 1)
    assert [row.run_id for row in unreadable] == [first.run_id, first.run_id, second.run_id]


def test_an_unreadable_line_keeps_its_place_and_its_bytes() -> None:
    _, _, (row,) = decode([*lines(init()), b'{"type":"result","subt\xff'])
    start = len(lines(init())[0]) + 1
    assert (row.line_no, row.byte_offset, row.byte_length, row.native_type) == (2, start, 23, "result")
    assert row.raw == '{"type":"result","subt\\xff'


def test_glued_records_share_their_line_and_are_repaired() -> None:
    glued = b"".join(lines(user("a"), user("b")))
    decoder, events, (row,) = decode([*lines(init()), glued])
    assert [(event.line_no, event.part_no, event.kind) for event in events] == [(1, 1, "session"), (2, 1, "prompt"), (2, 2, "prompt")]
    assert (row.reason, row.is_repaired, decoder.lines().repaired_lines, decoder.lines().readable_lines) == ("glued", True, 1, 2)


BETWEEN = (
    b"\0\0",
    b"\r",
    b",",
    b"[INFO] ",
    b"2026-03-01T10:00:00Z ",
    b"data: ",
    b"\x1e",
    b"\x1b[0m",
    b"\xef\xbb\xbf",
    b"][",
    b"\\n",
    b"\xff",
)


@pytest.mark.parametrize("between", [*BETWEEN, b'npm "warn" {x} '])
@pytest.mark.parametrize("cut", [b"", b'{"type":"assis', b'{"type":"result","sub'])
def test_records_on_one_line_all_count_whatever_stands_between_them(between: bytes, cut: bytes) -> None:
    first, second, third = lines(user("a"), assistant("m1", of=usage(1, 2)), result(total_cost_usd=0.5))
    decoder, events, (row,) = decode([*lines(init()), between.join([first, cut + second, third])])
    assert [(event.kind, event.part_no) for event in events[1:]] == [("prompt", 1), ("request", 2), ("result", 3)]
    assert (row.reason, row.is_repaired, row.native_type) == ("glued", True, "result" if b"result" in cut else None)
    assert decoder.lines().readable_lines == 2


def test_a_file_whose_lines_end_in_carriage_returns_loses_no_record() -> None:
    data = b"\r".join(lines(*RECORDS))
    decoder, events, (row,) = decode([data])
    assert [event.kind for event in events] == [event.kind for event in decode(lines(*RECORDS))[1]]
    assert (row.reason, decoder.lines().lines) == ("glued", 1)


def test_json_quoted_in_a_log_line_is_no_record() -> None:
    _, events, (row,) = decode([*lines(init()), b'POST {"model":"x"}', b'npm warn {"type":"keep_alive"}'][:2])
    assert (len(events), row.reason) == (1, "not_json")


def test_a_source_without_a_session_id_is_one_run_named_by_its_path() -> None:
    bare = assistant("m1", text("a"), of=usage(1, 1))
    del bare["session_id"]
    decoder, events, _ = decode(lines(bare, {"type": "user", "message": {"role": "user", "content": "b"}, "parent_tool_use_id": None}))
    assert {event.run_id for event in events} == {decoder.runs()[0].run_id}
    assert decoder.runs()[0].run_id.startswith("claude-runjsonl-")
    assert {event.session_id for event in events} == {None}


def test_other_formats_are_refused_with_what_was_seen() -> None:
    decoder, events, _ = decode(lines({"type": "thread.started", "thread_id": "x"}, {"type": "turn.completed"}))
    assert events == []
    assert decoder.refusal == "no format that agentlog reads; its records are of the types thread.started, turn.completed"
    assert decode([b"just text"])[0].refusal == "no JSON object in it"
    assert decode([])[0].refusal is None


BARE: list[dict[str, Any]] = [
    {"type": "result"},
    {"type": "result", "subtype": "success", "is_error": False, "result": "done"},
    {"type": "user", "message": {"role": "user", "content": "a"}},
    {"type": "assistant", "message": "a"},
    {"type": "system", "subtype": "init"},
]


@pytest.mark.parametrize("record", BARE)
def test_a_lone_record_of_a_known_type_is_evidence_enough(record: dict[str, Any]) -> None:
    decoder, events, _ = decode(lines(record))
    assert (decoder.refusal, decoder.format and decoder.format.name, len(events)) == (None, "stream-json", 1)
    assert decode(lines(record, *BARE))[0].refusal is None


@pytest.mark.parametrize(
    "record", [{"type": "result", "status": "success", "stats": {}}, {"type": "init"}, {"type": "user", "text": "a"}, {"result": 1}]
)
def test_a_type_that_other_programs_write_too_is_none_beside_fields_of_theirs(record: dict[str, Any]) -> None:
    assert decode(lines(record))[0].refusal is not None
    assert decode(lines({"type": "result"}, record))[0].refusal is not None


noise = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"", b" ", b"\0\0", b"null", b"[1]", b"{}", b'{"type":"result","sub', b"caf\xe9", b"\xef\xbb\xbf{}"]),
)
real = st.sampled_from(lines(*RECORDS))
torn = real.flatmap(lambda line: st.integers(0, len(line)).map(lambda at: line[:at]))
known = real.filter(lambda line: b'"future"' not in line)
glued = st.lists(st.tuples(known, st.sampled_from(BETWEEN)), min_size=2, max_size=4)


@given(glued, st.data())
def test_glued_records_give_the_events_that_they_give_alone(rows: list[tuple[bytes, bytes]], data: st.DataObject) -> None:
    """Also with a record that is cut at any place between the first and the second.

    No comma follows the second: it may stand where a value was due in the one that was cut, which the comma would continue.
    """
    (first, between), *others = rows
    cut = data.draw(torn).strip(b"{}")
    line = first + between + (b"{" + cut if cut else b"") + b"".join(record + after.replace(b",", b" ") for record, after in others)
    alone, together = decode([*lines(init()), *(record for record, _ in rows)])[1], decode([*lines(init()), line])[1]
    assert [(event.kind, event.uuid, event.text) for event in together] == [(event.kind, event.uuid, event.text) for event in alone]


any_lines = st.lists(st.one_of(real, real, noise, torn, st.builds(bytes.__add__, torn, real)), max_size=12)


@given(any_lines)
def test_conservation_of_any_bytes(data: list[bytes]) -> None:
    data = [line.replace(b"\n", b"") for line in data]
    decoder, events, unreadable = decode(data)
    if decoder.refusal is not None:
        return
    tally = decoder.lines()
    assert tally.blank_lines + tally.readable_lines + tally.unreadable_lines == len(data)
    assert tally.blank_lines == sum(not line.strip() for line in data)
    assert tally.unreadable_lines == sum(not row.is_repaired for row in unreadable)
    assert tally.repaired_lines == sum(row.is_repaired for row in unreadable)
    assert sum(run.lines for run in decoder.runs()) == (len(data) if decoder.runs() else 0)
    places = [(event.line_no, event.part_no) for event in events]
    assert len(set(places)) == len(places)


@given(st.lists(real, max_size=30), st.integers(0, 30))
def test_a_prefix_gives_a_prefix_of_the_events(data: list[bytes], at: int) -> None:
    """All but the requests that are still open at the cut, and blocks that are still streaming."""
    data = [*lines(init()), *data]
    whole, part = decode(data)[1], decode(data[: at + 1])[1]
    given_out = [event for event in whole if event.line_no <= at + 1]
    settled = [event for event in part if event.kind not in {"request", "text"}]
    assert settled == [event for event in given_out if event.kind not in {"request", "text"}]
    requests = [(event.line_no, event.message_id) for event in part if event.kind == "request"]
    assert set(requests) <= {(event.line_no, event.message_id) for event in whole if event.kind == "request"}


words = st.text(alphabet='ab{}[]"\\é\x00\ud83d', max_size=6)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)


def mutated(record: Any, draw: Any) -> Any:
    """The record with one value, at any depth, replaced by any other."""
    if isinstance(record, dict) and record and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(record)))
        return {**record, key: mutated(record[key], draw)}
    if isinstance(record, list) and record and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(record) - 1))
        return [*record[:at], mutated(record[at], draw), *record[at + 1 :]]
    return draw(values)


def with_null(record: Any, draw: Any) -> Any:
    """The record with one value, at any depth, replaced by null, or a null put into a list."""
    if isinstance(record, dict) and record and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(sorted(record)))
        return {**record, key: with_null(record[key], draw)}
    if isinstance(record, list) and draw(st.integers(0, 4)):
        at = draw(st.integers(0, len(record)))
        return [*record[:at], None, *record[at:]] if at == len(record) else [*record[:at], with_null(record[at], draw), *record[at + 1 :]]
    return None


@given(st.data())
def test_null_anywhere_makes_no_line_unreadable_or_repaired(data: st.DataObject) -> None:
    records = [with_null(data.draw(st.sampled_from(RECORDS)), data.draw) or {} for _ in range(3)]
    decoder, _, unreadable = decode([*lines(init()), *lines(*records)])
    assert (decoder.lines().readable_lines, unreadable) == (4, [])


@given(st.data())
def test_only_a_message_or_a_verdict_makes_a_record_unreadable(data: st.DataObject) -> None:
    record = mutated(data.draw(st.sampled_from(RECORDS)), data.draw)
    _, _, unreadable = decode([*lines(init()), json.dumps(record).encode()])
    if isinstance(record, dict) and any(not row.is_repaired for row in unreadable):
        is_message = isinstance(record.get("message"), dict | str | None)
        is_verdict = isinstance(record.get("subtype"), str | None) and isinstance(record.get("is_error"), bool | None)
        assert [row.reason for row in unreadable] == (["bad_shape"] if not is_message else ["bad_verdict"])
        assert not (is_message and is_verdict)


@given(st.data())
def test_any_field_may_hold_anything(data: st.DataObject) -> None:
    records = [mutated(record, data.draw) if data.draw(st.booleans()) else record for record in RECORDS[1:]]
    stream = [*lines(init()), *(json.dumps(record).encode() for record in records)]
    decoder, _, unreadable = decode(stream)
    tally = decoder.lines()
    assert tally.lines == len(stream)
    objects = sum(isinstance(record, dict) for record in records) + 1
    assert tally.readable_lines <= objects
    assert all(row.detail for row in unreadable)
