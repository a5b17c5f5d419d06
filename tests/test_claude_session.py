"""Claude Code session files: what each line becomes. Every expected value follows from the lines above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from claude_records import lines
from session_records import SESSION, call, line, response, result, said, usage

import agentlog
from agentlog.reading import read_events

if TYPE_CHECKING:
    from pathlib import Path

    from agentlog.events import Event, Unreadable


def read(*records: dict[str, Any]) -> list[Event]:
    unreadable: list[Unreadable] = []
    events = sorted(read_events(lines(*records), on_unreadable=unreadable.append), key=lambda event: (event.line_no, event.part_no))
    assert unreadable == []
    return events


def of_kind(kind: str, *records: dict[str, Any]) -> list[Event]:
    return [event for event in read(*records) if event.kind == kind]


def ingested(folder: Path, **files: list[dict[str, Any]]) -> agentlog.Store:
    """A store of these files, each named by its key."""
    for name, records in files.items():
        path = folder / "projects" / f"{name.replace('__', '/')}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(data + b"\n" for data in lines(*records)))
    agentlog.ingest([folder / "projects"], folder / "store")
    return agentlog.open(folder / "store")


def test_the_lines_of_one_response_are_one_request_with_its_largest_figures() -> None:
    same, last = usage(10, 3, read=900), usage(10, 412, read=900)
    events = read(said("go"), response("m1", call("t1"), of=same), response("m1", call("t2"), of=last, requestId="r1"))
    assert [event.kind for event in events] == ["session", "prompt", "request", "tool_call", "tool_call"]
    request = events[2]
    assert (request.input_tokens, request.output_tokens, request.cache_read_tokens, request.request_id) == (10, 412, 900, "r1")
    assert {(event.session_id, event.harness_version, event.harness, event.format) for event in events} == {
        (SESSION, "2.1.150", "claude", "session")
    }


def test_the_state_of_a_session_is_told_where_it_changes() -> None:
    events = of_kind("session", said("a"), said("b"), said("c", cwd="/srv/other"), said("d", cwd="/srv/other", gitBranch="fix"))
    assert [(event.line_no, event.cwd, event.git_branch) for event in events] == [
        (1, "/srv/demo", "main"),
        (3, "/srv/other", "main"),
        (4, "/srv/other", "fix"),
    ]


def test_what_the_harness_says_in_a_persons_place_is_no_prompt() -> None:
    records = [
        said("typed"),
        said("note", isMeta=True),
        said("summary", isCompactSummary=True),
        said("<local-command-stdout>x</local-command-stdout>"),
        said("[Request interrupted by user]"),
        said("other", origin={"kind": "task-notification"}),
        said("typed, with a <local-command-stdout> inside"),
    ]
    assert [event.line_no for event in of_kind("prompt", *records)] == [1, 7]


def test_a_side_conversation_is_a_subagents() -> None:
    named = read(response("m1", isSidechain=True, agentId="a1", of=usage(1, 1)))
    assert [event.agent_id for event in named] == ["a1", "a1"]
    chain = [
        said("dig", isSidechain=True, uuid="root"),
        response("m1", call("t1"), isSidechain=True, uuid="next", parentUuid="root", of=usage(1, 1)),
        result("t1", isSidechain=True, uuid="last", parentUuid="next"),
        said("dig too", isSidechain=True, uuid="second"),
    ]
    agents = {event.line_no: event.agent_id for event in read(*chain)}
    assert agents == {1: "sidechain-root", 2: "sidechain-root", 3: "sidechain-root", 4: "sidechain-second"}


def test_an_agent_named_on_a_line_of_the_main_loop_is_none() -> None:
    assert {event.agent_id for event in read(response("m1", agentId="main", of=usage(1, 1)))} == {None}


def test_a_retry_is_an_api_error() -> None:
    error = {"status": 529, "error": {"type": "error", "error": {"type": "overloaded_error"}}}
    (retry,) = of_kind("api_retry", line("system", subtype="api_error", error=error, retryAttempt=2, maxRetries=10, retryInMs=612.5))
    assert (retry.attempt, retry.max_attempts, retry.delay_ms, retry.error_status, retry.error_type) == (
        2,
        10,
        612.5,
        529,
        "overloaded_error",
    )


def test_compactions_are_told_from_micro_compactions() -> None:
    whole, micro = of_kind(
        "compaction",
        line("system", subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 155_000, "postTokens": 11_000}),
        line(
            "system", subtype="microcompact_boundary", microcompactMetadata={"trigger": "auto", "preTokens": 90_000, "tokensSaved": 30_000}
        ),
    )
    assert (whole.status, whole.trigger, whole.tokens_before, whole.tokens_after) == ("completed", "auto", 155_000, 11_000)
    assert (micro.status, micro.tokens_before, micro.tokens_after) == ("micro", 90_000, 60_000)


def test_an_error_in_place_of_a_response_is_no_request() -> None:
    text = {"type": "text", "text": "API Error"}
    events = read(response("x", text, model="<synthetic>", of=usage(0, 0)), response("y", text, isApiErrorMessage=True, of=usage(0, 0)))
    assert [event.kind for event in events] == ["session", "error", "error"]


def test_copy_marks() -> None:
    marks = [
        event.copy_mark
        for event in read(
            said("a"), said("b", forkedFrom={"sessionId": "origin", "messageUuid": "m"}), said("c", sessionKind="bg"), said("d")
        )
        if event.kind == "prompt"
    ]
    assert marks == [None, "origin", "bg", None]


@pytest.mark.parametrize("kind", ["attachment", "last-prompt", "queue-operation", "file-history-snapshot", "progress", "pr-link", "mode"])
def test_bookkeeping_is_kept_and_means_nothing(kind: str) -> None:
    events = read(said("a"), line(kind, snapshot={"x": 1}))
    assert [(event.kind, event.native_type) for event in events[2:]] == [("notice", kind)]


def test_a_new_type_is_unmodelled() -> None:
    assert [event.native_type for event in of_kind("unmodelled", said("a"), line("novel"), line("system", subtype="novel"))] == [
        "novel",
        "system/novel",
    ]


def test_the_title_that_a_person_gave_names_the_run(tmp_path: Path) -> None:
    titles = [
        {"type": "summary", "summary": "of another session", "leafUuid": "elsewhere"},
        said("go"),
        {"type": "summary", "summary": "Summary", "leafUuid": "u1"},
        {"type": "custom-title", "customTitle": "Mine", "sessionId": SESSION},
        {"type": "ai-title", "aiTitle": "Guessed", "sessionId": SESSION},
    ]
    with ingested(tmp_path, one=titles) as store:
        assert store.view("runs")["name"].to_list() == ["Mine"]


def test_a_cost_state_is_a_reported_total_and_no_end_of_the_run(tmp_path: Path) -> None:
    spent = {"inputTokens": 10, "outputTokens": 30, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0, "costUSD": 0.5}
    state = {"type": "cost-state", "sessionId": SESSION, "totalCostUSD": 0.5, "modelUsage": {"claude-opus-4-5": spent}}
    with ingested(tmp_path, one=[response("m1", of=usage(10, 3)), state]) as store:
        (run,) = store.sql("select outcome, results, processes, input_tokens, output_tokens, cost_usd, tokens_basis from runs").rows()
    assert run == (None, 0, 1, 10, 30, 0.5, "reported")


def test_the_cost_of_a_line_is_its_requests_once(tmp_path: Path) -> None:
    records = [response("m1", call("t1"), of=usage(10, 3), costUSD=0.25), response("m1", of=usage(10, 5), costUSD=0.25)]
    with ingested(tmp_path, one=records) as store:
        assert store.sql("select cost_usd, is_cost_complete from runs").rows() == [(0.25, True)]


def test_a_subagents_file_belongs_to_its_session_whichever_comes_first(tmp_path: Path) -> None:
    launched = {"status": "completed", "agentId": "a1", "totalDurationMs": 900}
    parent = [said("go"), response("m1", call("t1", "Task"), of=usage(1, 1)), result("t1", "done", toolUseResult=launched)]
    agent = [response("s1", call("t2"), isSidechain=True, agentId="a1", of=usage(5, 2))]
    found = []
    for number, order in enumerate(([parent, agent], [agent, parent])):
        folder = tmp_path / str(number)
        for records in order:
            name = "b__subagents__agent-a1" if records is agent else "b"
            ingested(folder, **{name: records}).close()
        found.append(
            store_rows(folder, "select run_id, turns, subagent_turns, tool_calls, subagents from runs")
            + store_rows(folder, "select agent_id, tool_call_id, turns, tool_calls, input_tokens, status, duration_ms from subagents")
        )
    assert found[0] == found[1]
    assert found[0][0][1:] == (1, 1, 2, 1)
    assert found[0][1] == ("a1", "t1", 1, 1, 5, "completed", 900)


def store_rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with agentlog.open(folder / "store") as store:
        return store.sql(query).rows()


def test_a_pruned_origin_gives_its_copies_their_weight_back(tmp_path: Path) -> None:
    old = [said("go", uuid="u-a"), response("m1", uuid="u-b", of=usage(100, 10))]
    fork = [{**record, "sessionId": "fork", "forkedFrom": {"sessionId": SESSION}} for record in old]
    with ingested(tmp_path, origin=old, fork=[*fork, response("m2", sessionId="fork", of=usage(7, 1))]) as store:
        assert store.sql("select session_id, turns, input_tokens from runs order by 2, 3").rows() == [("fork", 1, 7), (SESSION, 1, 100)]
    (tmp_path / "projects/origin.jsonl").unlink()
    agentlog.ingest([tmp_path / "projects"], tmp_path / "store", prune=True)
    assert store_rows(tmp_path, "select session_id, turns, input_tokens from runs") == [("fork", 2, 107)]


def test_spellings_of_one_windows_folder_are_one_project(tmp_path: Path) -> None:
    spellings = [r"C:\Users\demo\app", "c:/Users/demo/app/", r"c:\Users\demo\app"]
    files = {f"f{number}": [said("x", cwd=cwd, sessionId=f"s{number}")] for number, cwd in enumerate(spellings)}
    with ingested(tmp_path, **files) as store:
        assert set(store.view("runs")["project"]) == {r"C:\Users\demo\app"}


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_a_run_archived_in_both_formats_counts_once_whichever_comes_first(tmp_path: Path, order: tuple[str, str]) -> None:
    """The stream has the total (its output is final), the session file the times."""
    message = {"id": "m1", "model": "claude-opus-4-5", "content": [call("t1", command="ls")], "usage": usage(100, 2)}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x", "is_error": True}]}
    spent = {"inputTokens": 100, "outputTokens": 25, "costUSD": 0.5}
    end = {"type": "result", "subtype": "success", "is_error": False, "total_cost_usd": 0.5, "modelUsage": {"claude-opus-4-5": spent}}
    bodies = [("assistant", "u1", message), ("user", "u2", answer)]
    envelope = {"session_id": SESSION, "parent_tool_use_id": None}
    streamed = [{"type": kind, "message": body, "uuid": uuid, **envelope} for kind, uuid, body in bodies]
    kept = [line(kind, message=body, uuid=uuid) for kind, uuid, body in bodies]
    files = dict(zip(order, ([*streamed, end | envelope], kept), strict=True))
    for name in sorted(files):
        ingested(tmp_path, **{name: files[name]}).close()
    assert store_rows(
        tmp_path, "select turns, tool_calls, tool_errors, processes, results, input_tokens, output_tokens, cost_usd, outcome from runs"
    ) == [(1, 1, 1, 1, 1, 100, 25, 0.5, "success")]
    assert store_rows(tmp_path, "select count(*), count(started_at) from tool_calls") == [(1, 1)]
