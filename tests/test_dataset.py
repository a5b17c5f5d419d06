"""Stores opened for reading: views and their description, the wall around `sql`, snapshots, and the catalog for other programs."""

from __future__ import annotations

import datetime as dt
import io
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest
from rows import Log, at, only, opened, part, switch, write_parts, write_store

import agentlog
from agentlog import render
from agentlog.dataset import schema, write_catalog, write_steps
from agentlog.dataset.definitions import column_type, public_names, views
from agentlog.dataset.steps import FOLDER, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentlog.dataset import Store


def busy(run_id: str = "run", source_path: str = "/archive/run.jsonl") -> Log:
    """A run with something in every view."""
    log = Log(run_id, source_path)
    log.add("session", cwd="/srv/demo", model="opus", seconds=0)
    log.add("prompt", uuid=f"u1-{run_id}", text="go", seconds=1)
    log.request(f"m1-{run_id}", seconds=2, i=10, r=100, w=5, o=1)
    log.call(f"c1-{run_id}", f"m1-{run_id}", given={"q": 1}, seconds=3)
    log.answer(f"c1-{run_id}", "error", seconds=4, text="no")
    log.add("api_retry", attempt=1, seconds=5)
    log.request(f"m2-{run_id}", seconds=6, i=20, o=2, usage_parts=[part(None, "compaction", i=7), part(None, "message", i=20)])
    log.call(f"c2-{run_id}", f"m2-{run_id}", given={"q": 1}, seconds=7)
    log.call(f"agent-1-{run_id}", f"m2-{run_id}", tool="Agent", seconds=7)
    log.add("subagent_start", tool_call_id=f"agent-1-{run_id}", subagent_type="Explore")
    log.request(f"s1-{run_id}", agent=f"agent-1-{run_id}", model="haiku", i=3, o=1)
    log.answer(f"c2-{run_id}", seconds=9)
    log.add("compaction", status="completed", trigger="auto", tokens_before=9)
    log.request(f"m2-{run_id}", i=20, o=50, is_final=True)  # a late line
    log.add("unmodelled", native_type="novel")
    log.broken()
    log.result(
        part("opus", i=40, r=100, w=5, o=60, usd=0.5), part("haiku", i=3, o=4, usd=0.25), usd=0.75, duration_ms=9000, reported_turns=3
    )
    return log


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return opened(tmp_path_factory.mktemp("busy"), busy(), busy("other", "/archive/other.jsonl"))


def rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    """The rows of a frame in an order that depends on nothing but them."""
    return sorted(frame.rows(), key=repr)


@pytest.mark.parametrize("name", sorted(views()))
def test_a_views_header_tells_its_columns(store: Store, name: str) -> None:
    columns = [row[0] for row in store.connection.sql(f"describe {name}").fetchall()]
    described = list(views()[name].columns)
    if name in {"_ordered", "_placed"}:  # they have the stored columns too
        described = [column for column in described if column != "*"]
        columns = columns[-len(described) :]
    assert described == columns if name != "events" else set(described) == set(columns)


@pytest.mark.parametrize("name", sorted(name for name, view in views().items() if view.kept_where is not None))
def test_a_step_about_something_rare_has_the_same_types_when_there_is_nothing(store: Store, name: str) -> None:
    store.connection  # noqa: B018 (all steps are made)
    types = {row[0]: row[1].lower() for row in store.connection.sql(f"describe ({views()[name].sql})").fetchall()}
    short = {"timestamp with time zone": "timestamptz"}
    assert {column: short.get(kind, kind) for column, kind in types.items()} == {
        column: column_type(column) for column in views()[name].columns
    }


def test_the_views_of_the_contract_are_there_with_their_grain(store: Store) -> None:
    frame = store.schema()
    assert frame.columns == ["view", "grain"]
    assert set(frame["view"]) == {
        *("sources", "events", "unreadable", "unmodelled", "runs", "requests", "usage", "turns", "tool_calls", "api_retries"),
        *("compactions", "subagents", "results", "reconciliation", "prices"),
    }
    assert all(grain.startswith("one row per ") for grain in frame["grain"])


@pytest.mark.parametrize("name", public_names())
def test_every_column_has_a_type_and_a_meaning(store: Store, name: str) -> None:
    frame = store.schema(name)
    assert frame.columns == ["column", "type", "unit", "meaning"]
    assert frame.height > 5
    assert frame["meaning"].null_count() == frame["type"].null_count() == 0
    assert frame["column"].to_list() == store.view(name).columns
    assert "HUGEINT" not in set(frame["type"])


def test_units_are_told_by_name(store: Store) -> None:
    units = dict(store.schema("turns").select("column", "unit").rows())
    assert (units["input_tokens"], units["duration_ms"], units["cost_usd"], units["started_at"]) == (
        "tokens",
        "milliseconds",
        "USD",
        "UTC time",
    )


def test_a_view_that_does_not_exist_is_named_with_those_that_do(store: Store) -> None:
    for ask in (store.view, store.schema):
        with pytest.raises(
            agentlog.UnknownNameError, match=r"^unknown view 'tuns'; did you mean 'turns'\? valid: runs, turns, requests, .*prices$"
        ):
            ask("tuns")


def test_steps_are_no_views(store: Store) -> None:
    with pytest.raises(agentlog.UnknownNameError):
        store.view("_calls")


def test_every_view_says_something(store: Store) -> None:
    assert [name for name in store.views() if store.view(name).is_empty()] == ["prices"]


def test_reports_agree_with_the_views(store: Store) -> None:
    cost = store.report("cost", by=["model"])
    assert dict(cost.select("model", "cost_usd").rows()) == {"opus": 1.0, "haiku": 0.5}
    assert store.report("tools", by=["tool_name"])["calls"].sum() == only(store, "(select count(*) as n from tool_calls)", "n")


@pytest.mark.parametrize(
    "query",
    [
        "from runs",
        "select count(*) from turns",
        "with a as (from usage) select * from a",
        "values (1), (2)",
        "describe runs",
        "summarize usage",
        "show tables",
        "show runs",
        "table runs",
        "from range(3)",
        "from (pivot usage on entry in ('request') using sum(output_tokens) group by run_id)",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) from n",
        "from runs, unnest(models) as m(model)",
        "from RUNS as r join Usage as u using (run_id);",
        'select "run_id" from main.runs -- ; drop table runs',
        "select * from information_schema.tables",
    ],
)
def test_reading_statements_run(store: Store, query: str) -> None:
    assert store.sql(query).height >= 1


def hostile(folder: Path, part_file: str) -> Iterator[str]:
    """Ways to write, to read something else, or to change the session."""
    target = f"{folder}/stolen"
    yield from (
        f"copy runs to '{target}'",
        f"copy (select 1) to '{part_file}' (use_tmp_file false)",
        f"with a as (copy (select 1) to '{part_file}' (use_tmp_file false)) from a",
        f"from (with a as (copy (select 1) to '{target}') from a)",
        f"select (with a as (copy (select 1) to '{target}') select 1)",
        "with a as (insert into sources values (1)) from a",
        "with a as (delete from _run_sources returning *) from a",
        "insert into _run_sources select 1",
        "create table t as select 1",
        "drop view runs",
        f"attach '{target}'",
        f"export database '{target}'",
        f"explain analyze copy runs to '{target}'",
        "set threads = 1",
        "set TimeZone = 'Asia/Tokyo'",
        "reset enable_external_access",
        "pragma database_list",
        "call enable_logging()",
        f"from enable_logging(storage = 'file', storage_path = '{target}')",
        f"from enable_profiling(format = 'json', save_location = '{target}')",
        "from checkpoint()",
        f"from query('copy runs to ''{target}''')",
        f"from read_parquet('{part_file}')",
        f"from '{part_file}'",
        "from read_text('/etc/hostname')",
        "from read_csv('/etc/passwd')",
        "from '/etc/passwd'",
        "from glob('/etc/*')",
        "from parquet_metadata('/etc/passwd')",
        "from read_duckdb('/etc/passwd')",
        "from 'http://127.0.0.1:9/x.parquet'",
        "from secret_frame",
        "install httpfs",
        "load httpfs",
        "select 1; select 2",
        "begin",
        "",
        "pivot usage on entry",
        "select getenv('HOME')",
    )


def test_nothing_but_the_views_can_be_read_and_nothing_written(tmp_path: Path) -> None:
    store = opened(tmp_path, busy())
    secret_frame = pl.DataFrame({"secret": [1]})  # a variable of the caller is no table
    store.sql("from runs")
    before = {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))}
    part_file = next(path for path in before if path.parent.name == "events" and path.suffix == ".parquet")
    for query in hostile(tmp_path, str(part_file)):
        try:
            got = store.sql(query)
        except agentlog.QueryError as error:
            assert "\n" not in str(error), query  # noqa: PT017 (which query ran is what matters)
        else:
            pytest.fail(f"{query} gave {got}")
    assert {path: path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*"))} == before
    assert store.sql("select current_setting('TimeZone')").item() == "UTC"
    assert store.sql("select count(*) from runs").item() == 1
    assert secret_frame.height == 1


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from tuns", "unknown view 'tuns'; did you mean 'turns'? valid: runs, turns, requests,"),
        ("from nothing_like_it", "unknown view 'nothing_like_it'; valid: runs, turns, requests,"),
        ("select turn_nr, model from turns", "unknown column 'turn_nr'; did you mean 'turn_no'? turns has run_id, turn_no, model,"),
        ("select r.nme from runs as r", "unknown column 'nme'; did you mean 'name'? runs has run_id, name,"),
        ("select nme from (values (1)) as t(x)", "unknown column 'nme'"),
        ("select '\ud800'", "the query is no UTF-8"),
        ("select 1 +", "syntax error at or near"),
        ("select nosuch(1)", "nosuch does not exist"),
        ("select cast('x' as integer)", "Could not convert string 'x' to INT32"),
        ("select " + "(" * 5000 + "1" + ")" * 5000, ""),
    ],
)
def test_what_is_wrong_with_a_query_is_told_in_one_line(store: Store, query: str, words: str) -> None:
    with pytest.raises(agentlog.QueryError) as caught:
        store.sql(query)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("views_read", "named"), [("runs", 18), ("runs, turns", 18), ("runs, turns, usage, tool_calls", 16)])
def test_an_error_lists_few_columns(store: Store, views_read: str, named: int) -> None:
    with pytest.raises(agentlog.QueryError) as caught:
        store.sql(f"select zzz from {views_read}")
    lists = [part.split(" has ")[1].split(", and ")[0].split(", ") for part in str(caught.value).split("; ")[1:]]
    assert sum(map(len, lists)) == named
    assert re.search(r"runs has .*, and \d+ more", str(caught.value))


def test_show_tables_lists_the_views(store: Store) -> None:
    assert store.sql("show tables;")["name"].to_list() == sorted(store.views())


@pytest.mark.parametrize("query", [None, 5, b"select 1"])
def test_a_query_is_text(store: Store, query: object) -> None:
    with pytest.raises(TypeError, match=r"^query is .*; it may be text$"):
        store.sql(query)  # type: ignore[arg-type]


def test_what_the_views_are_needs_no_store(store: Store) -> None:
    for name in (None, "turns"):
        assert schema(name).equals(store.schema(name))


def test_values_of_a_query_are_bound(store: Store) -> None:
    assert store.sql("select $1 || '!' as said", ["it's"]).item() == "it's!"
    assert store.sql("select count(*) from runs where run_id = $run", {"run": "other"}).item() == 1
    with pytest.raises(agentlog.QueryError):
        store.sql("select $1")


def test_whole_numbers_stay_whole_at_any_width(store: Store) -> None:
    frame = store.sql(
        "select sum(turn_no) as small, 9223372036854775807::hugeint + 1 as wide, 1.25 as fraction, [1::hugeint] as inside from turns"
    )
    assert frame.schema == {"small": pl.Int64, "wide": pl.Int128, "fraction": pl.Float64, "inside": pl.List(pl.Int128)}
    assert frame["wide"].item() == 2**63
    assert not isinstance(frame["fraction"].item(), Decimal)


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ("'infinity'::timestamptz", "infinity"),
        ("'-infinity'::timestamp", "-infinity"),
        ("timestamptz '290000-01-01 00:00:00+00'", "290000-01-01 00:00:00+00"),
        ("timestamp '0044-03-15 (BC) 12:00:00'", "0044-03-15 (BC) 12:00:00"),
        ("date '10000-01-01'", "10000-01-01"),
        ("date '9999-12-31'", dt.date(9999, 12, 31)),
        ("timestamptz '0001-01-01 00:00:00+00'", dt.datetime(1, 1, 1, tzinfo=dt.UTC)),
        ("'infinity'::timestamp_s", "infinity"),
        ("timestamp_ns '2026-01-01 00:00:00.123456789'", "2026-01-01 00:00:00.123456789"),
        ("interval '1 year 2 days 3 hours'", "1 year 2 days 03:00:00"),
        ("'24:00:00'::time", "24:00:00"),
        ("'12:00:00+02'::timetz", "12:00:00+02"),
        ("'101'::bit", "101"),
        ("'a'::enum('a', 'b')", "a"),
        ("union_value(n := 2)", "2"),
        ("123::bignum", "123"),
        ("340282366920938463463374607431768211455::uhugeint", str(2**128 - 1)),
        ("170141183460469231731687303715884105727::hugeint", 2**127 - 1),
        ("'{\"a\":1}'::variant", '{"a":1}'),
        ("'POINT (1 2)'::geometry", "POINT (1 2)"),
        ("'\\xAA'::blob", b"\xaa"),
        ("{}", "{}"),
        ("row(1, interval 1 day)", "(1, 1 day)"),
        ("[1, 2]::int[2]", [1, 2]),
        ("[['infinity'::date]]", [["infinity"]]),
        ("[date '2026-01-01', null]", [dt.date(2026, 1, 1), None]),
        ("{'a b\"c': interval 1 day, 'd': [1::hugeint]}", {'a b"c': "1 day", "d": [1]}),
        ("[union_value(n := 2)]", ["2"]),
        ("map {1: {'at': 'infinity'::timestamp, 'n': 1.5}}", {"1": {"at": "infinity", "n": 1.5}}),
        ("map {'a': 5::hugeint}", {"a": 5}),
        ("map {'a': date '2026-01-01'}", {"a": "2026-01-01"}),
        ("null", None),
    ],
)
def test_a_value_of_any_type_can_be_shown_and_written(store: Store, value: str, given: object) -> None:
    frame = store.sql(f"select x, 1 as x from (values (({value})), (null)) as t(x)")
    assert frame.to_series(0).to_list() == [given, None]
    for form in render.FORMATS:
        out = io.BytesIO()
        render.write(frame, form, out, zone="America/Denver")
        assert out.getvalue()


def test_times_are_utc_whatever_the_machines_zone(tmp_path: Path) -> None:
    write_store(tmp_path / "store", busy())
    program = "import agentlog, sys; print(agentlog.open(sys.argv[1]).sql('select started_at::varchar from runs').item())"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "store")],
        env={**os.environ, "TZ": "Asia/Tokyo"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "2026-06-01 10:00:00+00"


@pytest.mark.parametrize("name", ["plain", "with 'quotes'", "with * and ? and [x]", "day=1"])
def test_stores_may_lie_anywhere(tmp_path: Path, name: str) -> None:
    path = write_store(tmp_path / name / "store", busy())
    write_steps((path / "current").resolve())
    write_catalog(path)
    assert only(agentlog.open(path), "runs", "turns") == 2
    assert len(agentlog.open(path).view("events")) == len(busy().events)
    with duckdb.connect(str(path / "agentlog.duckdb"), read_only=True) as catalog:
        assert catalog.execute("select turns from runs").fetchall() == [(2,)]


def test_the_store_is_the_one_given_or_of_the_environment_or_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_store(tmp_path / ".agentlog", Log("here", "/a.jsonl"), busy("here"))
    write_store(tmp_path / "other", busy("there"))
    monkeypatch.chdir(tmp_path)
    assert only(agentlog.open(), "runs", "run_id") == "here"
    monkeypatch.setenv("AGENTLOG_STORE", str(tmp_path / "other"))
    assert only(agentlog.open(), "runs", "run_id") == "there"
    with pytest.raises(agentlog.StoreError, match="nowhere"):
        agentlog.open(tmp_path / "nowhere")
    with pytest.raises(agentlog.StoreError, match=r"^'a\\x00b' cannot be the path of a store: it holds a NUL$"):
        agentlog.open("a\0b")


def publish(path: Path, number: int, *logs: Log) -> None:
    """The next state of a store."""
    parts = path / "generations" / str(number)
    write_parts(parts, [event for log in logs for event in log.events], [], [log.source() for log in logs])
    (parts / "store.json").write_bytes((path / "current" / "store.json").read_bytes())
    switch(path, number)


def test_a_store_sees_the_state_that_it_was_opened_in(tmp_path: Path) -> None:
    path = write_store(tmp_path / "store", busy())
    store = agentlog.open(path)
    publish(path, 2, busy("new"))
    assert store.sql("select run_id from runs").item() == "run"
    assert store.view("runs")["run_id"].item() == "run"
    assert agentlog.open(path).sql("select run_id from runs").item() == "new"


def test_a_store_that_was_overtaken_says_so_in_one_line(tmp_path: Path) -> None:
    path = write_store(tmp_path / "store", busy())
    store = agentlog.open(path)
    store.sql("select 1")
    publish(path, 2, busy("new"))
    shutil.rmtree(path / "generations" / "1")
    said = rf"^the store {path} has been published anew since it was opened; open it again$"
    for ask in (lambda: store.view("events"), lambda: store.sql("from events"), lambda: store.connection, lambda: store.report("cost")):
        with pytest.raises(agentlog.StoreError, match=said):
            ask()


def test_the_session_of_the_connection_is_utc_and_has_all_views(store: Store) -> None:
    assert store.connection.execute("select current_setting('TimeZone')").fetchall() == [("UTC",)]
    names = {row[0] for row in store.connection.execute("select view_name from duckdb_views() where not internal").fetchall()}
    assert set(store.views()) <= names


def test_a_closed_store_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path, busy()) as store:
        store.view("runs")
        store.sql("from runs")
    with pytest.raises(duckdb.ConnectionException):
        store.view("runs")


def test_views_say_the_same_from_kept_steps(tmp_path: Path) -> None:
    path = write_store(tmp_path / "store", busy(), busy("other", "/b.jsonl"))
    assert steps_of(path / "current") == {}
    computed = {name: rows(agentlog.open(path).view(name)) for name in public_names()}
    write_steps((path / "current").resolve())
    assert steps_of(path / "current")
    assert {name: rows(agentlog.open(path).view(name)) for name in public_names()} == computed
    assert agentlog.open(path).sql("select sum(output_tokens) from usage").item() == 128
    assert {oct(file.stat().st_mode & 0o777) for file in (path / "current" / FOLDER).iterdir()} == {"0o600"}


def test_kept_steps_of_other_view_files_are_not_used(tmp_path: Path) -> None:
    path = write_store(tmp_path / "store", busy())
    write_steps((path / "current").resolve())
    (path / "current" / FOLDER / "fingerprint").write_text("of another version")
    assert steps_of(path / "current") == {}
    assert only(agentlog.open(path), "runs", "turns") == 2


@pytest.mark.parametrize("has_steps", [True, False])
def test_the_catalog_has_the_same_rows_in_any_time_zone(tmp_path: Path, *, has_steps: bool) -> None:
    path = write_store(tmp_path / "store", busy())
    if has_steps:
        write_steps((path / "current").resolve())
    write_catalog(path)
    assert oct((path / "agentlog.duckdb").stat().st_mode & 0o777) == "0o600"
    store = agentlog.open(path)
    with duckdb.connect(str(path / "agentlog.duckdb"), read_only=True) as catalog:
        for zone in ("Asia/Tokyo", "America/Denver"):
            catalog.execute(f"set TimeZone = '{zone}'")
            for name in public_names():
                frame = catalog.sql(f"from {name}").pl()
                times = [column for column in frame.columns if isinstance(frame.schema[column], pl.Datetime)]
                assert rows(frame.with_columns(pl.col(times).dt.convert_time_zone("UTC"))) == rows(store.view(name)), name


def test_the_catalog_follows_a_publish_and_is_written_over_a_torn_one(tmp_path: Path) -> None:
    path = write_store(tmp_path / "store", busy())
    (path / "agentlog.duckdb").write_bytes(b"torn")
    (path / "agentlog.duckdb.wal").write_bytes(b"left over")
    (path / ".agentlog.duckdb-dead").write_bytes(b"of a killed ingest")
    write_catalog(path)
    assert sorted(entry.name for entry in path.iterdir()) == [
        "agentlog.duckdb",
        "current",
        "events",
        "generations",
        "sources",
        "unreadable",
    ]
    publish(path, 2, busy("new"))
    with duckdb.connect(str(path / "agentlog.duckdb"), read_only=True) as catalog:
        assert catalog.execute("select run_id, started_at at time zone 'UTC' from runs").fetchall() == [("new", at(0).replace(tzinfo=None))]
    assert catalog_comment(path) == views()["runs"].grain


def catalog_comment(path: Path) -> str:
    with duckdb.connect(str(path / "agentlog.duckdb"), read_only=True) as catalog:
        ((comment,),) = catalog.execute("select comment from duckdb_views() where view_name = 'runs'").fetchall()
    return str(comment)
