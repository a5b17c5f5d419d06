"""Files of a store that are missing, damaged or cannot be written: one line that names the file, and nothing left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import agentlog
from agentlog.cli import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentlog.dataset import Store


def torn(file: Path) -> None:
    """Without its end."""
    file.write_bytes(file.read_bytes()[:-20])


def empty(file: Path) -> None:
    """With nothing in it."""
    file.write_bytes(b"")


def overwritten(file: Path) -> None:
    """With other bytes for its data and a part of its description, about which DuckDB does not say in which file it found them."""
    data = file.read_bytes()
    file.write_bytes(data[:100] + bytes(byte ^ 0x5A for byte in data[100:-2000]) + data[-2000:])


ASKED = {
    "report": lambda store: store.report("cost"),
    "view": lambda store: store.view("unreadable"),
    "sql": lambda store: store.sql("from runs, events, unreadable"),
    "connection": lambda store: store.connection.sql("from events"),
}


@pytest.fixture
def damaged(sample_store: Path, tmp_path: Path) -> Callable[[str, Callable[[Path], object]], Path]:
    """A copy of the sample store in which something was done to the largest file of a table; that file."""

    def damage(table: str, done: Callable[[Path], object]) -> Path:
        shutil.copytree(sample_store, tmp_path / "store", symlinks=True)
        files = (tmp_path / "store" / "current").resolve().joinpath(table).glob("*.parquet")
        file = max(files, key=lambda path: path.stat().st_size)
        done(file)
        return file

    return damage


@pytest.mark.parametrize("done", [torn, empty, overwritten])
@pytest.mark.parametrize("table", ["events", "unreadable", "sources"])
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_damaged_part_is_named(
    damaged: Callable[..., Path], tmp_path: Path, table: str, done: Callable[[Path], object], ask: Callable[[Store], object]
) -> None:
    file = damaged(table, done)
    with pytest.raises(agentlog.StoreError) as caught:
        ask(agentlog.open(tmp_path / "store"))
    assert str(caught.value).startswith(f"cannot read {file}: ")
    assert str(caught.value).endswith("; `agentlog ingest --force PATH…` reads all sources again")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("done", [torn, Path.unlink])
def test_a_kept_step_that_cannot_be_read_is_named(damaged: Callable[..., Path], tmp_path: Path, done: Callable[[Path], object]) -> None:
    file = damaged("steps", done)
    with pytest.raises(agentlog.StoreError) as caught:
        ASKED["connection"](agentlog.open(tmp_path / "store"))
    assert str(caught.value).startswith(f"cannot read {file}: ")


def test_a_part_that_is_not_there_is_missed(damaged: Callable[..., Path], tmp_path: Path) -> None:
    file = damaged("events", Path.unlink)
    assert list(file.parent.glob("*.parquet")), "the sample lies in several parts"
    with pytest.raises(agentlog.StoreError, match=rf"^cannot read {file}: it is not there; `agentlog ingest --force"):
        agentlog.open(tmp_path / "store").report("cost")


def test_a_table_without_files_is_missed(damaged: Callable[..., Path], tmp_path: Path) -> None:
    file = damaged("sources", Path.unlink)
    with pytest.raises(agentlog.StoreError, match=rf"^cannot read {file.parent}: it holds no file; `agentlog ingest --force"):
        agentlog.open(tmp_path / "store").view("runs")


def test_the_command_line_says_it_in_one_line(damaged: Callable[..., Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = damaged("events", torn)
    for command in (["cost"], ["sql", "from events"]):
        assert run([*command, "--store", str(tmp_path / "store")]) == 1
        err = capfd.readouterr().err
        assert err.startswith(f"error: cannot read {file}: ")
        assert err.count("\n") == 1


def test_a_fault_of_a_query_is_none_of_the_store(sample_store: Path) -> None:
    for query in ("select error('cannot read')", "select 'x'::int"):
        with pytest.raises(agentlog.QueryError):
            agentlog.open(sample_store).sql(query)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("limit", [0, 4096, 50_000, 200_000])
def test_a_catalog_that_cannot_be_written_leaves_nothing_behind(sample_store: Path, tmp_path: Path, limit: int) -> None:
    shutil.copytree(sample_store, tmp_path / "store", symlinks=True)
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "import agentlog.dataset\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))\n"  # as on a disk that is full
        "try:\n"
        "    agentlog.dataset.write_catalog(Path(sys.argv[1]))\n"
        "except agentlog.StoreError as error:\n"
        "    print(error)\n"
    )
    before = sorted(tmp_path.joinpath("store").iterdir())
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "store", str(limit)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"cannot write {tmp_path / 'store' / 'agentlog.duckdb'}: ")
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert sorted(tmp_path.joinpath("store").iterdir()) == before
