"""Tool calls, their results and retries; subagents; API retries; compactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rows import Log, ask, at, only, opened

if TYPE_CHECKING:
    from pathlib import Path


def test_a_call_is_paired_with_its_result_whichever_comes_first(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.answer("early", seconds=1, result_chars=4)
    log.call("early", "m1", seconds=2)
    log.call("late", "m1", seconds=3)
    log.answer("late", "error", seconds=13, text="no such file")
    log.answer("late", seconds=20)  # repeated: there is no second call
    log.answer("unknown")
    log.call("never", "m1")
    rows = opened(tmp_path, log).sql(
        "select tool_call_id, turn_no, status, duration_ms, result_chars, error_text from tool_calls order by call_no"
    )
    assert rows.rows() == [
        ("early", 1, "ok", None, 4, None),
        ("late", 1, "error", 10_000, None, "no such file"),
        ("never", 1, "pending", None, None, None),
    ]


def test_parallel_calls_have_their_own_results_and_times(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", seconds=0)
    for name in ("A", "B", "C"):
        log.call(name, "m1", seconds=0)
    log.answer("B", seconds=2)
    log.answer("C", seconds=8.5, line_no=6, duration_ms=8000)  # a stated duration goes before the times
    log.answer("A", "error", seconds=10, line_no=6)
    rows = opened(tmp_path, log).sql("select tool_call_id, status, duration_ms, ended_at from tool_calls order by 1").rows()
    assert rows == [("A", "error", 10_000, at(10)), ("B", "ok", 2000, at(2)), ("C", "ok", 8000, at(8.5))]


def test_ids_that_repeat_are_paired_in_order(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.call("call_0", "m1", given={"path": "a"})
    log.answer("call_0", "error")
    log.request("m2")
    log.call("call_0", "m2", given={"path": "b"})
    log.answer("call_0")
    log.request("m3")
    log.call("call_0", "m3", given={"path": "c"})
    assert opened(tmp_path, log).sql("select turn_no, status from tool_calls order by call_no").rows() == [
        (1, "error"),
        (2, "ok"),
        (3, "pending"),
    ]


def test_two_blocks_of_one_response_are_one_call_only_if_id_and_input_agree(tmp_path: Path) -> None:
    first, second = Log(source_path="/a.jsonl"), Log(source_path="/b.jsonl")
    for log in (first, second):  # the same response stands in two sources
        log.request("m1", i=5)
        log.call("c1", "m1", given={"path": "a"})
        log.call("c1", "m1", given={"path": "b"})
    second.answer("c1")
    second.answer("c1", "error")
    rows = opened(tmp_path, first, second).sql("select input, status from tool_calls order by call_no").rows()
    assert rows == [('{"path": "a"}', "ok"), ('{"path": "b"}', "error")]


def test_a_refused_call_is_rejected_and_no_error(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    for name in ("said", "denied", "allowed", "unanswered", "asked"):
        log.call(name, "m1")
    log.answer("said", "rejected")
    log.answer("denied", "error")
    log.answer("allowed", "ok")
    log.answer("asked", "error")
    for name in ("denied", "allowed", "unanswered"):
        log.add("permission", tool_call_id=name, status="denied")
    log.add("permission", tool_call_id="asked", status="asked")
    store = opened(tmp_path, log)
    assert dict(store.sql("select tool_call_id, status from tool_calls").rows()) == {
        "said": "rejected",
        "denied": "rejected",
        "allowed": "ok",
        "unanswered": "rejected",
        "asked": "error",
    }
    assert only(store, "runs", "tool_calls", "tool_errors", "tool_rejections", "pending_tool_calls") == (5, 1, 3, 0)


def test_a_retry_repeats_the_latest_such_call_of_the_agent_after_it_failed(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    steps = [
        ("make", "error"),
        ("make", "error"),  # 2 retries 1, blind
        ("edit", "ok"),
        ("make", "ok"),  # 4 retries 2, not blind
        ("make", "ok"),  # no retry: the latest one went well
        ("lint", "error"),
        ("lint x", "error"),  # another input
        ("lint", "rejected"),  # 8 retries 6, not blind
        ("lint", "ok"),  # no retry: a refusal is no failure
    ]
    for number, (command, status) in enumerate(steps):
        log.call(f"c{number}", "m1", given={"command": command})
        log.answer(f"c{number}", status)
    store = opened(tmp_path, log)
    rows = store.sql("select call_no, retry_of, is_blind_retry from tool_calls where retry_of is not null order by call_no").rows()
    assert rows == [(2, 1, True), (4, 2, False), (8, 6, False)]
    assert only(store, "runs", "tool_retries", "blind_tool_retries") == (3, 1)


def test_a_call_made_before_the_other_had_failed_is_no_retry(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.call("a", "m1", given={"q": 1})
    log.call("b", "m1", given={"q": 1})
    log.answer("a", "error")
    log.answer("b", "error")
    assert only(opened(tmp_path, log), "runs", "tool_retries") == 0


def test_retries_are_those_of_one_agent_and_calls_of_others_do_not_come_between(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.call("a", "m1", given={"q": 1})
    log.answer("a", "error")
    log.call("other", "s1", given={"q": 1}, agent="agent-1")
    log.answer("other", agent="agent-1")
    log.call("b", "m1", given={"q": 1})
    store = opened(tmp_path, log)
    assert ask(store, "select tool_call_id, retry_of, is_blind_retry from tool_calls where retry_of is not null") == [
        {"tool_call_id": "b", "retry_of": 1, "is_blind_retry": True}
    ]


def test_calls_without_a_known_input_are_no_retries(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    for name in ("a", "b"):
        log.call(name, "m1")
        log.answer(name, "error")
    assert only(opened(tmp_path, log), "runs", "tool_retries") == 0


def test_turns_count_their_calls_and_end_with_the_last_result(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", seconds=1, ends=3, o=7, stop_reason="tool_use")
    log.call("a", "m1", seconds=3)
    log.call("b", "m1", seconds=3)
    log.answer("a", "error", seconds=9)
    log.answer("b", seconds=5)
    log.request("m2")
    rows = opened(tmp_path, log).sql(
        "select turn_no, started_at, ended_at, duration_ms, tool_calls, tool_errors, output_tokens, stop_reason from turns order by 1"
    )
    assert rows.rows() == [(1, at(1), at(9), 8000, 2, 1, 7, "tool_use"), (2, None, None, None, 0, 0, None, None)]


def test_an_episode_of_api_retries_begins_where_the_counter_restarts(tmp_path: Path) -> None:
    log = Log()
    for attempt in (1, 2, None, 3):
        log.add("api_retry", attempt=attempt, max_attempts=10, delay_ms=500.5, error_status=529)
    log.request("m1")
    log.add("api_retry", attempt=1)
    log.add("api_retry", attempt=1)
    log.add("api_retry", attempt=4, agent_id="agent-1")
    log.add("api_retry", attempt=2)
    log.request("m2")
    log.add("api_retry", attempt=1)
    store = opened(tmp_path, log)
    rows = store.sql("select retry_no, episode_no, attempt, turn_no, agent_id from api_retries order by retry_no").rows()
    assert rows == [
        (1, 1, 1, 1, None),
        (2, 1, 2, 1, None),
        (3, 1, None, 1, None),
        (4, 1, 3, 1, None),
        (5, 2, 1, 2, None),
        (6, 3, 1, 2, None),
        (7, 4, 4, None, "agent-1"),
        (8, 3, 2, 2, None),
        (9, 5, 1, None, None),
    ]
    assert only(store, "runs", "api_retries", "api_retry_episodes") == (9, 5)
    assert store.sql("select api_retries from turns order by turn_no").rows() == [(4,), (3,)]


def test_a_compaction_is_refilled_by_the_agents_next_request(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=5)
    log.add("compaction", status="failed", trigger="manual", seconds=1)
    log.add("compaction", status="completed", trigger="auto", tokens_before=150_000, tokens_after=9000, seconds=2)
    log.request("s1", agent="agent-1", i=77)
    log.add("compaction", status="completed", agent_id="agent-1")
    log.request("m2", i=30, r=10, w=400, w1h=5)
    log.request("s2", agent="agent-1", i=8)
    log.add("compaction", status="micro")
    log.request("m3", i=1)
    log.add("compaction", status="completed")
    store = opened(tmp_path, log)
    rows = store.sql(
        "select compaction_no, turn_no, status, tokens_before, tokens_after, refill_tokens, agent_id from compactions order by 1"
    ).rows()
    assert rows == [
        (1, 1, "failed", None, None, None, None),
        (2, 1, "completed", 150_000, 9000, 435, None),
        (3, None, "completed", None, None, 8, "agent-1"),
        (4, 2, "micro", None, None, None, None),
        (5, 3, "completed", None, None, None, None),
    ]
    assert only(store, "runs", "compactions", "subagent_compactions") == (2, 1)
    assert store.sql("select follows_compaction from turns order by turn_no").rows() == [(False,), (True,), (False,)]


def test_a_subagent_has_its_call_its_end_and_its_own_figures(tmp_path: Path) -> None:
    log = Log()
    log.request("m1", i=1, o=1)
    log.call("agent-1", "m1", tool="Agent", seconds=1)
    log.add("subagent_start", tool_call_id="agent-1", subagent_type="Explore", description="find it", seconds=1)
    log.request("s1", agent="agent-1", model="haiku", i=10, r=100, o=3)
    log.call("g1", "s1", tool="Grep", agent="agent-1")
    log.answer("g1", agent="agent-1")
    log.request("s2", agent="agent-1", model="haiku", i=20, o=4)
    log.answer("agent-1", seconds=40)
    log.add("subagent_end", tool_call_id="agent-1", status="completed", duration_ms=38_000, total_tokens=137, tool_uses=1, seconds=40)
    store = opened(tmp_path, log)
    names = ("agent_id", "tool_call_id", "subagent_type", "description", "model", "status", "started_at", "ended_at", "duration_ms")
    assert only(store, "subagents", *names) == ("agent-1", "agent-1", "Explore", "find it", "haiku", "completed", at(1), at(40), 38_000)
    figures = ("turns", "tool_calls", "input_tokens", "cache_read_tokens", "output_tokens", "total_tokens", "reported_total_tokens")
    assert only(store, "subagents", *figures) == (2, 1, 30, 100, 7, 137, 137)
    assert only(store, "runs", "turns", "subagent_turns", "tool_calls", "subagents", "input_tokens") == (1, 2, 2, 1, 31)


def test_subagents_end_as_their_call_does_where_nothing_else_is_said(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    for name, status in (("fine", "ok"), ("broken", "error"), ("refused", "rejected"), ("going", None)):
        log.call(name, "m1", tool="Task")
        if status:
            log.answer(name, status)
    store = opened(tmp_path, log)
    assert dict(store.sql("select tool_call_id, status from subagents").rows()) == {
        "fine": "completed",
        "broken": "failed",
        "refused": "rejected",
        "going": "running",
    }
    assert only(store, "runs", "subagents") == 4
    assert ask(store, "select distinct turns, input_tokens from subagents") == [{"turns": 0, "input_tokens": None}]


def test_agents_that_no_call_explains_are_subagents_too(tmp_path: Path) -> None:
    log = Log()
    log.request("s1", agent="seen", i=5)
    log.add("subagent_start", agent_id="task-9", description="in the background")
    log.add("subagent_end", agent_id="task-9", status="stopped")
    log.add("api_retry", agent_id="only a retry", attempt=1)
    rows = opened(tmp_path, log).sql("select agent_id, tool_call_id, status, turns from subagents order by agent_id").rows()
    assert rows == [("seen", None, "running", 1), ("task-9", None, "stopped", 0)]


def test_an_agent_known_under_an_id_of_its_own_is_its_calls(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.call("call-1", "m1", tool="Agent")
    log.add("subagent_start", tool_call_id="call-1", agent_id="a-77")
    log.request("s1", agent="a-77", i=5)
    log.answer("call-1")
    assert only(opened(tmp_path, log), "subagents", "agent_id", "tool_call_id", "turns", "input_tokens") == ("a-77", "call-1", 1, 5)


def test_a_subagents_subagent_is_its_own(tmp_path: Path) -> None:
    log = Log()
    log.request("m1")
    log.call("outer", "m1", tool="Agent")
    log.add("subagent_start", tool_call_id="outer")
    log.request("s1", agent="outer", i=5)
    log.call("inner", "s1", tool="Agent", agent="outer")
    log.add("subagent_start", tool_call_id="inner", agent_id="outer")  # said by the outer one
    log.request("s2", agent="inner", i=7)
    rows = (
        opened(tmp_path, log).sql("select agent_id, tool_call_id, turns, tool_calls, input_tokens from subagents order by agent_id").rows()
    )
    assert rows == [("inner", "inner", 1, 0, 7), ("outer", "outer", 1, 1, 5)]


def test_the_agent_call_of_an_aborted_stream_started_nobody(tmp_path: Path) -> None:
    log = Log()
    log.request("orphan", i=100)
    log.call("agent-0", "orphan", tool="Agent")
    log.add("subagent_start", tool_call_id="agent-0")
    log.request("m1", i=7)
    log.result(i=7, usd=0.5)
    assert only(opened(tmp_path, log), "runs", "turns", "tool_calls", "subagents") == (1, 0, 0)


def test_an_agents_own_id_on_its_calls_result_does_not_hide_what_stands_under_the_call(tmp_path: Path) -> None:
    """Streams of 2.1: the lines of the subagent name the call, and only the call's result names the agent's own id."""
    log = Log()
    log.request("m1")
    log.call("call-1", "m1", tool="Agent")
    log.request("s1", agent="call-1", i=5)
    log.call("inner", "s1", agent="call-1")
    log.answer("call-1")
    log.add("subagent_start", tool_call_id="call-1", agent_id="a-77")
    names = ("agent_id", "tool_call_id", "turns", "tool_calls", "input_tokens")
    assert only(opened(tmp_path, log), "subagents", *names) == ("call-1", "call-1", 1, 1, 5)
