"""Copies of history count once, where they were made first. Figures are small enough to add up by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rows import Log, opened, part

if TYPE_CHECKING:
    from pathlib import Path

    from agentlog import Store


def runs(store: Store, *names: str) -> list[tuple[Any, ...]]:
    return store.sql(f"select run_id, {', '.join(names)} from runs order by run_id").rows()


def session(run_id: str, path: str | None = None) -> Log:
    return Log(run_id, path or f"/{run_id}.jsonl", form="session")


def told(log: Log, **mark: Any) -> None:
    """A prompt, a response with a call, its result and a compaction: four records with ids of their own."""
    log.add("prompt", seconds=0, uuid="u1", text="go", **mark)
    log.request("m1", seconds=1, uuid="u2", i=100, o=10, **mark)
    log.call("t1", "m1", seconds=1, uuid="u2", **mark)
    log.answer("t1", "error", seconds=2, uuid="u3", text="no", **mark)
    log.add("compaction", seconds=3, uuid="u4", status="completed", **mark)


def test_a_forked_session_counts_only_what_it_added(tmp_path: Path) -> None:
    origin, fork = session("origin", "/z.jsonl"), session("fork", "/a.jsonl")
    told(origin)
    told(fork, copy_mark="origin")
    fork.add("prompt", seconds=50, uuid="f1", text="other")
    fork.request("m2", seconds=51, uuid="f2", i=7, o=1)
    store = opened(tmp_path, origin, fork)
    names = ("prompts", "turns", "tool_calls", "tool_errors", "compactions", "input_tokens", "output_tokens")
    assert runs(store, *names) == [("fork", 1, 1, 0, 0, 0, 7, 1), ("origin", 1, 1, 1, 1, 1, 100, 10)]
    assert store.sql("select count(*) as n, count_if(is_copy) as copies from events").rows() == [(12, 5)]


def test_a_run_of_copies_alone_is_none(tmp_path: Path) -> None:
    origin, copy = session("origin"), session("copy")
    told(origin)
    copy.add("session", cwd="/srv")
    told(copy)
    assert runs(opened(tmp_path, origin, copy), "turns") == [("copy", 1)]  # times and marks agree: the smallest path


def test_a_copy_without_the_mark_goes_before_one_that_has_it(tmp_path: Path) -> None:
    marked, plain = session("marked", "/a.jsonl"), session("plain", "/b.jsonl")
    told(marked, copy_mark="background")
    told(plain)
    assert runs(opened(tmp_path, marked, plain), "turns") == [("plain", 1)]


def test_a_copied_response_is_told_by_its_id_and_figures_where_the_record_has_a_new_id(tmp_path: Path) -> None:
    origin, copy = session("origin"), session("second")
    told(origin)
    copy.request("m1", seconds=60, uuid="n2", i=100, o=90, is_final=True)
    copy.call("t1", "m1", seconds=60, uuid="n2")
    copy.answer("t1", "error", seconds=61, uuid="n3", text="no")
    copy.request("m2", seconds=70, uuid="n4", i=5, o=1)
    store = opened(tmp_path, origin, copy)
    # the final output that only the copy has counts for the original
    assert runs(store, "turns", "tool_calls", "tool_errors", "input_tokens", "output_tokens") == [
        ("origin", 1, 1, 1, 100, 90),
        ("second", 1, 0, 0, 5, 1),
    ]


def test_ids_that_a_gateway_repeats_are_no_copies_where_the_figures_differ_or_say_nothing(tmp_path: Path) -> None:
    one, two = session("one"), session("two")
    one.request("relay", uuid="a1", i=10, o=1)
    one.request("zero", uuid="a2", i=0, o=5)
    two.request("relay", uuid="b1", i=20, o=2)
    two.request("zero", uuid="b2", i=0, o=6)
    assert runs(opened(tmp_path, one, two), "turns", "input_tokens", "output_tokens") == [("one", 2, 10, 6), ("two", 2, 20, 8)]


def test_the_same_record_id_with_other_content_is_another_record(tmp_path: Path) -> None:
    one, two = session("one"), session("two")
    one.add("prompt", uuid="u1", text="a")
    two.add("prompt", uuid="u1", text="b")
    assert runs(opened(tmp_path, one, two), "prompts") == [("one", 1), ("two", 1)]


def test_a_run_archived_as_a_stream_and_as_a_session_file_counts_once_and_has_its_times(tmp_path: Path) -> None:
    stream, file = Log("run", "/b.jsonl"), session("run", "/a.jsonl")
    for log, times in ((stream, (None, None, None)), (file, (0, 1, 4))):
        log.add("prompt", uuid="u1", text="go", seconds=times[0])
        log.request("m1", uuid="u2", i=100, o=10, seconds=times[1])
        log.call("t1", "m1", uuid="u2", seconds=times[1])
        log.answer("t1", uuid="u3", seconds=times[2])
    stream.result(part(i=100, o=25), usd=0.5)
    store = opened(tmp_path, stream, file)
    names = ("prompts", "turns", "tool_calls", "processes", "results", "input_tokens", "output_tokens", "cost_usd", "tokens_basis")
    assert runs(store, *names) == [("run", 1, 1, 1, 1, 1, 100, 25, 0.5, "reported")]
    assert store.sql("select (ended_at - started_at)::varchar as took from tool_calls").rows() == [("00:00:03",)]


def test_what_a_process_reports_beside_copies_is_not_counted_again(tmp_path: Path) -> None:
    origin, copy = Log("origin", "/a.jsonl"), Log("second", "/b.jsonl")
    origin.request("m1", seconds=1, uuid="u1", i=100, o=10)
    copy.request("m1", seconds=1, uuid="n1", i=100, o=10)
    copy.request("m2", seconds=9, uuid="n2", i=5, o=1)
    copy.result(part(i=105, o=11), usd=0.5)
    store = opened(tmp_path, origin, copy)
    assert runs(store, "turns", "input_tokens", "output_tokens") == [("origin", 1, 100, 10), ("second", 1, 5, 1)]
