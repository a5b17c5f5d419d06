"""Processes and their reported totals: which terminal record opens one, what counts of it, how the ledger adds up to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rows import Log, ask, at, only, opened, part

if TYPE_CHECKING:
    from pathlib import Path

    from agentlog.dataset import Store

TOKENS = ("input_tokens", "cache_read_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens")


def processes(store: Store) -> list[tuple[Any, ...]]:
    return store.sql("select process_no, own_cost_usd from results order by run_id, result_no").rows()


def test_results_of_one_process_are_running_totals(tmp_path: Path) -> None:
    log = Log()
    for number, (fresh, total, usd) in enumerate([(100, 100, 0.5), (150, 250, 1.25), (120, 370, 2.0)]):
        log.request(f"m{number}", i=fresh, o=1)
        log.result(part(i=total, o=total), usd=usd)
    store = opened(tmp_path, log)
    assert processes(store) == [(1, 0.5), (1, 0.75), (1, 0.75)]
    assert only(store, "runs", "processes", "results", "input_tokens", "output_tokens", "cost_usd") == (1, 3, 370, 370, 2.0)


def test_a_fallen_cost_opens_a_process(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100)
    log.result(usd=0.5, i=100)
    log.request("m2", i=70)
    log.result(usd=0.25, i=70)
    store = opened(tmp_path, log)
    assert processes(store) == [(1, 0.5), (2, 0.25)]
    assert only(store, "runs", "processes", "input_tokens", "cost_usd", "tokens_basis") == (2, 170, 0.75, "reported")


@pytest.mark.parametrize(
    "second",
    [
        [part("opus", i=90, o=99), part("haiku", i=9)],  # a figure fell
        [part("opus", i=500, o=99)],  # a model vanished
        [part("opus", i=500, o=5), part("haiku", i=9)],  # output fell
        [part("opus", i=500, o=99, usd=0.1), part("haiku", i=9)],  # the cost of a model fell
    ],
)
def test_a_fallen_figure_opens_a_process_though_the_cost_rose(tmp_path: Path, second: list[Any]) -> None:
    log = Log()
    log.result(part("opus", i=100, o=50, usd=0.25), part("haiku", i=5), usd=0.5)
    log.result(*second, usd=0.75)
    assert [number for number, _ in processes(opened(tmp_path, log))] == [1, 2]


def test_a_figure_that_is_not_said_any_more_has_not_fallen(tmp_path: Path) -> None:
    log = Log()
    log.result(part(i=100, o=50, web_search_requests=2, usd=0.5), usd=0.5)
    log.result(part(i=100, o=50), usd=0.5)
    log.result(usd=0.75)
    log.result(part(i=110, o=50), usd=0.75)
    assert [number for number, _ in processes(opened(tmp_path, log))] == [1, 1, 1, 1]


def test_a_resume_that_starts_afresh_is_told_by_what_its_requests_used_though_all_figures_rose(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100, r=1000)
    log.result(part(i=100, r=1000, o=5), usd=0.5)
    log.request("m2", i=400, r=5000)
    log.result(part(i=410, r=5000, o=9), usd=2.0)
    store = opened(tmp_path, log)
    assert processes(store) == [(1, 0.5), (2, 2.0)]
    assert only(store, "runs", "input_tokens", "cache_read_tokens", "output_tokens", "cost_usd") == (510, 6000, 14, 2.5)


def test_a_resume_in_another_source_that_continues_the_saved_total_counts_only_its_own_part(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    first.request("m1", i=100, r=1000)
    first.result(part(i=100, r=1000, o=5), usd=0.5)
    second.request("m2", i=400, r=5000)
    second.result(part(i=500, r=6000, o=9), usd=2.0)
    store = opened(tmp_path, first, second)
    assert processes(store) == [(1, 0.5), (1, 1.5)]
    assert only(store, "runs", "processes", "input_tokens", "cost_usd") == (1, 500, 2.0)


def test_what_may_be_an_orphan_does_not_make_a_continued_process_look_new(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=1000)
    log.result(part(i=1000), usd=0.5)
    log.request("orphan", i=900)
    log.call("c0", "orphan")
    log.request("m2", i=800)
    log.result(part(i=1800), usd=1.0)
    store = opened(tmp_path, log)
    assert processes(store) == [(1, 0.5), (1, 0.5)]
    assert only(store, "runs", "turns", "input_tokens") == (2, 1800)


def test_a_tie_continues_the_process(tmp_path: Path) -> None:
    log = Log()
    log.result(part(i=100), usd=0.5)
    log.result(part(i=100), usd=0.5)  # nothing was used, nothing grew
    assert processes(opened(tmp_path, log)) == [(1, 0.5), (1, 0.0)]


def test_a_source_without_a_result_is_a_process_of_its_own(tmp_path: Path) -> None:
    killed, resumed = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    killed.request("m1", seconds=1, i=100, o=1)
    resumed.request("m2", seconds=9, i=30, o=1)
    resumed.result(part(i=35, o=50), usd=0.25)
    store = opened(tmp_path, killed, resumed)
    names = ("processes", "input_tokens", "output_tokens", "cost_usd", "tokens_basis", "cost_basis", "is_cost_complete")
    assert only(store, "runs", *names) == (2, 135, 51, 0.25, "mixed", "mixed", False)
    assert processes(store) == [(2, 0.25)]


def test_requests_after_the_last_result_are_not_covered_by_its_totals(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100, o=1)
    log.result(part(i=110, o=50), usd=0.5)
    log.request("m2", i=7, o=2)
    store = opened(tmp_path, log)
    assert only(store, "runs", "processes", "input_tokens", "output_tokens", "tokens_basis", "cost_basis") == (1, 117, 52, "mixed", "mixed")
    assert store.sql("select request_no, is_cost_complete from usage order by request_no").rows() == [(1, True), (2, False), (None, True)]


def test_model_usage_goes_before_the_results_own_usage(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=30, r=10, o=1)
    log.result(part("opus", i=30, r=10, o=50, usd=0.5), part("haiku", i=20, o=5, usd=0.125), i=30, r=10, o=40, usd=0.625)
    store = opened(tmp_path, log)
    assert store.sql("select entry, model, input_tokens, output_tokens, cost_usd, cost_basis from usage order by all").rows() == [
        ("remainder", "haiku", 20, 5, 0.125, "reported"),
        ("remainder", "opus", 0, 49, 0.5, "reported"),
        ("request", "opus", 30, 1, None, None),
    ]


def test_two_spellings_of_one_model_are_summed(tmp_path: Path) -> None:
    log = Log()
    log.result(part("opus", native_model="opus[1m]", i=30, usd=0.25), part("opus", native_model="opus-20260101", i=12, usd=0.5), usd=0.75)
    assert only(opened(tmp_path, log), "usage", "model", "input_tokens", "cost_usd") == ("opus", 42, 0.75)


def test_results_usages_are_summed_and_what_they_leave_out_is_added(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, r=100, o=1)
    log.request("fallback", i=20, o=30, is_streamed=False, is_final=True)
    log.request("sub", agent="call", model="haiku", i=5, o=2)
    log.result(i=10, r=100, o=40, usd=0.5)
    log.request("m2", i=11, r=110, o=1)
    log.result(i=11, r=110, o=60, usd=0.75)
    store = opened(tmp_path, log)
    assert only(store, "runs", *TOKENS) == (46, 210, None, None, 132)
    assert only(store, "runs", "tokens_basis", "cost_usd", "is_cost_complete") == ("reported", 0.75, True)
    assert ask(store, "select model, output_tokens, cost_usd from usage where entry = 'remainder' order by model") == [
        {"model": "opus", "output_tokens": 98, "cost_usd": None},
        {"model": None, "output_tokens": None, "cost_usd": 0.75},
    ]


def test_a_usage_without_models_is_that_of_the_one_model_of_its_turns_or_of_none(tmp_path: Path) -> None:
    one, two = Log("one", "/one.jsonl"), Log("two", "/two.jsonl")
    one.request("m1", i=10)
    one.result(i=10, o=9, usd=0.5)
    two.request("m2", i=10)
    two.request("m3", model="haiku", i=10)
    two.result(i=20, o=9, usd=0.5)
    store = opened(tmp_path, one, two)
    assert ask(store, "select run_id, model, output_tokens, cost_usd from usage where entry = 'remainder' order by run_id") == [
        {"run_id": "one", "model": "opus", "output_tokens": 9, "cost_usd": 0.5},
        {"run_id": "two", "model": None, "output_tokens": 9, "cost_usd": 0.5},
    ]


def test_an_all_zero_record_beside_requests_with_usage_reports_nothing(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100, o=30, is_final=True)
    log.result(subtype="error_during_execution", is_error=True, usd=0.0, i=0, r=0, o=0)
    names = ("input_tokens", "output_tokens", "tokens_basis", "cost_usd", "cost_basis", "is_cost_complete")
    assert only(opened(tmp_path, log), "runs", *names) == (100, 30, "folded", None, None, False)


def test_an_all_zero_record_of_a_run_without_requests_says_zero(tmp_path: Path) -> None:
    log = Log()
    log.result(subtype="error_during_execution", is_error=True, usd=0.0, i=0, r=0, w=0, w1h=0, o=0)
    store = opened(tmp_path, log)
    assert only(store, "runs", *TOKENS, "tokens_basis", "cost_usd", "is_cost_complete") == (0, 0, 0, 0, 0, "reported", 0.0, True)
    assert only(store, "usage", "entry", "model", "total_tokens", "cost_usd") == ("remainder", None, 0, 0.0)


def test_a_run_without_requests_and_results_knows_no_tokens(tmp_path: Path) -> None:
    log = Log()
    log.add("session", cwd="/srv")
    names = ("input_tokens", "total_tokens", "tokens_basis", "cost_usd", "cost_basis", "is_cost_complete", "processes")
    assert only(opened(tmp_path, log), "runs", *names) == (None, None, None, None, None, True, 1)


def test_folded_tokens_are_partial_while_an_output_is_not_final(tmp_path: Path) -> None:
    final, partial = Log("final", "/a.jsonl"), Log("partial", "/b.jsonl")
    final.request("m1", i=1, o=5, is_final=True)
    partial.request("m1", i=1, o=5, is_final=True)
    partial.request("m2", i=1, o=1)
    assert opened(tmp_path, final, partial).sql("select tokens_basis from runs order by run_id").rows() == [("folded",), ("partial",)]


def test_a_result_that_only_tells_a_cost_leaves_the_tokens_to_the_requests(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=3)
    log.result(usd=0.5)
    store = opened(tmp_path, log)
    assert only(store, "runs", "input_tokens", "tokens_basis", "cost_usd", "is_cost_complete") == (10, "partial", 0.5, True)
    assert ask(store, "select model, input_tokens, cost_usd from usage where entry = 'remainder'") == [
        {"model": "opus", "input_tokens": None, "cost_usd": 0.5}
    ]


def test_a_reported_cost_of_zero_beside_tokens_is_no_report(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", model="glm", i=0, o=0)
    log.result(part("glm", i=500, o=20, usd=0.0), usd=0.0)
    store = opened(tmp_path, log)
    names = ("input_tokens", "cost_usd", "cost_basis", "is_cost_complete", "reported_cost_usd")
    assert only(store, "runs", *names) == (500, None, None, False, None)
    assert only(store, "results", "reported_cost_usd", "own_cost_usd") == (0.0, None)


def test_a_model_with_tokens_and_a_cost_of_zero_is_not_covered(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=1)
    log.request("s1", agent="call", model="local", i=5, o=1)
    log.result(part("opus", i=10, o=9, usd=0.5), part("local", i=5, o=1, usd=0.0), usd=0.5)
    store = opened(tmp_path, log)
    assert only(store, "runs", "cost_usd", "cost_basis", "is_cost_complete") == (0.5, "mixed", False)
    assert ask(store, "select model, is_cost_complete from usage where entry = 'request' order by model") == [
        {"model": "local", "is_cost_complete": False},
        {"model": "opus", "is_cost_complete": True},
    ]


def test_cost_that_no_model_explains_is_a_remainder_without_a_model(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=1)
    log.result(part("opus", i=10, o=9, usd=0.5), part("haiku", i=5, usd=0.125), usd=0.75)
    store = opened(tmp_path, log)
    assert ask(store, "select model, total_tokens, cost_usd from usage where cost_usd is not null order by model") == [
        {"model": "haiku", "total_tokens": 5, "cost_usd": 0.125},
        {"model": "opus", "total_tokens": 8, "cost_usd": 0.5},
        {"model": None, "total_tokens": None, "cost_usd": 0.125},
    ]
    assert only(store, "runs", "cost_usd") == 0.75


def test_the_noise_of_adding_costs_is_no_remainder(tmp_path: Path) -> None:
    log = Log()
    log.result(part("opus", i=1, usd=0.1), part("haiku", i=1, usd=0.2), usd=0.3)
    assert opened(tmp_path, log).sql("select model from usage order by model").rows() == [("haiku",), ("opus",)]


def test_models_costs_stand_in_for_a_missing_total(tmp_path: Path) -> None:
    log = Log()
    log.result(part("opus", i=1, usd=0.5), part("haiku", i=1, usd=0.25))
    assert only(opened(tmp_path, log), "runs", "cost_usd", "is_cost_complete") == (0.75, True)


def test_a_remainder_may_be_negative_and_is_there_for_models_that_only_requests_name(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", model="alias", i=40, r=100, o=8)
    log.result(part("opus", i=35, r=100, o=6, usd=0.5), usd=0.5)
    store = opened(tmp_path, log)
    assert store.sql("select entry, model, input_tokens, cache_read_tokens, output_tokens from usage order by all").rows() == [
        ("remainder", "alias", -40, -100, -8),
        ("remainder", "opus", 35, 100, 6),
        ("request", "alias", 40, 100, 8),
    ]
    assert only(store, "runs", "input_tokens", "output_tokens", "total_tokens", "models") == (35, 6, 141, ["alias", "opus"])


def test_a_figure_that_the_report_leaves_out_has_no_remainder(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, r=5, o=8, reasoning_tokens=3)
    log.result(part(i=10, o=20, usd=0.5), usd=0.5)
    store = opened(tmp_path, log)
    row = ask(store, "select input_tokens, cache_read_tokens, output_tokens, reasoning_tokens from usage where entry = 'remainder'")
    assert row == [{"input_tokens": 0, "cache_read_tokens": None, "output_tokens": 12, "reasoning_tokens": None}]
    assert only(store, "runs", "cache_read_tokens", "reasoning_tokens") == (5, 3)


@pytest.mark.parametrize("unsplit", [0, None])
def test_cache_writes_that_a_report_does_not_split_are_split_as_its_requests_are(tmp_path: Path, unsplit: int | None) -> None:
    log = Log()
    log.request("m1", i=1, w=0, w1h=1000)
    log.result(part(i=1, w=1300, w1h=unsplit, o=5), usd=0.5)
    store = opened(tmp_path, log)
    assert only(store, "runs", "cache_write_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens") == (1300, 300, 1000)


def test_nested_iterations_are_entries_under_their_own_model(tmp_path: Path) -> None:
    log = Log()
    log.request(
        "m1",
        seconds=5,
        i=10,
        o=4,
        usage_parts=[part(None, "message", i=10, o=4), part("haiku", "advisor_message", i=3, o=2), part(None, "compaction", i=900, o=30)],
    )
    log.result(part("opus", i=915, o=40, usd=0.5), part("haiku", i=3, o=2, usd=0.125), usd=0.625)
    store = opened(tmp_path, log)
    rows = store.sql(
        "select entry, model, request_no, turn_no, input_tokens, output_tokens, occurred_at from usage order by entry, model"
    ).rows()
    assert rows == [
        ("nested", "haiku", 1, 1, 3, 2, at(5)),
        ("nested", "opus", 1, 1, 900, 30, at(5)),
        ("remainder", "haiku", None, None, 0, 0, at(5)),
        ("remainder", "opus", None, None, 5, 6, at(5)),
        ("request", "opus", 1, 1, 10, 4, at(5)),
    ]
    assert only(store, "runs", "input_tokens", "output_tokens", "requests") == (918, 42, 1)


def test_a_request_with_a_cost_of_its_own_is_complete(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=4, is_final=True, reported_cost_usd=0.25)
    log.request("m2", i=10, o=4, is_final=True)
    store = opened(tmp_path, log)
    assert store.sql("select cost_usd, cost_basis, is_cost_complete from usage order by request_no").rows() == [
        (0.25, "reported", True),
        (None, None, False),
    ]
    assert only(store, "runs", "cost_usd", "cost_basis", "is_cost_complete") == (0.25, "mixed", False)


def test_own_costs_of_requests_are_part_of_a_reported_total(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=4, reported_cost_usd=0.25)
    log.result(part(i=10, o=9, usd=0.75), usd=0.75)
    store = opened(tmp_path, log)
    assert store.sql("select entry, cost_usd from usage order by entry").rows() == [("remainder", 0.5), ("request", 0.25)]


def test_a_remainders_time_is_its_terminal_records_else_the_last_of_its_process(tmp_path: Path) -> None:
    timed, untimed, timeless = Log("timed", "/a.jsonl"), Log("untimed", "/b.jsonl"), Log("timeless", "/c.jsonl")
    timed.request("m1", seconds=1, i=1, o=1)
    timed.result(part(i=1, o=2), usd=0.5, seconds=30)
    untimed.request("m2", seconds=1, i=1, o=1, ends=7)
    untimed.result(part(i=1, o=2), usd=0.5)
    untimed.add("notice", seconds=100)  # after its end
    timeless.result(part(i=1), usd=0.5)
    rows = opened(tmp_path, timed, untimed, timeless).sql("select run_id, occurred_at from usage where entry = 'remainder' order by run_id")
    assert rows.rows() == [("timed", at(30)), ("timeless", None), ("untimed", at(7))]


def test_each_process_of_a_source_has_its_own_last_time(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", seconds=1, i=100, o=1)
    log.result(part(i=100, o=2), usd=0.5)
    log.request("m2", seconds=60, i=10, o=1)
    log.result(part(i=10, o=2), usd=0.25)
    rows = opened(tmp_path, log).sql("select occurred_at, cost_usd from usage where entry = 'remainder' order by occurred_at")
    assert rows.rows() == [(at(1), 0.5), (at(60), 0.25)]


def test_time_spent_in_the_api_is_the_last_figure_of_each_process(tmp_path: Path) -> None:
    log = Log()
    log.result(part(i=1), usd=0.5, api_duration_ms=1000)
    log.result(part(i=2), usd=0.75, api_duration_ms=1500)
    log.result(part(i=1), usd=0.25, api_duration_ms=300)
    assert only(opened(tmp_path, log), "runs", "api_duration_ms", "processes") == (1800, 2)


def test_an_unread_result_hides_no_request(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=100, o=1)
    log.result(part(i=100, o=9), usd=0.5)
    log.request("m2", i=40, o=1)
    log.result(subtype=None, is_error=None, is_verdict_readable=False)  # its totals could not be read
    assert only(opened(tmp_path, log), "runs", "input_tokens", "output_tokens", "tokens_basis", "outcome") == (
        140,
        10,
        "mixed",
        "unreadable",
    )
