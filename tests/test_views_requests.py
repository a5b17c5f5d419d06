"""What a request and a turn are: folding over sources, orphans of aborted streams, contexts, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rows import Log, ask, at, only, opened, part

if TYPE_CHECKING:
    from pathlib import Path


def test_requests_are_numbered_in_run_order_and_turns_are_those_of_the_main_loop(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=1)
    log.request("s1", agent="call", i=2)
    log.request("m2", i=3)
    rows = opened(tmp_path, log).sql("select message_id, request_no, turn_no, agent_id from requests order by request_no").rows()
    assert rows == [("m1", 1, 1, None), ("s1", 2, None, "call"), ("m2", 3, 2, None)]


def test_sources_of_a_run_follow_one_another_by_their_first_time_and_those_without_one_come_last(tmp_path: Path) -> None:
    late, early, timeless = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl"), Log(source_path="/0.jsonl")
    late.request("late", seconds=60)
    early.request("early", seconds=5)
    timeless.request("timeless")
    rows = opened(tmp_path, late, early, timeless).sql("select message_id from requests order by turn_no").rows()
    assert rows == [("early",), ("late",), ("timeless",)]


def test_a_late_line_and_a_second_source_are_folded_into_the_response(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    first.request("m1", seconds=1, i=10, r=200, o=3)
    first.request("m2", i=5, o=1)
    first.request("m1", i=10, r=200, o=90, ends=8, is_final=True)  # a late line of m1 that tells more
    second.request("m2", i=5, o=40, is_final=True)
    store = opened(tmp_path, first, second)
    rows = store.sql(
        "select message_id, turn_no, input_tokens, output_tokens, is_final, started_at, ended_at from requests order by turn_no"
    ).rows()
    assert rows == [("m1", 1, 10, 90, True, at(1), at(8)), ("m2", 2, 5, 40, True, None, None)]
    assert only(store, "runs", "turns", "input_tokens", "output_tokens") == (2, 15, 130)


def test_a_response_that_begins_without_figures_is_the_one_that_has_them(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    first.request("m1", i=0, r=0, o=1)
    second.request("m1", i=7, r=100, o=20)
    assert only(opened(tmp_path, first, second), "requests", "input_tokens", "cache_read_tokens", "output_tokens") == (7, 100, 20)


def test_a_gateway_that_repeats_an_id_made_as_many_requests_as_there_are_figures(tmp_path: Path) -> None:
    log, copy = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    for figure in (100, 200, 300):
        log.request("relay", i=figure, o=1)
        log.call(f"c{figure}", "relay")
        log.answer(f"c{figure}")
    copy.request("relay", i=200, o=9)  # the second one again
    store = opened(tmp_path, log, copy)
    assert store.sql("select input_tokens, output_tokens from requests order by turn_no").rows() == [(100, 1), (200, 9), (300, 1)]
    assert store.sql("select tool_call_id, turn_no from tool_calls order by call_no").rows() == [("c100", 1), ("c200", 2), ("c300", 3)]


def test_the_main_loops_request_counts_before_a_subagents_of_the_same_response(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", agent="call", i=4)
    log.request("m1", i=4)
    assert only(opened(tmp_path, log), "requests", "agent_id", "turn_no") == (None, 1)


def test_messages_without_an_id_are_requests_of_their_own(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    for log in (first, second):
        log.request(None, i=3)
        log.call("c1", None, line_no=1)
    store = opened(tmp_path, first, second)
    assert only(store, "runs", "turns", "input_tokens") == (2, 6)
    assert store.sql("select turn_no from tool_calls order by call_no").rows() == [(1,), (2,)]


def test_a_context_is_that_of_its_request_and_with_iterations_of_the_last_message(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, r=1000, w=200, w1h=50, o=5)
    log.request(
        "m2",
        i=30,
        r=500,
        usage_parts=[part(None, "message", i=20, r=400), part(None, "compaction", i=9000, o=300), part(None, "message", i=10, r=100, w=1)],
    )
    log.request("m3", o=5)
    log.request("s1", agent="call", i=50_000)
    store = opened(tmp_path, log)
    assert store.sql("select context_tokens from requests order by request_no").rows() == [(1260,), (111,), (None,), (50_000,)]
    assert only(store, "runs", "peak_context_tokens") == 1260


def test_totals_leave_out_what_is_unknown_and_hold_zero_where_it_is_said(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=0)
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens", "total_tokens")
    assert only(opened(tmp_path, log), "requests", *names) == (10, None, None, 0, None, 10)


def test_figures_at_the_edge_of_64_bits_break_no_sum(tmp_path: Path) -> None:
    log, other = Log(), Log("small", "/small.jsonl")
    log.request("m1", i=2**63 - 1, r=2**63 - 1, o=1)
    log.result(part(i=2**63 - 1, r=2**63 - 1, o=1), usd=1.0)
    other.request("m1", i=1)
    store = opened(tmp_path, log, other)
    assert ask(store, "select run_id, input_tokens, total_tokens from runs order by run_id") == [
        {"run_id": "run", "input_tokens": 2**63 - 1, "total_tokens": None},
        {"run_id": "small", "input_tokens": 1, "total_tokens": 1},
    ]
    for view in store.views():
        store.view(view)


def aborted(log: Log, *, i: int = 100, r: int = 1000) -> None:
    """A response whose stream broke off before its call ran, then the same asked again without streaming."""
    log.request("orphan", i=i, r=r, o=2)
    log.call("c0", "orphan")
    log.request("whole", i=120, r=900, o=70, is_streamed=False, is_final=True)
    log.call("c1", "whole")
    log.answer("c1")


def test_what_an_aborted_stream_left_over_counts_nowhere_if_the_totals_leave_it_out(tmp_path: Path) -> None:
    log = Log()
    log.add("prompt", uuid="u1")
    aborted(log)
    log.request("last", i=30, r=0, o=8)
    log.result(part(i=150, r=900, o=100), usd=0.5)
    store = opened(tmp_path, log)
    assert only(store, "runs", "turns", "tool_calls", "pending_tool_calls", "input_tokens", "output_tokens") == (2, 1, 0, 150, 100)
    assert store.sql("select message_id, turn_no from requests order by turn_no").rows() == [("whole", 1), ("last", 2)]
    assert store.sql("select entry, input_tokens, cache_read_tokens, output_tokens from usage order by all").rows() == [
        ("remainder", 0, 0, 22),
        ("request", 30, 0, 8),
        ("request", 120, 900, 70),
    ]
    assert ask(store, "select count(*) as n from events where message_id = 'orphan'") == [{"n": 2}]
    assert ask(store, "select distinct turn_no from events where message_id = 'orphan'") == [{"turn_no": None}]


def test_a_response_without_results_counts_if_the_totals_hold_it(tmp_path: Path) -> None:
    log = Log()
    aborted(log)
    log.result(part(i=220, r=1900, o=100), usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "tool_calls", "pending_tool_calls") == (2, 2, 1)


def test_a_response_without_results_counts_if_nothing_is_reported(tmp_path: Path) -> None:
    log = Log()
    aborted(log)
    assert only(opened(tmp_path, log), "runs", "turns", "pending_tool_calls", "input_tokens") == (2, 1, 220)


@pytest.mark.parametrize("kind", ["prompt", "tool_result"])
def test_a_response_is_no_orphan_if_the_user_side_spoke_before_the_next(tmp_path: Path, kind: str) -> None:
    log = Log()
    log.request("m1", i=100, r=1000)
    log.call("c0", "m1")
    log.add(kind, tool_call_id="another" if kind == "tool_result" else None)
    log.request("m2", i=50, r=0)
    log.result(part(i=50, r=0), usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "input_tokens") == (2, 50)


def test_a_response_whose_subagent_is_at_work_is_no_orphan(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100, r=1000)
    log.call("agent-1", "m1", tool="Agent")
    log.request("s1", agent="agent-1", i=1)
    log.request("m2", i=50, r=0)
    log.result(part(i=51), usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "subagent_turns", "subagents") == (2, 1, 1)


def test_of_two_responses_without_results_only_the_one_that_the_totals_leave_out_is_an_orphan(tmp_path: Path) -> None:
    log = Log()
    log.request("search", i=40, r=100)  # a server tool: its call never gets a result of its own
    log.call("server", "search")
    aborted(log)
    log.result(part(i=160, r=1000, o=75), usd=0.5)  # search and whole
    store = opened(tmp_path, log)
    assert store.sql("select message_id from requests order by turn_no").rows() == [("search",), ("whole",)]
    assert only(store, "runs", "tool_calls", "pending_tool_calls") == (2, 1)


def test_of_many_responses_without_results_all_go_or_stay_together(tmp_path: Path) -> None:
    log = Log()
    for number in range(9):
        log.request(f"m{number}", i=100)
        log.call(f"c{number}", f"m{number}")
    log.request("last", i=7)
    log.result(part(i=7), usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "tool_calls", "input_tokens") == (1, 0, 7)


def test_orphans_are_also_told_by_a_usage_without_models(tmp_path: Path) -> None:
    log = Log()
    log.request("orphan", i=100, r=1000)
    log.call("c0", "orphan")
    log.request("m2", i=50, r=900, o=3)
    log.result(i=50, r=900, o=60, usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "tool_calls", "input_tokens", "output_tokens") == (1, 0, 50, 60)
