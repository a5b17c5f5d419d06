"""What a run is, says and how it ended; events, sources and lines that were not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rows import Log, ask, at, only, opened, part, write_store

import agentlog
from agentlog.events import Source

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("verdict", "outcome", "error_type"),
    [
        ({"subtype": "success", "is_error": False}, "success", None),
        ({"subtype": None, "is_error": False}, "success", None),
        ({"subtype": "success", "is_error": None}, "success", None),
        ({"subtype": "success", "is_error": False, "terminal_reason": "completed"}, "success", None),
        ({"subtype": "success", "is_error": True, "error_status": 529}, "error", "http_529"),
        ({"subtype": "success", "is_error": True}, "error", None),
        ({"subtype": "error_max_turns", "is_error": False}, "error", "error_max_turns"),
        ({"subtype": "success", "is_error": False, "terminal_reason": "max_turns"}, "error", "max_turns"),
        ({"subtype": "success", "is_error": True, "terminal_reason": "api_error", "error_status": 403}, "error", "api_error"),
        ({"subtype": None, "is_error": False, "is_verdict_readable": False}, "unreadable", None),
        ({"subtype": None, "is_error": None}, "unreadable", None),
    ],
)
def test_an_outcome_needs_evidence(tmp_path: Path, verdict: dict[str, Any], outcome: str, error_type: str | None) -> None:
    log = Log()
    log.request("m1")
    log.result(**verdict)
    store = opened(tmp_path, log)
    assert only(store, "runs", "outcome", "error_type") == (outcome, error_type)
    assert only(store, "results", "outcome", "subtype", "is_error") == (outcome, verdict["subtype"], verdict["is_error"])


def test_a_runs_outcome_is_that_of_its_last_result(tmp_path: Path) -> None:
    log = Log()
    log.result(subtype="error_during_execution", is_error=True)
    log.result()
    assert only(opened(tmp_path, log), "runs", "outcome", "error_type", "results") == ("success", None, 2)


def test_a_run_is_incomplete_without_a_result_or_with_turns_after_the_last(tmp_path: Path) -> None:
    killed, going_on, background = Log("killed", "/a.jsonl"), Log("on", "/b.jsonl"), Log("background", "/c.jsonl")
    killed.request("m1")
    going_on.result()
    going_on.request("m2")
    background.result()
    background.request("s1", agent="agent-1")
    rows = opened(tmp_path, killed, going_on, background).sql("select run_id, outcome from runs order by run_id").rows()
    assert rows == [("background", "success"), ("killed", "incomplete"), ("on", "incomplete")]


def test_a_cut_off_result_is_unreadable_and_never_success(tmp_path: Path) -> None:
    cut, after, before, turned, other = (Log(name, f"/{name}.jsonl") for name in ("cut", "after", "before", "turned", "other"))
    cut.request("m1")
    cut.broken(native_type="result")
    after.result()
    after.broken(native_type="result")
    before.broken(native_type="result")
    before.result()
    turned.broken(native_type="result")
    turned.request("m1")
    other.result()
    other.broken(native_type="assistant")
    rows = opened(tmp_path, cut, after, before, turned, other).sql("select run_id, outcome from runs").rows()
    assert dict(rows) == {"cut": "unreadable", "after": "unreadable", "before": "success", "turned": "incomplete", "other": "success"}


def test_formats_without_terminal_records_have_no_outcome(tmp_path: Path) -> None:
    log = Log(form="session")
    log.request("m1")
    assert only(opened(tmp_path, log), "runs", "outcome", "format") == (None, "session")


def test_a_run_is_named_by_its_title_or_its_first_source(tmp_path: Path) -> None:
    titled, plain, odd = Log("titled", "/x/a.jsonl"), Log("plain", "/x/fix.login.JSONL.gz"), Log("odd", "/x/.jsonl")
    titled.add("session", title="first")
    titled.add("session", title="Fix the login")
    plain.add("session")
    odd.add("session")
    rows = opened(tmp_path, titled, plain, odd).sql("select run_id, name from runs order by run_id").rows()
    assert rows == [("odd", ".jsonl"), ("plain", "fix.login"), ("titled", "Fix the login")]


def test_the_first_source_of_a_run_is_the_earliest(tmp_path: Path) -> None:
    later, earlier = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    later.request("m2", seconds=100)
    earlier.request("m1", seconds=1)
    assert only(opened(tmp_path, later, earlier), "runs", "source_path", "name") == ("/b.jsonl", "b")


@pytest.mark.parametrize(
    ("cwd", "project"),
    [
        ("/home/demo/my-app", "/home/demo/my-app"),
        ("c:/Users/demo/", "C:\\Users\\demo"),
        ("C:\\Users\\demo\\\\", "C:\\Users\\demo"),
        ("/home/demo/", "/home/demo/"),
        ("d:", "D:"),
        ("cd:/odd", "cd:/odd"),
        (None, None),
    ],
)
def test_a_project_is_the_first_working_directory(tmp_path: Path, cwd: str | None, project: str | None) -> None:
    log = Log()
    log.add("session", cwd=None)
    log.add("session", cwd=cwd, git_branch="main")
    log.add("session", cwd="/elsewhere", git_branch="other")
    assert only(opened(tmp_path, log), "runs", "project", "git_branch") == (project if cwd else "/elsewhere", "main")


def test_a_runs_model_is_that_of_most_turns_the_earlier_one_on_a_tie(tmp_path: Path) -> None:
    log, tie = Log("most", "/a.jsonl"), Log("tie", "/b.jsonl")
    for number, model in enumerate(["haiku", "opus", "opus"]):
        log.request(f"m{number}", model=model)
    log.request("s1", model="flash", agent="agent-1")
    log.request("s2", model="flash", agent="agent-1")
    log.request("s3", model="flash", agent="agent-1")
    tie.request("m0", model="opus")
    tie.request("m1", model="haiku")
    rows = opened(tmp_path, log, tie).sql("select run_id, model, models from runs order by run_id").rows()
    assert rows == [("most", "opus", ["flash", "haiku", "opus"]), ("tie", "opus", ["haiku", "opus"])]


def test_a_run_without_turns_has_the_model_of_its_report_or_the_one_asked_for(tmp_path: Path) -> None:
    reported, asked = Log("reported", "/a.jsonl"), Log("asked", "/b.jsonl")
    for log in (reported, asked):
        log.add("session", model="sonnet")
    reported.result(part("haiku", i=5), part("opus", i=50))
    rows = opened(tmp_path, reported, asked).sql("select model, models from runs order by run_id").rows()
    assert rows == [("sonnet", ["sonnet"]), ("opus", ["haiku", "opus"])]


def test_a_prompt_counts_once_however_often_it_is_repeated(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    first.add("prompt", uuid="u1")
    first.add("prompt", uuid="u2")
    second.add("prompt", uuid="u1")
    second.add("prompt")
    second.add("prompt")
    second.add("prompt", uuid="u9", agent_id="agent-1")
    assert only(opened(tmp_path, first, second), "runs", "prompts") == 4


def test_elapsed_time_is_from_the_earliest_to_the_latest_time_and_active_time_leaves_pauses_out(tmp_path: Path) -> None:
    log = Log()
    for seconds in (60, 0, 60, 90, 3600):
        log.add("notice", seconds=seconds)
    log.request("s1", agent="agent-1", seconds=200)
    names = ("started_at", "ended_at", "duration_ms", "active_ms")
    assert only(opened(tmp_path, log), "runs", *names) == (at(0), at(3600), 3_600_000, (60 + 30 + 110 + 300) * 1000)


def test_a_run_without_two_times_took_as_long_as_its_results_say(tmp_path: Path) -> None:
    none, one, neither = Log("none", "/a.jsonl"), Log("one", "/b.jsonl"), Log("neither", "/c.jsonl")
    none.result(duration_ms=4000)
    none.result(duration_ms=500)
    one.add("notice", seconds=5)
    one.result(duration_ms=700)
    neither.add("notice")
    rows = opened(tmp_path, none, one, neither).sql("select run_id, duration_ms, active_ms from runs order by run_id").rows()
    assert rows == [("neither", None, None), ("none", 4500, None), ("one", 700, 0)]


def test_a_run_ends_with_the_last_line_of_its_last_request(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", seconds=1, ends=31)
    assert only(opened(tmp_path, log), "runs", "ended_at", "duration_ms") == (at(31), 30_000)


def test_reported_turns_are_those_of_all_results(tmp_path: Path) -> None:
    log = Log()
    log.result(reported_turns=4)
    log.result(reported_turns=3)
    assert only(opened(tmp_path, log), "runs", "reported_turns", "turns") == (7, 0)


def test_a_source_may_hold_several_runs_and_lines_are_those_of_each(tmp_path: Path) -> None:
    log = Log("first")
    log.request("m1")
    log.broken()
    log.broken(is_repaired=True, reason="bad_utf8")
    log.run_id = "second"
    log.add("unmodelled", native_type="novel")
    log.request("m1")
    store = opened(tmp_path, log)
    rows = store.sql("select run_id, turns, lines, unreadable_lines, unmodelled_events from runs order by run_id").rows()
    assert rows == [("first", 1, 3, 1, 0), ("second", 1, 2, 0, 1)]
    assert ask(store, "select line_no, reason, is_repaired from unreadable order by line_no") == [
        {"line_no": 2, "reason": "cut", "is_repaired": False},
        {"line_no": 3, "reason": "bad_utf8", "is_repaired": True},
    ]


def test_sources_without_events_are_listed_and_in_no_run(tmp_path: Path) -> None:
    log = Log(source_path="/a.jsonl")
    log.request("m1")
    share = log.source().runs
    more = [
        Source(source_path="/copy.jsonl", status="duplicate", duplicate_of="/a.jsonl", runs=share),
        Source(source_path="/gone-copy.jsonl", status="missing", duplicate_of="/a.jsonl", runs=share),
        Source(source_path="/photo.log", status="unsupported", error="no records"),
    ]
    store = agentlog.open(write_store(tmp_path, log, sources=more))
    assert store.sql("select source_path, status, lines from sources order by 1").rows() == [
        ("/a.jsonl", "ok", 1),
        ("/copy.jsonl", "duplicate", None),
        ("/gone-copy.jsonl", "missing", None),
        ("/photo.log", "unsupported", None),
    ]
    assert only(store, "runs", "run_id", "turns", "lines") == ("run", 1, 1)


def test_what_is_not_modelled_is_counted_by_type_with_its_first_line(tmp_path: Path) -> None:
    first, second = Log("r1", "/b.jsonl", harness_version="2.1.0"), Log("r2", "/a.jsonl", harness_version="2.1.0")
    first.add("notice")
    first.add("unmodelled", native_type="novel")
    second.add("notice")
    second.add("notice")
    second.add("unmodelled", native_type="novel")
    second.add("unmodelled", native_type="novel")
    second.add("unmodelled")
    rows = opened(tmp_path, first, second).sql("from unmodelled order by native_type").rows()
    assert rows == [("claude", "2.1.0", "novel", 3, 2, "/a.jsonl", 3), ("claude", "2.1.0", None, 1, 1, "/a.jsonl", 5)]


def test_events_belong_to_turns(tmp_path: Path) -> None:
    log = Log()
    log.add("session")
    log.add("prompt")
    log.request("m1")
    log.add("text", message_id="m1")
    log.call("c1", "m1")
    log.add("notice")
    log.add("api_retry", attempt=1)
    log.request("m2")
    log.request("s1", agent="agent-1")
    log.answer("c1")  # the result of the first turn's call, in the background
    log.add("compaction", status="completed")
    rows = opened(tmp_path, log).sql("select kind, turn_no, is_copy from events order by line_no").rows()
    assert [row[:2] for row in rows] == [
        ("session", None),
        ("prompt", None),
        ("request", 1),
        ("text", 1),
        ("tool_call", 1),
        ("notice", 1),
        ("api_retry", 2),
        ("request", 2),
        ("request", None),
        ("tool_result", 1),
        ("compaction", 2),
    ]
    assert not any(is_copy for *_, is_copy in rows)


def test_reconciliation_sets_what_is_reported_beside_what_was_seen(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=10, o=1)
    log.result(part(i=12, o=40), usd=0.5)
    names = ("reported_cost_usd", "reported_total_tokens", "folded_total_tokens", "computed_cost_usd", "gap_usd", "likely_reason")
    assert only(opened(tmp_path, log), "reconciliation", *names) == (0.5, 52, 11, None, None, None)


def test_an_empty_store_has_every_view(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert {name: len(store.view(name)) for name in store.views()} == dict.fromkeys(store.views(), 0)
