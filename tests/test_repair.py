"""Damaged lines: what can be recovered of each, and the word for what is wrong."""

from __future__ import annotations

import pytest

from agentlog.events import REPAIRED_REASONS, UNREADABLE_REASONS
from agentlog.repair import native_type_of, repair


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
        (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "too_deep"),
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
        (b'npm warn {"t":{"b":1}}', [b'{"t":{"b":1}}'], "prefixed"),
        (b'{"type":"assistant","mess{"t":1}', [b'{"t":1}'], "prefixed"),
        (b'{"t":1}\0\0', [b'{"t":1}'], "trailing"),
        (b'{"t":1} done', [b'{"t":1}'], "trailing"),
        (b'{"t":1}{"type":"result","su', [b'{"t":1}'], "trailing"),
        (b'{"t":1}{"t":2} {"t":3}', [b'{"t":1}', b'{"t":2}', b'{"t":3}'], "glued"),
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


def test_a_long_cut_line_is_judged_quickly() -> None:
    """Work is bounded however many braces a damaged line holds: this takes seconds if each is tried against the rest."""
    line = b'noise {"type":"x","a":[' + b'{"b":"c"},' * 200_000
    assert repair(line).records == []
