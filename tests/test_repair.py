"""Damaged lines: what can be recovered of each, and the word for what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlog.events import REPAIRED_REASONS, UNREADABLE_REASONS
from agentlog.repair import MAX_DEPTH, native_type_of, repair
from agentlog.salvage import Setting, salvage


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"Now using node v22", "not_json"),
        (b"[debug] POST /v1/messages 200", "not_json"),
        (b"null", "not_object"),
        (b"42", "not_object"),
        (b'"text"', "not_object"),
        (b"[1,2,3]", "not_object"),
        (b'{"type":"assistant","message":{', "cut"),
        (b'{"a":[{"type":"text","text":"inner"},{"type":"tool', "cut"),
        (b'{"u":NaN}', "not_json"),
        (b'{"u":-Infinity}', "not_json"),
        (b"\0\0\0", "nul"),
        (b"[" * 20_000 + b"]" * 20_000, "too_deep"),
    ],
)
def test_lines_that_hold_no_record(line: bytes, reason: str) -> None:
    found = repair(line)
    assert (found.records, found.reason) == ([], reason)
    assert reason in UNREADABLE_REASONS


@pytest.mark.parametrize(
    ("line", "records", "reason"),
    [
        (b'{"t":"caf\xe9"}', ['{"t":"caf\ufffd"}'.encode()], "bad_utf8"),
        (rb'{"t":"\udcb2"}', [rb'{"t":"\ufffd"}'], "lone_surrogate"),
        (rb'{"t":"\ud83d\ude00 \ud83d"}', [rb'{"t":"\ud83d\ude00 \ufffd"}'], "lone_surrogate"),
        (rb'{"t":"\\udcb2 \udcb2"}', [rb'{"t":"\\udcb2 \ufffd"}'], "lone_surrogate"),
        (b'{"t":"a\x01b"}', [rb'{"t":"a\u0001b"}'], "control_character"),
        (b'{"t":"a\x00b"}', [rb'{"t":"a\u0000b"}'], "control_character"),
        (b'{"t":"a\tb\r\nc",\r\n\t"u":1}', [b'{"t":"a\\u0009b\\u000d\\u000ac",\r\n\t"u":1}'], "control_character"),
        (b'{"t":"1, 1e999, 2","u":[1e999]}', [b'{"t":"1, 1e999, 2","u":[null]}'], "bad_value"),
        (b'{"u":' + b"9" * 4301 + b',"v":-' + b"9" * 4301 + b"}", [b'{"u":null,"v":null}'], "bad_value"),
        (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, [b'{"a":' * MAX_DEPTH + b"null" + b"}" * MAX_DEPTH], "bad_value"),
        (b'npm warn {"t":{"b":1}}', [b'{"t":{"b":1}}'], "prefixed"),
        (b'{"type":"assistant","mess{"t":1}', [b'{"t":1}'], "prefixed"),
        (b'{"t":1}\0\0', [b'{"t":1}'], "trailing"),
        (b'{"t":1} done', [b'{"t":1}'], "trailing"),
        (b'{"t":1}{"type":"result","su', [b'{"t":1}'], "trailing"),
        (b'{"t":1}{"t":2} {"t":3}', [b'{"t":1}', b'{"t":2}', b'{"t":3}'], "glued"),
        (b'{"t":1}\x1e\0{"t":"caf\xe9"}\xff{"t":"\tx"},', [b'{"t":1}', '{"t":"caf\ufffd"}'.encode(), rb'{"t":"\u0009x"}'], "glued"),
        (b'{"a":[' + b"[" * 2000 + b"]" * 2000 + b']}{"t":1}', [b'{"a":' + b"[" * 199 + b"null" + b"]" * 199 + b"}", b'{"t":1}'], "glued"),
    ],
)
def test_lines_whose_records_can_be_recovered(line: bytes, records: list[bytes], reason: str) -> None:
    found = repair(line)
    assert (found.records, found.reason) == (records, reason)
    assert reason in REPAIRED_REASONS


def test_the_type_of_a_record_that_was_lost() -> None:
    assert repair(b'{"t":1}{"type":"result","su').lost_type == "result"
    assert repair(b'{"type":"result","subtype":"suc').lost_type == "result"
    assert native_type_of(b'  {"type" : "result"') == "result"
    assert native_type_of(b'{"type":"re') is None
    assert native_type_of(b'{"session_id":"s1","type":"result","subtype":"succ') == "result"
    assert native_type_of(b'npm warn {"type":"result","subtype":"succ') == "result"
    assert native_type_of(b'{"message":{"type":"text"') is None


def test_the_record_that_was_cut_is_told_wherever_it_stood() -> None:
    assert repair(b'{"t":1}{"type":"user","a":{"b"{"type":"result","su{"t":2}').lost_type == "result"
    assert repair(b'{"type":"user","a":"b{"t":2}').lost_type == "user"
    assert repair(b'{"type":"result","a":NaN}{"t":2}').lost_type == "result"
    assert repair(b'{"t":1} {"t":2}').lost_type is None


def test_the_detail_counts_and_quotes_nothing() -> None:
    found = repair(b'{"t":1}secret{"type":"result","su{"t":"\xff"}')
    assert found.detail.startswith("2 records on one line; 1 cut; bytes that are no UTF-8 were replaced: ")
    assert "secret" not in found.detail


def test_behind_other_text_only_what_is_known_is_a_record() -> None:
    asked: list[tuple[bytes, Setting]] = []

    def is_known(record: bytes, setting: Setting) -> bool:
        asked.append((record, setting))
        return record.startswith(b'{"k"')

    line = b'{"a":1} {"b":1}, {"c":1} {"k":1} {"d":[{"k":2}]} {"e":"f{"k":3} POST {"k":4}'
    assert repair(line, is_known).records == [b'{"a":1}', b'{"b":1}', b'{"k":1}', b'{"k":3}', b'{"k":4}']
    assert asked == [
        (b'{"c":1}', Setting.TEXT),
        (b'{"k":1}', Setting.TEXT),
        (b'{"d":[{"k":2}]}', Setting.TEXT),
        (b'{"k":3}', Setting.TEAR),
        (b'{"k":4}', Setting.TEXT),
    ]


def test_an_object_inside_of_one_that_breaks_is_none_of_its_own() -> None:
    for line in (b'{"a":NaN,"b":[{"c":1},{"d":2}]}', b'{"a":[{"c":1},{"d":2}', b'{"a":[{"c":1},NaN,{"d":2},"x"]}', b'{"a":{"c":1},'):
        assert repair(line, lambda _, setting: setting is not Setting.TEAR).records == []
    assert repair(b'{"a":NaN,"b":[{"c":1},{"d":2}]}').records == []


@pytest.mark.parametrize(
    "line",
    [
        b'noise {"type":"x","a":[' + b'{"b":"c"},' * 200_000,
        b'{"type":"x","a":[' + b'{"b":"c"},' * 200_000 + b'{"b":"c"}',
        b'{"a":"' + b'b{"' * 20_000,
        b'{"a":' * 100 + b'{"a":"b{"a":"c' * 20_000,
        b'{"a":1}x' * 20_000,
        b'{"a":"' + b"\\" * 500_000,
        b"{" * 500_000,
    ],
    ids=["cut behind text", "cut", "strings", "torn", "whole", "backslashes", "braces"],
)
def test_a_long_damaged_line_is_judged_quickly(line: bytes) -> None:
    """Work is bounded however many braces a damaged line holds: this takes minutes if each is tried against the rest."""
    repair(line, lambda _record, _setting: False)


objects = st.dictionaries(st.sampled_from("abc"), st.sampled_from([1, "x", "}{", '"', [], [{"a": "{"}], {"b": {}}]), min_size=1)
between = st.text(alphabet="x,:[]} \\\r\0\x1e\x1b\ufeff\n\t0", max_size=8)


@given(st.lists(st.tuples(objects, between), min_size=1), between)
def test_whole_objects_are_found_whatever_stands_between(rows: list[tuple[dict[str, Any], str]], before: str) -> None:
    text = before.encode() + b"".join(json.dumps(record).encode() + after.encode() for record, after in rows)
    assert [json.loads(record) for record in repair(text.replace(b"\n", b"")).records] == [record for record, _ in rows]


@given(objects, st.data())
def test_a_cut_object_between_whole_ones_costs_neither(record: dict[str, Any], data: st.DataObject) -> None:
    whole = json.dumps({"type": "user", "content": record}).encode()
    cut = whole[: data.draw(st.integers(2, len(whole) - 1))]
    found = repair(whole + cut + whole, lambda record, _: record.startswith(b'{"type"'))
    assert (found.records, found.reason) == ([whole, whole], "glued")
    assert "cut: " in found.detail


@given(st.binary(max_size=60), st.lists(st.sampled_from([b'{"', b'"', b"{", b"}", b":", b",", b"[", b"]", b'{"a":1}', b"\\"]), max_size=30))
def test_any_text_is_scanned_to_its_end(noise: bytes, parts: list[bytes]) -> None:
    spans, torn = salvage(noise.translate(bytes(max(32, byte) for byte in range(256))) + b"".join(parts), lambda *_: True)
    ends = [place for span in spans for place in span]
    assert ends == sorted(ends)
    assert all(begin < end for begin, end in torn)
