"""Streams → totals of their runs, through ingest and the views: what no single step can get right alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claude_records import assistant, init, lines, result, text, usage

import agentlog

if TYPE_CHECKING:
    from pathlib import Path


def totals(folder: Path, *records: dict[str, Any] | bytes) -> dict[str, Any]:
    """The row of the one run that these records make."""
    (folder / "run.jsonl").write_bytes(b"\n".join(lines(*records)) + b"\n")
    agentlog.ingest([folder / "run.jsonl"], store=folder / "store")
    (row,) = agentlog.open(folder / "store").view("runs").to_dicts()
    return row


def test_old_versions_count_responses_that_came_whole_in_their_usage(tmp_path: Path) -> None:
    """No modelUsage, one response with a stop reason, and a usage that is that response's: it counts once."""
    whole = assistant("m1", text("a"), of=usage(10, 20), stop_reason="end_turn")
    row = totals(tmp_path, init(), whole, result(total_cost_usd=0.01, usage=usage(10, 20)))
    assert (row["input_tokens"], row["output_tokens"], row["cost_usd"]) == (10, 20, 0.01)


def test_a_fallback_that_the_usage_leaves_out_is_added(tmp_path: Path) -> None:
    """The streamed response is in the usage (10 in), the fallback (100 in, 20 out) is not: 110 in, 30 + 20 out."""
    streamed = assistant("m1", text("a"), of=usage(10, 2))
    whole = assistant("m2", text("b"), of=usage(100, 20), stop_reason="end_turn")
    row = totals(tmp_path, init(), streamed, whole, result(total_cost_usd=0.01, usage=usage(10, 30)))
    assert (row["input_tokens"], row["output_tokens"]) == (110, 50)


def test_a_cut_off_result_is_never_a_success(tmp_path: Path) -> None:
    row = totals(
        tmp_path,
        init(),
        result(usage=usage(1, 1)),
        assistant("m1", text("a"), of=usage(5, 1)),
        b'{"type":"result","subtype":"success","is_err',
    )
    assert (row["outcome"], row["unreadable_lines"]) == ("unreadable", 1)
