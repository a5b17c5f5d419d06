"""Collected transcripts beside the checkout, against the independent count; skipped where they are not.

Failures name the file and the figure, never the text of a transcript.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import independent
import independent_session
import polars as pl
import pytest

import agentlog

pytestmark = pytest.mark.corpus

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "claude-stream"
STREAMS = sorted(path for path in FOLDER.iterdir() if path.is_file()) if FOLDER.is_dir() else []
MODELLED = {
    *("assistant", "user", "result", "stream_event", "system", "rate_limit_event", "tool_progress", "tool_use_summary", "auth_status"),
    *("prompt_suggestion", "conversation_reset", "active_goal", "keep_alive", "control_request", "control_response"),
    *("control_cancel_request",),
}
SUBTYPES = {
    *("init", "compact_boundary", "status", "api_retry", "control_request_progress", "model_refusal_fallback", "model_refusal_no_fallback"),
    *("hook_started", "hook_progress", "hook_response", "task_started", "task_progress", "task_updated", "task_notification"),
    *("background_tasks_changed", "thinking_tokens", "session_state_changed", "permission_denied", "notification", "informational"),
    *("local_command_output", "files_persisted", "memory_recall", "elicitation_complete", "plugin_install", "commands_changed"),
    *("mirror_error", "session_writes_lost", "worker_shutting_down", "post_turn_summary", "bridge_state"),
}

_HAND_WRITTEN = {"input_tokens", "output_tokens"}
KNOWN = {
    # Hand-written: `modelUsage` is spelt as no version of the CLI spells it, so the tokens come from `usage` and the responses that it leaves out;
    # and one tool id in two responses is two calls.
    "tests-fixtures-claude_streamjson_session@34e23c5.jsonl": {*_HAND_WRITTEN, "tool_calls"},
    "tests-fixtures-claude_streamjson_session@8b1c3e0.jsonl": {*_HAND_WRITTEN, "tool_calls"},
}
"""The figures that differ from the plain count, by file, each looked at by a person."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, agentlog.Store]:
    """The store of each stream. Streams that share a session lie in different ones: copies count once, and here each is counted."""
    groups: list[dict[Path, set[str | None]]] = []
    for path in STREAMS:
        sessions = independent.read(path).sessions.keys() - {None}
        group = next((group for group in groups if not any(sessions & others for others in group.values())), None)
        if group is None:
            groups.append(group := {})
        group[path] = sessions
    found: dict[Path, agentlog.Store] = {}
    for number, group in enumerate(groups):
        folder = tmp_path_factory.mktemp("streams") / str(number)
        agentlog.ingest(list(group), store=folder)
        found |= dict.fromkeys(group, agentlog.open(folder))
    return found


@pytest.fixture(scope="module")
def rows(stores: dict[Path, agentlog.Store]) -> dict[int, tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Sources and runs of each store, by its identity."""
    return {id(store): (store.view("sources").to_dicts(), store.view("runs").to_dicts()) for store in set(stores.values())}


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name[:80])
def test_a_stream_agrees_with_the_independent_count(
    path: Path, stores: dict[Path, agentlog.Store], rows: dict[int, tuple[list[dict[str, Any]], list[dict[str, Any]]]]
) -> None:
    sources, runs = rows[id(stores[path])]
    (source,) = (source for source in sources if source["source_path"] == str(path))
    if source["status"] != "ok":
        assert not any(session.turns | session.subagent_turns or session.results for session in independent.read(path).sessions.values())
        return
    mine = {run["session_id"]: run for run in runs if run["session_id"] is not None or run["source_path"] == str(path)}
    assert {found.name for found in independent.differences(path, source, mine)} == KNOWN.get(path.name.partition("__")[2], set())


SESSIONS = sorted((FOLDER.parent / "claude-session").glob("*.jsonl"), key=lambda path: -path.stat().st_size)[:12]
"""The largest session files: versions 1.0 to 2.1."""


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name[:80])
def test_a_session_file_agrees_with_the_independent_count(path: Path, tmp_path: Path) -> None:
    agentlog.ingest([path], store=tmp_path / "store")
    with agentlog.open(tmp_path / "store") as store:
        (row,) = store.sql("""
            select (select sum(turns) from runs), (select sum(subagent_turns) from runs), (select count(*) from tool_calls),
                (select count(*) from tool_calls where status = 'error'), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),
                coalesce(sum(cache_read_tokens), 0), coalesce(sum(cache_write_tokens), 0)
            from usage
        """).rows()
    assert independent_session.Figures(*map(int, row)) == independent_session.count(path)


VIEWS = ("runs", "usage", "tool_calls", "compactions", "api_retries", "subagents", "results", "events", "unreadable")


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_the_files_the_calls_and_the_workers_change_no_view(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    files = [*SESSIONS[4:], *chance.sample(STREAMS, min(6, len(STREAMS)))]
    if not files:
        pytest.skip("no corpus beside the checkout")
    agentlog.ingest(sorted(files), tmp_path / "once", jobs=1)
    chance.shuffle(files)
    for some in (files[:5], files[5:]):
        agentlog.ingest(some, tmp_path / "shuffled", jobs=2)
    with agentlog.open(tmp_path / "once") as once, agentlog.open(tmp_path / "shuffled") as shuffled:
        for view in VIEWS:
            assert sorted(map(repr, shuffled.view(view).rows())) == sorted(map(repr, once.view(view).rows())), view


@pytest.fixture(scope="module")
def whole(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> agentlog.Store:
    """One store of everything collected, of all kinds."""
    folder = tmp_path_factory.mktemp("corpus") / "store"
    agentlog.ingest([corpus], store=folder)
    return agentlog.open(folder)


def test_every_file_has_a_status(whole: agentlog.Store, corpus: Path) -> None:
    found = whole.view("sources")
    assert sorted(found["source_path"]) == sorted(str(path) for path in corpus.rglob("*") if path.is_file())
    assert set(found["status"]) <= {"ok", "duplicate", "unsupported"}


def test_what_is_not_read_says_why(whole: agentlog.Store) -> None:
    sources = whole.view("sources")
    assert sources.filter((pl.col("status") != "ok") & pl.col("error").is_null())["source_path"].to_list() == []


def test_lines_are_conserved(whole: agentlog.Store) -> None:
    sources = whole.view("sources").filter(pl.col("status") == "ok")
    lost = sources.filter(pl.col("lines") != pl.col("blank_lines") + pl.col("readable_lines") + pl.col("unreadable_lines"))
    assert lost["source_path"].to_list() == []
    assert sources.filter(pl.col("lines").is_null())["source_path"].to_list() == []


def test_no_documented_type_is_unmodelled(whole: agentlog.Store) -> None:
    rows = whole.view("unmodelled").filter(pl.col("harness") == "claude")
    assert [row for row in rows.to_dicts() if _is_documented(row["native_type"])] == []


def _is_documented(native_type: str | None) -> bool:
    kind, _, subtype = (native_type or "").partition("/")
    return kind in MODELLED and (kind != "system" or subtype in SUBTYPES)
