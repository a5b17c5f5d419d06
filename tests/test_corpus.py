"""Collected transcripts beside the checkout, against the independent count; skipped where they are not.

Failures name the file and the figure, never the text of a transcript.
"""

from __future__ import annotations

from pathlib import Path

import independent
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


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name[:80])
def test_a_stream_agrees_with_the_independent_count(path: Path, tmp_path: Path) -> None:
    agentlog.ingest([path], store=tmp_path / "store")
    store = agentlog.open(tmp_path / "store")
    (source,) = store.view("sources").to_dicts()
    if source["status"] == "unsupported":
        assert not independent.read(path).sessions or _holds_no_known_record(path)
        return
    runs = {run["session_id"]: run for run in store.view("runs").to_dicts()}
    assert independent.differences(path, source, runs) == []


def _holds_no_known_record(path: Path) -> bool:
    return not any(session.turns | session.subagent_turns or session.results for session in independent.read(path).sessions.values())


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
