"""Named reports over three small runs (`small_views`), added up by hand: selection, grouping, totals, order."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Unpack
from zoneinfo import ZoneInfo

import polars as pl
import pytest
import small_views

from agentlog import AgentlogError, UnknownNameError
from agentlog.reports import Options, answer, reports
from agentlog.reports.selection import machine_zone, span, zone_of

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

BERLIN = "Europe/Berlin"
TOKENS = {"input_tokens": 63, "cache_read_tokens": 404, "cache_write_tokens": 80, "output_tokens": 25}
EVERY_GROUPING = [(name, by) for name, report in reports().items() for by in report.by]
NOT_SUMS = ("runs", "sources", "share", "median", "p95", "peak", "is_", "first_", "requests")


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return small_views.connect()


def rows(connection: duckdb.DuckDBPyConnection, name: str, *columns: str, **options: Unpack[Options]) -> list[tuple[object, ...]]:
    frame = answer(connection, name, **(Options(tz="UTC") | options)).frame
    return frame.select(columns).rows() if columns else frame.rows()


def test_cost_by_model(connection: duckdb.DuckDBPyConnection) -> None:
    given = answer(connection, "cost", tz="UTC")
    assert given.frame.columns == [
        "model",
        "cost_usd",
        "cost_share",
        "runs",
        "requests",
        "input_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "output_tokens",
        "is_cost_complete",
    ]
    assert given.frame.rows() == [
        ("opus", 2.25, 2.25 / 2.251, 2, 3, 60, 400, 80, 21, True),
        ("haiku", 0.001, 0.001 / 2.251, 2, 0, 3, 4, 0, 4, False),
    ]
    assert given.totals is not None
    assert given.totals.rows() == [(2.251, 1.0, 2, 3, 63, 404, 80, 25, False)]


@pytest.mark.parametrize("by", reports()["cost"].by)
def test_ledger_totals_are_equal_for_any_grouping(connection: duckdb.DuckDBPyConnection, by: str) -> None:
    frame = answer(connection, "cost", by=by, tz=BERLIN).frame
    assert {column: frame[column].sum() for column in TOKENS} == TOKENS
    assert frame["cost_usd"].sum() == pytest.approx(2.251, abs=1e-9)


def test_the_reports_of_the_ledger_group_alike(connection: duckdb.DuckDBPyConnection) -> None:
    for name in ("tokens", "cache"):
        assert reports()[name].by == reports()["cost"].by
        given = answer(connection, name, by=["day", "model"], tz=BERLIN).frame
        expected = answer(connection, "cost", by=["day", "model"], tz=BERLIN).frame
        shared = [column for column in given.columns if column in expected.columns]
        assert given.select(shared).equals(expected.select(shared))


@pytest.mark.parametrize("options", [{}, {"since": "2026-05-02"}, {"until": "2026-05-02"}, {"model": "haiku"}, {"project": "shop"}])
def test_runs_sum_the_same_ledger(connection: duckdb.DuckDBPyConnection, options: dict[str, str]) -> None:
    runs = answer(connection, "runs", tz=BERLIN, **options).frame  # type: ignore[arg-type]
    cost = answer(connection, "cost", by="day", tz=BERLIN, **options).frame  # type: ignore[arg-type]
    for column in TOKENS:
        assert runs[column].sum() == cost[column].sum()
    assert runs["cost_usd"].sum() == pytest.approx(cost["cost_usd"].sum(), abs=1e-9)


@pytest.mark.parametrize(("name", "by"), EVERY_GROUPING)
def test_the_totals_row_is_the_sum_of_the_groups(connection: duckdb.DuckDBPyConnection, name: str, by: str) -> None:
    given = answer(connection, name, by=by, tz=BERLIN)
    assert given.keys == 1
    assert (given.totals is None) == (given.rows < 2)
    if given.totals is not None:
        sums = [column for column in given.totals.columns if not column.startswith(NOT_SUMS) and not column.endswith("share")]
        for column in sums:
            assert given.frame[column].sum() == pytest.approx(given.totals[column].item() or 0, abs=1e-9), column


def test_days_are_those_of_the_zone(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "cost", "day", "output_tokens", by="day") == [(dt.date(2026, 5, 1), 12), (dt.date(2026, 5, 3), 12), (None, 1)]
    assert rows(connection, "cost", "day", "output_tokens", by="day", tz=BERLIN) == [
        (dt.date(2026, 5, 1), 5),
        (dt.date(2026, 5, 2), 7),
        (dt.date(2026, 5, 3), 12),
        (None, 1),
    ]


def test_weeks_begin_on_monday_and_hours_are_instants(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "tokens", "week", "month", "output_tokens", by=["week", "month"], tz=BERLIN) == [
        (dt.date(2026, 4, 27), "2026-05", 24),
        (None, None, 1),
    ]
    hours = rows(connection, "tokens", "hour", by="hour", tz="Asia/Kolkata")  # half an hour past UTC's: 21:30Z is 03:00 there
    assert [hour for (hour,) in hours if isinstance(hour, dt.datetime)] == [
        dt.datetime(2026, 5, 1, 21, 30, tzinfo=dt.UTC),
        dt.datetime(2026, 5, 1, 22, 30, tzinfo=dt.UTC),
        dt.datetime(2026, 5, 3, 9, 30, tzinfo=dt.UTC),
    ]


def test_a_window_holds_whole_days_and_tells_what_has_no_time(connection: duckdb.DuckDBPyConnection) -> None:
    given = answer(connection, "cost", since="2026-05-02", until="2026-05-02", tz=BERLIN)
    assert given.frame.select("model", "requests", "output_tokens", "cost_usd").rows() == [("opus", 1, 7, 0.25)]
    assert given.notes == ("ledger entries without a time, outside --since and --until: 1",)
    assert answer(connection, "cost", tz=BERLIN).notes == ()


def test_in_a_window_a_run_has_the_figures_of_the_window(connection: duckdb.DuckDBPyConnection) -> None:
    given = answer(connection, "runs", since="2026-05-01T22:00", until="2026-05-01", tz="UTC")
    figures = ("run_id", "turns", "tool_calls", "tool_errors", "api_retries", "compactions", "subagents", "output_tokens", "cost_usd")
    assert given.frame.select(figures).rows() == [("r1", 1, 1, 0, 1, 1, 0, 7, 0.25)]
    assert rows(connection, "runs", *figures) == [
        ("r1", 2, 3, 1, 3, 1, 1, 13, 0.751),
        ("r2", 1, 1, 0, 0, 0, 0, 12, 1.5),
        ("r3", 0, 0, 0, None, None, 0, None, None),
    ]


def test_turns_of_a_day(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "turns", "run_id", "turn_no", since="2026-05-02", until="2026-05-03", tz=BERLIN) == [("r1", 2), ("r2", 1)]


@pytest.mark.parametrize("glob", ["r1", "s-1", "alph*", "/runs/alpha.jsonl", "*/alpha.*", "alpha.jsonl"])
def test_a_run_is_named_in_many_ways(connection: duckdb.DuckDBPyConnection, glob: str) -> None:
    assert rows(connection, "cost", "run_id", by="run_id", run=glob) == [("r1",)]


def test_a_run_is_named_by_a_relative_path(connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    up = "../" * (len(tmp_path.parts) - 1)
    assert rows(connection, "cost", "run_id", by="run_id", run=f"{up}runs/alpha.jsonl") == [("r1",)]


@pytest.mark.parametrize(
    ("project", "run"), [("/home/a/shop", "r1"), ("shop", "r1"), ("/home/*", "r1"), ("C:\\work\\site", "r2"), ("site", "r2")]
)
def test_a_project_is_its_path_or_last_folder(connection: duckdb.DuckDBPyConnection, project: str, run: str) -> None:
    assert rows(connection, "cost", "run_id", by="run_id", project=project) == [(run,)]


@pytest.mark.parametrize("key", ["run", "project", "model", "harness"])
def test_options_are_values_and_never_sql(connection: duckdb.DuckDBPyConnection, key: str) -> None:
    hostile = "' or 1=1; drop table usage; --"
    for name in reports():
        assert rows(connection, name, **{key: hostile}) == []  # type: ignore[arg-type]
    assert connection.sql("select count(*) from usage").fetchall() == [(5,)]


def test_a_report_leaves_the_caller_s_session_alone(connection: duckdb.DuckDBPyConnection) -> None:
    answer(connection, "runs", since="today", by="day")
    assert connection.sql("select getvariable('selection'), getvariable('sel_by')").fetchall() == [(None, None)]
    assert connection.sql("select count(*) from duckdb_views() where not internal").fetchall() == [(0,)]


def test_tools(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "tools") == [
        ("Bash", 3, 1, 1 / 3, 1, 0, 1, 1, 200.0, 290.0, 110, 2),
        ("mcp__db__query", 1, 0, 0.0, 0, 1, 0, 0, None, None, None, 1),
    ]


def test_retries_by_error_are_shares_of_all_requests(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "retries") == [
        (529, "overloaded", 1, 2, 1, 3, 2 / 5, 1500.5),
        (None, "unknown", 1, 1, 1, 3, 1 / 4, 250.0),
    ]
    assert rows(connection, "retries", by="run_id") == [("r1", 1, 3, 2, 2, 3 / 5, 1750.5), ("r2", 0, 0, 0, 1, 0.0, None)]


def test_failed_compactions_are_listed_and_not_counted(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "compactions", "compaction_no", "status") == [(1, "completed"), (2, "failed")]
    assert rows(connection, "compactions", by="run_id") == [("r1", 1, 1, 0, 150000.0, 12000.0, 300, 0.25)]


def test_subagents(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "subagents") == [("Explore", 1, 1, 1, 3, 4, 10, 20, 30, 40, 100, 0.01, 60000.0)]


def test_unreadable_lines_are_shown_only_where_asked_for(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "unreadable") == [
        ("/runs/beta.jsonl.gz", 3, "cut", False, 17, "ends early", "r2"),
        ("/runs/beta.jsonl.gz", 4, "bad_utf8", True, 20, None, "r2"),
        ("/runs/notes.txt", 1, "not_json", False, 10, "no JSON", None),
    ]
    assert rows(connection, "unreadable", "raw", raw=True) == [('{"secret',), ('{"secret2"}',), ("secret note",)]
    assert rows(connection, "unreadable", "line_no", run="notes.txt") == [(1,)]
    assert rows(connection, "unreadable", "line_no", since="2026-05-03") == [(3,), (4,)]


def test_unmodelled_types_with_their_first_line(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "unmodelled") == [
        ("claude", "2.1.0", "system/later", 2, 1, "/runs/alpha.jsonl", 5),
        ("claude", "2.1.0", "odd", 1, 1, "/runs/beta.jsonl.gz", 2),
    ]


def test_sources_go_by_their_runs(connection: duckdb.DuckDBPyConnection) -> None:
    assert [path for (path,) in rows(connection, "sources", "source_path")] == [
        "/runs/alpha.jsonl",
        "/runs/beta.jsonl.gz",
        "/runs/gamma.jsonl",
        "/runs/notes.txt",
    ]
    given = answer(connection, "sources", since="2026-05-02", tz="UTC")
    assert given.frame["source_path"].to_list() == ["/runs/beta.jsonl.gz"]
    assert given.notes == ("sources without a time, outside --since and --until: 2",)


def test_reconcile_is_the_view(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "reconcile", "run_id", "gap_usd", "reported_total_tokens", "folded_total_tokens") == [
        ("r1", 0.051, 464, 463),
        ("r2", None, 99, 108),
    ]


def test_order_and_limit(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "turns", "output_tokens", sort="-output_tokens") == [(9,), (7,), (5,)]
    assert rows(connection, "runs", "run_id", sort="cost_usd") == [("r1",), ("r2",), ("r3",)]
    assert rows(connection, "runs", "run_id", sort="-cost_usd") == [("r2",), ("r1",), ("r3",)]
    given = answer(connection, "turns", limit=2, tz="UTC")
    assert (len(given.frame), given.rows) == (2, 3)
    assert given.totals is not None
    assert given.totals["output_tokens"].to_list() == [21]


def test_without_totals_for_one_row(connection: duckdb.DuckDBPyConnection) -> None:
    assert answer(connection, "cost", by="harness").totals is None


def test_sums_beyond_64_bits_stay_whole() -> None:
    connection = small_views.connect()
    connection.execute("update usage set input_tokens = 9223372036854775807 where entry = 'request'")
    frame = answer(connection, "tokens", by="harness", tz="UTC").frame
    assert frame["input_tokens"].to_list() == [3 * (2**63 - 1) + 3]
    assert frame["output_tokens"].dtype == pl.Int64


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "modell"}, "unknown column to group by 'modell'; did you mean 'model'? valid: model, native_model, project, "),
        ({"by": ""}, "by is '': the name of a column is missing"),
        ({"by": "model,"}, "by is 'model,': the name of a column is missing"),
        ({"by": []}, "by is []: the name of a column is missing"),
        ({"sort": "-costs_usd"}, "unknown column to sort by 'costs_usd'; did you mean 'cost_usd'? valid: model, cost_usd, cost_share, "),
        ({"sort": ",,"}, "sort is ',,': the name of a column is missing"),
        ({"sort": "model,-"}, "sort is 'model,-': the name of a column is missing"),
        ({"sinse": "today"}, "unknown option of a report 'sinse'; did you mean 'since'? valid: by, since, until, "),
        ({"limit": -1}, "limit is -1; "),
        ({"run": "\ud800"}, "run is '\\ud800', which is no UTF-8"),
        ({"tz": "Mars/Olympus"}, "unknown time zone 'Mars/Olympus'"),
        ({"tz": "Europe"}, "unknown time zone 'Europe'"),
        ({"tz": "/etc/passwd"}, "unknown time zone '/etc/passwd'"),
        ({"since": "someday"}, "cannot read the time 'someday'; write it as 2026-05-01, "),
        ({"since": "2026-13-01"}, "cannot read the time '2026-13-01'"),
        ({"since": "9999999d"}, "cannot read the time '9999999d'"),
        ({"since": "2026-05-03", "until": "2026-05-01"}, "since 2026-05-03 is after until 2026-05-01"),
    ],
)
def test_what_cannot_be_read_is_named(connection: duckdb.DuckDBPyConnection, options: dict[str, str], message: str) -> None:
    with pytest.raises(AgentlogError) as caught:
        answer(connection, "cost", **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"since": 5}, "since is 5; it may be text, a date or a datetime"),
        ({"by": [None]}, "by is [None]; it may be text or a list of texts"),
        ({"by": 5}, "by is 5; it may be text or a list of texts"),
        ({"sort": 5}, "sort is 5; it may be text or a list of texts"),
        ({"run": 5}, "run is 5; it may be text"),
        ({"limit": "3"}, "limit is '3'; it may be a whole number"),
        ({"limit": True}, "limit is True; it may be a whole number"),
        ({"raw": 1}, "raw is 1; it may be True or False"),
    ],
)
def test_a_value_of_another_type_is_a_type_error(connection: duckdb.DuckDBPyConnection, options: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        answer(connection, "cost", **options)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "note"),
    [
        ({"run": "nosuch"}, "no run matches 'nosuch'; a pattern is a glob for the whole name, such as '*nosuch*'"),
        ({"run": "alp"}, "no run matches 'alp'; a pattern is a glob for the whole name, such as '*alp*'; nearest: alpha, alpha.jsonl"),
        ({"run": "betx*"}, "no run matches 'betx*'; a pattern is a glob for the whole name; nearest: beta"),
        ({"project": "shpo"}, "no project matches 'shpo'; a pattern is a glob for the whole name, such as '*shpo*'; nearest: shop"),
        ({"model": "Opu"}, "no model matches 'Opu'; a pattern is a glob for the whole name, such as '*Opu*'; nearest: opus"),
        ({"harness": "pi"}, "no harness matches 'pi'; the store has claude, codex"),
    ],
)
def test_an_option_that_names_nothing_is_told(connection: duckdb.DuckDBPyConnection, options: dict[str, str], note: str) -> None:
    given = answer(connection, "cost", tz="UTC", **options)  # type: ignore[arg-type]
    assert (given.rows, given.notes) == (0, (note,))


@pytest.mark.parametrize("options", [{"run": "s-1", "project": "site"}, {"run": "alpha.jsonl", "model": "nothing", "since": "2027-01"}])
def test_only_what_names_nothing_by_itself_is_told(connection: duckdb.DuckDBPyConnection, options: dict[str, str]) -> None:
    notes = answer(connection, "runs", tz="UTC", **options).notes  # type: ignore[arg-type]
    assert [note for note in notes if note.startswith("no ")] == [note for note in notes if note.startswith("no model matches 'nothing'")]


def test_a_limit_of_any_size_is_all(connection: duckdb.DuckDBPyConnection) -> None:
    assert len(answer(connection, "turns", limit=10**30, tz="UTC").frame) == 3


@pytest.mark.parametrize("name", reports())
def test_a_report_knows_its_columns(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    for by in (None, reports()[name].by[0]):
        assert set(answer(connection, name, by=by, raw=True).frame.columns) <= set(reports()[name].columns)


@pytest.mark.parametrize(
    "options",
    [
        {"until": "9999-12-31"},
        {"until": "9999-12"},
        {"until": dt.date.max},
        {"until": dt.datetime.max.replace(tzinfo=dt.UTC), "tz": BERLIN},
        {"since": dt.date.min, "tz": BERLIN},
        {"since": "0001-01-01", "until": "9999-12-31T23:59:59.999999Z", "tz": "America/Denver"},
    ],
)
def test_a_window_may_reach_to_the_ends_of_the_calendar(connection: duckdb.DuckDBPyConnection, options: Options) -> None:
    assert answer(connection, "cost", **options).frame["output_tokens"].sum() == 24


def test_an_unknown_report_names_those_there_are(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown report 'costs'; did you mean 'cost'\? valid: runs, turns, cost, "):
        answer(connection, "costs")


def test_a_model_is_that_of_the_turn_or_subagent(connection: duckdb.DuckDBPyConnection) -> None:
    assert rows(connection, "tools", "tool_name", "calls", model="opus") == [("Bash", 3), ("mcp__db__query", 1)]
    assert rows(connection, "tools", model="haiku") == []
    assert rows(connection, "compactions", "compaction_no", model="op*") == [(1,), (2,)]
    assert rows(connection, "runs", "run_id", "turns", "tool_calls", "output_tokens", model="haiku") == [("r1", 0, 0, 1), ("r2", 0, 0, 3)]


NOW = dt.datetime(2026, 3, 29, 12, 0, tzinfo=ZoneInfo(BERLIN))  # the day on which Berlin's clocks go from 02:00 to 03:00


@pytest.mark.parametrize(
    ("when", "start", "end"),
    [
        ("today", "2026-03-28T23:00:00", "2026-03-29T22:00:00"),
        ("yesterday", "2026-03-27T23:00:00", "2026-03-28T23:00:00"),
        ("2d", "2026-03-26T23:00:00", "2026-03-27T23:00:00"),
        ("1w", "2026-03-21T23:00:00", "2026-03-22T23:00:00"),
        ("2026-W13", "2026-03-22T23:00:00", "2026-03-29T22:00:00"),
        ("2026-W13-2", "2026-03-23T23:00:00", "2026-03-24T23:00:00"),
        ("9999-12-31", "9999-12-30T23:00:00", "9999-12-31T23:59:59.999999"),
        (dt.date(1, 1, 1), "0001-01-01T00:00:00", "0001-01-01T23:06:32"),
        ("12h", "2026-03-28T22:00:00", "2026-03-28T22:00:00.000001"),
        ("2026-02", "2026-01-31T23:00:00", "2026-02-28T23:00:00"),
        ("2026-12", "2026-11-30T23:00:00", "2026-12-31T23:00:00"),
        ("2026-07-01", "2026-06-30T22:00:00", "2026-07-01T22:00:00"),
        (dt.date(2026, 7, 1), "2026-06-30T22:00:00", "2026-07-01T22:00:00"),
        ("2026-07-01T12:00", "2026-07-01T10:00:00", "2026-07-01T10:00:00.000001"),
        ("2026-07-01T12:00:00Z", "2026-07-01T12:00:00", "2026-07-01T12:00:00.000001"),
        ("2026-07-01 12:00:00+05:30", "2026-07-01T06:30:00", "2026-07-01T06:30:00.000001"),
        (dt.datetime(2026, 7, 1, tzinfo=dt.UTC), "2026-07-01T00:00:00", "2026-07-01T00:00:00.000001"),
    ],
)
def test_a_time_covers(when: str | dt.date, start: str, end: str) -> None:
    assert [moment.replace(tzinfo=None) for moment in span(when, NOW)] == [dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end)]


def test_this_machine_s_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", ":Asia/Tokyo")
    assert machine_zone() == "Asia/Tokyo"
    monkeypatch.setenv("TZ", "no zone at all")
    assert zone_of(machine_zone()).key == machine_zone()
