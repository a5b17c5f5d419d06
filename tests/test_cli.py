"""The command line on the sample data: output, exit codes, errors in one line, and what Python gives for the same question."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl
import pytest

import agentlog
import agentlog.dataset
from agentlog import render
from agentlog.cli import run
from agentlog.cli.ingest import LOCK_TIMEOUT as LOCK_TIMEOUT_OF_THE_COMMAND
from agentlog.ingest import LOCK_TIMEOUT
from agentlog.reports import reports

if TYPE_CHECKING:
    from collections.abc import Callable

REPORTS = list(reports())
SESSION = {"session_id": "s\x1b]0;owned\x07"}
CALL = {"type": "tool_use", "id": "t1", "name": "Ba\x1b[2Jsh\0", "input": {"command": "CANARY"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "CANARY"}
ANSWER = {
    "id": "m1",
    "role": "assistant",
    "model": "=cmd|x",
    "content": [CALL, {"type": "text", "text": "CANARY"}],
    "usage": {"output_tokens": 2},
}
HOSTILE = (
    SESSION | {"type": "system", "subtype": "init", "cwd": "/srv/demo\r\nTOTAL  $0.00", "model": "=cmd|x"},
    SESSION | {"type": "assistant", "message": ANSWER},
    SESSION | {"type": "user", "message": {"role": "user", "content": [RESULT]}},
)


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def cli(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Done]:
    def call(*arguments: str | Path) -> Done:
        code = run([str(argument) for argument in arguments])
        sys.stdout.flush()
        captured = capfdbinary.readouterr()
        return Done(code, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture
def sample_cli(cli: Callable[..., Done], sample_store: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    monkeypatch.setenv("AGENTLOG_STORE", str(sample_store))
    return cli


@pytest.fixture(scope="module")
def hostile_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "=run.jsonl").write_text("\n".join([*map(json.dumps, HOSTILE), "CANARY is no JSON"]), encoding="utf-8")
    agentlog.ingest([folder / "=run.jsonl"], folder / "store")
    return folder / "store"


def test_help_imports_click_only() -> None:
    code = (
        "import sys\n"
        "from agentlog.cli import run\n"
        "run(sys.argv[1:])\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)), file=sys.stderr)"
    )
    for arguments in (["--help"], ["cost", "--help"], ["ingest", "--help"]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        loaded = {name for name in json.loads(done.stderr.replace("'", '"')) if not name.startswith("_") and name != "sitecustomize"}
        assert loaded - {"coverage"} == {"agentlog", "click"}


def test_importing_the_package_imports_nothing() -> None:
    code = "import sys, agentlog; dir(agentlog); print(*(n for n in sys.modules if n.startswith('agentlog.') or n in ('duckdb', 'polars', 'pyarrow')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_the_function_ingest_is_never_replaced_by_its_module() -> None:
    assert agentlog.ingest.__name__ == "ingest"
    assert callable(agentlog.ingest)
    assert set(agentlog.__all__) <= set(dir(agentlog))
    assert all(getattr(agentlog, name) is not None for name in agentlog.__all__)
    with pytest.raises(AttributeError, match="module 'agentlog' has no attribute 'ingset'"):
        agentlog.ingset  # noqa: B018


def test_the_installed_command_runs(command: str, sample_store: Path) -> None:
    done = subprocess.run(
        [command, "sql", "select count(*) as runs from runs", "--store", sample_store, "--format", "csv"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"runs\n13\n", b"")


def test_the_module_runs(sample_store: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "agentlog", "--version"], capture_output=True, text=True, check=False, cwd=sample_store)
    assert (done.returncode, done.stdout) == (0, f"agentlog {agentlog.__version__}\n")


@pytest.mark.parametrize("name", ["ingest", "sql", "schema", "completion", *REPORTS])
def test_every_help_has_an_example(cli: Callable[..., Done], name: str) -> None:
    done = cli(name, "--help")
    assert done.code == 0
    assert f"Example: agentlog {name}" in done.out


@pytest.mark.parametrize("name", REPORTS)
def test_an_example_is_a_command_that_can_be_read(cli: Callable[..., Done], sample_store: Path, name: str) -> None:
    program, *arguments = shlex.split(reports()[name].example)
    assert program == "agentlog"
    assert cli(*arguments, "--store", sample_store).code == 0


@pytest.mark.parametrize("name", REPORTS)
def test_a_command_gives_what_python_gives(cli: Callable[..., Done], sample_store: Path, tmp_path: Path, name: str) -> None:
    frame = agentlog.open(sample_store).report(name, tz="UTC")
    assert cli(name, "--store", sample_store, "-o", tmp_path / "rows.parquet").out == ""
    assert pl.read_parquet(tmp_path / "rows.parquet").equals(frame)
    given = cli(name, "--store", sample_store, "--format", "json")
    assert given.code == 0
    assert [list(row) for row in json.loads(given.out)] == [frame.columns] * len(frame)


def test_totals_agree_for_every_grouping(cli: Callable[..., Done], sample_store: Path) -> None:
    columns = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "cost_usd")

    def totals(name: str, *by: str) -> dict[str, float]:
        rows = json.loads(cli(name, *by, "--store", sample_store, "--format", "json", "--tz", "Asia/Tokyo").out)
        return {column: sum(row[column] or 0 for row in rows) for column in columns}

    expected = totals("runs")
    for by in ("run_id", "session_id", "project", "harness", "model", "day", "week", "month", "hour"):
        assert totals("cost", "--by", by) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["runs", "cost", "unreadable"])
def test_no_data_is_an_empty_array(cli: Callable[..., Done], sample_store: Path, name: str) -> None:
    done = cli(name, "--store", sample_store, "--project", "nowhere", "--format", "json")
    note = "no project matches 'nowhere'; a pattern is a glob for the whole name, such as '*nowhere*'"
    assert done == (0, "[]\n", f"no rows\n{note}\n")


@pytest.mark.parametrize("name", REPORTS)
def test_no_report_prints_what_a_transcript_says(hostile_store: Path, name: str) -> None:
    given = agentlog.open(hostile_store).answer(name)
    for form in ("table", "markdown", "csv", "json", "ndjson"):
        out = io.BytesIO()
        render.write(given.frame, form, out, totals=given.totals)
        assert "CANARY" not in out.getvalue().decode()
        assert not {"\x1b", "\x07", "\0"} & set(out.getvalue().decode())


def test_a_raw_line_is_printed_where_it_was_asked_for(cli: Callable[..., Done], hostile_store: Path) -> None:
    assert "CANARY is no JSON" in cli("unreadable", "--raw", "--store", hostile_store).out
    assert cli("runs", "--raw", "--store", hostile_store).code == 2


def test_names_of_a_transcript_cannot_act(cli: Callable[..., Done], hostile_store: Path) -> None:
    assert "Ba\\x1b[2Jsh\\x00" in cli("tools", "--store", hostile_store).out
    assert "\n'=cmd|x," in cli("cost", "--store", hostile_store, "--format", "csv").out
    assert "| =cmd\\|x |" in cli("cost", "--store", hostile_store, "--format", "markdown").out
    assert json.loads(cli("tools", "--store", hostile_store, "--format", "json").out)[0]["tool_name"] == "Ba\x1b[2Jsh\0"


def test_columns_is_the_width_of_a_table(cli: Callable[..., Done], sample_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = cli("runs", "--store", sample_store).out
    for width in (80, 140):
        monkeypatch.setenv("COLUMNS", str(width))
        printed = cli("runs", "--store", sample_store).out
        assert max(map(len, printed.splitlines())) <= width < max(map(len, whole.splitlines()))
        assert "\x1b" not in printed


def test_a_limit_says_what_it_left_out(cli: Callable[..., Done], sample_store: Path) -> None:
    done = cli("runs", "--store", sample_store, "--limit", "2", "--format", "csv")
    assert (done.out.count("\n"), done.err) == (3, "2 of 13 rows; --limit 0 shows all\n")
    assert "\ntotal of 13  " in cli("runs", "--store", sample_store, "--limit", "2").out
    assert "\ntotal  " in cli("runs", "--store", sample_store).out
    assert cli("turns", "--store", sample_store, "--limit", "0", "--format", "csv").err == ""


def test_a_table_names_the_zone_of_its_times(cli: Callable[..., Done], sample_store: Path) -> None:
    assert cli("runs", "--store", sample_store, "--tz", "Asia/Tokyo").err == "times are in Asia/Tokyo\n"
    assert "2026-06-01 18:00:07" in cli("runs", "--store", sample_store, "--tz", "Asia/Tokyo").out


def test_sql_of_an_argument_and_of_stdin(cli: Callable[..., Done], sample_store: Path, command: str) -> None:
    query = "select 170141183460469231731687303715884105727::hugeint as wide, sum(turns) as turns from runs"
    assert (
        cli("sql", query, "--store", sample_store, "--format", "json").out
        == '[\n{"wide":170141183460469231731687303715884105727,"turns":39}\n]\n'
    )
    done = subprocess.run(
        [command, "sql", "-", "--store", sample_store, "--format", "csv"], input=query.encode(), capture_output=True, check=True
    )
    assert done.stdout == b"wide,turns\n170141183460469231731687303715884105727,39\n"


def test_a_limit_of_any_size_is_all(cli: Callable[..., Done], sample_store: Path) -> None:
    for command in (("runs",), ("sql", "from runs"), ("schema",)):
        assert cli(*command, "--store", sample_store, "--limit", "9" * 30, "--format", "csv").code == 0


def test_a_table_in_a_file_has_all_rows(cli: Callable[..., Done], sample_store: Path, tmp_path: Path) -> None:
    query = "select * from range(60)"
    assert cli("sql", query, "--store", sample_store).out.count("\n") == 52
    assert cli("sql", query, "--store", sample_store, "-o", "-").out.count("\n") == 52
    cli("sql", query, "--store", sample_store, "-o", tmp_path / "rows.txt")
    assert (tmp_path / "rows.txt").read_text(encoding="utf-8").count("\n") == 62


def test_schema_needs_no_store_and_cuts_nothing(cli: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in ((), ("events",)):
        done = cli("schema", *arguments)
        assert (done.code, done.err) == (0, "")
        prose = agentlog.dataset.schema(*arguments).to_series(-1)
        assert set(" ".join(prose).split()) <= set(done.out.split())
        assert max(map(len, done.out.splitlines())) <= 80


def test_schema(cli: Callable[..., Done], sample_store: Path) -> None:
    assert {"view": "turns", "grain": "one row per turn: one request of the main loop with the tool calls it made"} in json.loads(
        cli("schema", "--store", sample_store, "--format", "json").out
    )
    columns = json.loads(cli("schema", "api_retries", "--store", sample_store, "--format", "json").out)
    assert {"column": "delay_ms", "type": "DOUBLE", "unit": "milliseconds"}.items() <= columns[5].items()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(cli: Callable[..., Done], shell: str) -> None:
    done = cli("completion", shell)
    assert done.code == 0
    assert "_AGENTLOG_COMPLETE" in done.out


def test_by_is_completed(command: str) -> None:
    words = {"COMP_WORDS": "agentlog cost --by day,mod", "COMP_CWORD": "3", "_AGENTLOG_COMPLETE": "bash_complete"}
    done = subprocess.run([command], env=os.environ | words, capture_output=True, text=True, check=True)
    assert done.stdout == "plain,day,model\n"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("schema", "tu"), ["turns"]),
        (("cost", "--sort", "cost_u"), ["cost_usd"]),
        (("turns", "--sort", "model,-out"), ["model,-outcome", "model,-output_tokens"]),
    ],
)
def test_views_and_columns_are_completed(command: str, typed: tuple[str, ...], offered: list[str]) -> None:
    words = {"COMP_WORDS": shlex.join(("agentlog", *typed)), "COMP_CWORD": str(len(typed)), "_AGENTLOG_COMPLETE": "bash_complete"}
    done = subprocess.run([command], env=os.environ | words, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"plain,{name}" for name in offered]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("cost", "--by", "modle"), 1, "error: unknown column to group by 'modle'; did you mean 'model'? valid: model, native_model, "),
        (
            ("cost", "--sort", "costs_usd"),
            1,
            "error: unknown column to sort by 'costs_usd'; did you mean 'cost_usd'? valid: model, cost_usd, ",
        ),
        (("cost", "--tz", "Nowhere"), 1, "error: unknown time zone 'Nowhere'; use an IANA name "),
        (("cost", "--since", "soon"), 1, "error: cannot read the time 'soon'; write it as "),
        (("schema", "runz"), 1, "error: unknown view 'runz'; did you mean 'runs'? valid: runs, turns, "),
        (("sql", "select nme from runs"), 1, "error: unknown column 'nme'; did you mean 'name'? runs has run_id, name, "),
        (("sql", "from runz"), 1, "error: unknown view 'runz'; did you mean 'runs'? valid: runs, turns, "),
        (("sql", "select '\udcff'"), 1, "error: the query is no UTF-8"),
        (("cost", "--run", "\udcff"), 1, "error: run is '\\udcff', which is no UTF-8"),
        (("cost", "--by", ""), 2, "error: Invalid value for '--by': the name of a column is missing"),
        (("cost", "--by", "model,"), 2, "error: Invalid value for '--by': the name of a column is missing"),
        (("cost", "--sort", ",,"), 2, "error: Invalid value for '--sort': the name of a column is missing"),
        (("cost", "-o", ""), 2, "error: -o needs the name of a file, or - for stdout (see agentlog cost --help)"),
        (("cost", "-o", "cost.xlsx"), 2, "error: cannot tell a format from the ending '.xlsx'; give --format, or one of .txt, .json, "),
        (("ingest", ".", "--lock-timeout", "nan"), 2, "error: Invalid value for '--lock-timeout': nan is no number of seconds"),
        (("sql", "drop table runs"), 1, "error: sql runs one reading statement"),
        (("cost", "-o", "no/such/folder/x.csv"), 1, "error: no/such/folder/x.csv: No such file or directory"),
        (("costs",), 2, "error: No such command 'costs'. Did you mean 'cost'? (see agentlog --help)"),
        (("cost", "--modle", "x"), 2, "error: No such option '--modle'. "),
        (("cost", "--format", "html"), 2, "error: Invalid value for '--format': "),
        (("cost", "--limit", "-1"), 2, "error: Invalid value for '--limit': "),
        (("ingest",), 2, "error: Missing argument 'PATH...'. (see agentlog ingest --help)"),
    ],
)
def test_an_error_is_one_line(sample_cli: Callable[..., Done], arguments: tuple[str, ...], code: int, message: str) -> None:
    done = sample_cli(*arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(message)
    assert done.err.count("\n") == 1


def test_without_a_store_the_error_says_what_to_run(cli: Callable[..., Done], tmp_path: Path) -> None:
    done = cli("cost", "--store", tmp_path / "none")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"error: there is no store at {tmp_path / 'none'}; `agentlog ingest PATH")


def test_an_error_quotes_nothing_that_acts(cli: Callable[..., Done], tmp_path: Path) -> None:
    assert (
        cli("ingest", tmp_path / "a\x1b[2Jb", "--store", tmp_path / "store").err
        == f"error: {tmp_path}/a\\x1b[2Jb: No such file or directory\n"
    )


def test_ingest_tells_what_it_did(cli: Callable[..., Done], sample_data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "notes.txt").write_text("hello\n", encoding="utf-8")
    (folder / "run.jsonl").write_bytes((sample_data / "claude" / "damaged_lines.jsonl").read_bytes())
    done = cli("ingest", folder, "--store", tmp_path / "store")
    assert (done.code, done.out) == (0, "")
    lines = done.err.splitlines()
    assert lines[0] == f"unsupported: {folder / 'notes.txt'}: no JSON object in it"
    assert lines[1] == "2 files: 2 new; of them 1 unsupported"
    assert ", 5 unreadable lines, 5 repaired, " in lines[2]
    assert lines[2].endswith(" of unmodelled types; see agentlog unreadable")
    assert re.fullmatch(rf"2 files with \d+\.\d kB read in \d+\.\d s into {tmp_path}/store", lines[3])
    again = cli("ingest", folder, "--store", tmp_path / "store", "--strict")
    assert again == (0, "", f"2 files: 2 unchanged; of them 1 unsupported\nnothing new to read into {tmp_path}/store\n")


def test_ingest_tells_of_one_file_and_of_none(cli: Callable[..., Done], sample_data: Path, tmp_path: Path) -> None:
    assert cli("ingest", sample_data / "claude" / "healthy.jsonl", "--store", tmp_path / "store").err.startswith("1 file: 1 new\n")
    (tmp_path / "in").mkdir()
    assert cli("ingest", tmp_path / "in", "--store", tmp_path / "store").err.startswith(f"no files below {tmp_path}/in\n")


def test_ingest_finds_the_session_files_of_claude(cli: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "mine"))
    none = cli("ingest", "--claude", "--store", tmp_path / "store")
    assert none.code == 1
    assert none.err == (
        f"error: no session files of Claude Code: there is no {tmp_path}/mine/projects and no {tmp_path}/.claude/projects "
        f"and no {tmp_path}/.config/claude/projects\n"
    )
    for folder, session in (("mine", "s1"), (".claude", "s2"), (".config/claude", "s3")):
        path = tmp_path / folder / "projects/-srv/x.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(
            json.dumps({"type": "user", "uuid": session, "sessionId": session, "version": "2", "message": {"content": session}})
        )
    done = cli("ingest", "--claude", "--store", tmp_path / "store", "--format", "json")
    assert (done.code, json.loads(done.out)["files_found"]) == (0, 3)


def test_ingest_as_data_and_the_strict_gate(cli: Callable[..., Done], sample_data: Path, tmp_path: Path) -> None:
    done = cli("ingest", sample_data / "claude" / "damaged_lines.jsonl", "--store", tmp_path, "--strict", "--format", "json")
    report = json.loads(done.out)
    assert done.code == 3
    assert (report["new"], report["unreadable_lines"], report["repaired_lines"], report["problems"]) == (1, 5, 5, [])
    healthy = cli("ingest", sample_data / "claude" / "healthy.jsonl", "--store", tmp_path / "other", "--strict")
    assert healthy.code == 0


def test_a_long_list_of_problems_is_cut(cli: Callable[..., Done], tmp_path: Path) -> None:
    for number in range(23):
        (tmp_path / f"{number:02}.txt").write_text("hello\n", encoding="utf-8")
    lines = cli("ingest", tmp_path, "--store", tmp_path.parent / "cut").err.splitlines()
    assert lines[19].startswith(f"unsupported: {tmp_path / '19.txt'}: ")
    assert lines[20:22] == ["and 3 more; see agentlog sources", "23 files: 23 new; of them 23 unsupported"]


def test_the_default_of_lock_timeout_is_the_library_s() -> None:
    assert LOCK_TIMEOUT_OF_THE_COMMAND == LOCK_TIMEOUT


def test_a_file_s_ending_is_its_format(cli: Callable[..., Done], sample_store: Path, tmp_path: Path) -> None:
    for ending, beginning in ((".csv", "model,"), (".json", "[\n{"), (".ndjson", "{"), (".md", "| model |"), (".txt", "   ")):
        assert cli("cost", "--store", sample_store, "-o", tmp_path / f"cost{ending}").out == ""
        assert (tmp_path / f"cost{ending}").read_text(encoding="utf-8").startswith(beginning)


def test_a_reader_that_leaves_early_is_no_fault(command: str, sample_store: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([command, "turns", "--store", sample_store], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr.decode()) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(command: str, sample_store: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([command, "turns", "--store", sample_store], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.decode()) == (1, "error: No space left on device\n")


def test_an_interrupt_is_quiet(cli: Callable[..., Done], sample_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_store: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(agentlog, "open", interrupted)
    done = cli("cost", "--store", sample_store)
    assert (done.code, done.out, done.err.strip()) == (130, "", "")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_terminal_sees_a_bar_that_goes_away(command: str, sample_data: Path, tmp_path: Path) -> None:
    reading, writing = os.openpty()
    with subprocess.Popen([command, "ingest", sample_data / "claude", "--store", tmp_path / "store"], stderr=writing) as process:
        os.close(writing)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says that the other end is closed with an error
            while part := os.read(reading, 65536):
                shown += part
    os.close(reading)
    assert process.returncode == 0
    assert b"0 of 14 files" in shown
    assert b"\x1b[2K" in shown.partition(b"14 files: 14 new")[0]
