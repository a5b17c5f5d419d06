"""Killed at any instant, an ingest leaves the state before or the state after it, and the next one puts all in order."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from claude_records import assistant, init, lines, result, text, usage

from agentlog.events import Event, Source
from agentlog.ingest import ingest
from agentlog.parts import read_rows
from agentlog.store import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    State = tuple[list[tuple[str, int, str]], list[tuple[str, str]]]

VICTIM = """
import os, signal, sys
import agentlog
import agentlog.dataset, agentlog.decode, agentlog.store, pyarrow.parquet

CHANGES = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "shutil.rmtree"}
step, dies_at = 0, 0

def count(event, arguments):
    global step
    paths = [str(argument) for argument in arguments]
    is_like_the_last = any("/steps/_" in path and not path.endswith("/_runs.parquet") for path in paths)  # one of those files stands for all
    if dies_at and event in CHANGES and any(store in path for path in paths) and not is_like_the_last:
        step += 1
        if step == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
for order in sys.stdin:  # forked before anything has started a thread
    runs, store, number = order.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        dies_at = int(number)
        agentlog.ingest([runs], store, prune=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Ingests again and again in children of its own, each killed by its n-th change to the store's files."""

KILLED, ENDED = -signal.SIGKILL, 0


def stream(session: str, turns: int) -> bytes:
    said = [assistant(f"m-{session}-{turn}", text("x" * 100), of=usage(1, 1), session_id=session) for turn in range(turns)]
    return b"".join(line + b"\n" for line in lines(init(session_id=session), *said, result(session_id=session)))


def state(store: Path) -> State:
    """What a reader sees: the events and the sources."""
    generation = resolve(store)
    events = read_rows(map(Path, generation.events), Event)
    sources = read_rows(map(Path, generation.sources), Source)
    return sorted((Path(row.source_path).name, row.line_no, row.run_id) for row in events), sorted(
        (Path(row.source_path).name, row.status) for row in sources
    )


def globbed(store: Path) -> list[tuple[str, int, str]]:
    """The events as a reader finds them that knows no more than the folder."""
    rows = read_rows((store / "events").glob("*.parquet"), Event)
    return sorted((Path(row.source_path).name, row.line_no, row.run_id) for row in rows)


@pytest.fixture(scope="module")
def victim() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, "-c", VICTIM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


def die_at(victim: subprocess.Popen[str], runs: Path, store: Path, step: int) -> int:
    """Let an ingest be killed by its `step`-th change; gives how it ended."""
    assert victim.stdin is not None
    assert victim.stdout is not None
    victim.stdin.write(f"{runs}\t{store}\t{step}\n")
    victim.stdin.flush()
    return int(victim.stdout.readline())


OURS = {"current", "generations", "events", "unreadable", "sources", "ingest.lock", "agentlog.duckdb", "catalog.json"}


def test_a_kill_at_any_step_leaves_the_state_before_or_after(tmp_path: Path, victim: subprocess.Popen[str]) -> None:
    runs, store, base = tmp_path / "runs", tmp_path / "store", tmp_path / "base"
    runs.mkdir()
    for name in "abcd":
        (runs / name).write_bytes(stream(name, 3))
    ingest([runs], store)
    before = state(store)
    shutil.copytree(store, base, symlinks=True)
    (runs / "a").write_bytes(stream("a", 5))
    (runs / "b").unlink()
    (runs / "e").write_bytes(stream("c", 3))
    ingest([runs], store, prune=True)
    after = state(store)
    assert [name for name, _ in after[1]] == ["a", "c", "d", "e"]
    endings: list[int] = []
    seen: set[bool] = set()
    while ENDED not in endings:
        shutil.rmtree(store)
        shutil.copytree(base, store, symlinks=True)
        endings.append(die_at(victim, runs, store, len(endings) + 1))
        found = state(store)
        assert found in (before, after)
        assert globbed(store) == found[0]
        seen.add(found == after)
        ingest([runs], store, prune=True)
        assert state(store) == after
        assert len(list((store / "generations").iterdir())) == 2
        assert {one.name for one in store.iterdir()} == OURS
    assert endings == [KILLED] * (len(endings) - 1) + [ENDED]
    assert len(endings) > 40
    assert seen == {True, False}


def test_a_kill_at_any_step_of_the_first_ingest_leaves_no_store_or_a_whole_one(tmp_path: Path, victim: subprocess.Popen[str]) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/a").write_bytes(stream("a", 2))
    seen: set[tuple[int, bool]] = set()
    for step in (2, 9, 17, 22, 34, 42, 46, 57, 60, 61, 66, 68, 72, 75):
        store = tmp_path / f"store{step}"
        ending = die_at(victim, tmp_path / "runs", store, step)
        seen.add((ending, (store / "current").exists()))
        if (store / "current").exists():
            assert state(store)[1] == [("a", "ok")]
        ingest([tmp_path / "runs"], store)
        assert len(state(store)[0]) == 6
        assert {one.name for one in store.iterdir()} == OURS
    assert seen >= {(KILLED, False), (KILLED, True)}  # before and after the publish, which is one of the changes


PARALLEL = """
import sys
import agentlog
from agentlog import plan

plan._TASK_BYTES, plan._PARALLEL_BYTES = 20_000, 0

class Tell:
    def start(self, files, size): pass
    def finish(self): pass
    def advance(self, files, size): print(files, flush=True)

agentlog.ingest([sys.argv[1]], sys.argv[2], jobs=2, progress=Tell())
"""


def test_a_kill_among_worker_processes_publishes_nothing(tmp_path: Path) -> None:
    store = tmp_path / "store"
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "0").write_bytes(stream("0", 1))
    ingest([runs], store)
    before = state(store)
    for number in range(1, 40):
        (runs / str(number)).write_bytes(stream(str(number), 40))
    for reports in random.Random(9).sample(range(1, 12), 4):
        with subprocess.Popen([sys.executable, "-c", PARALLEL, str(runs), str(store)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(reports):
                process.stdout.readline()
            process.kill()
        assert state(store) == before
    assert ingest([runs], store).new == 39
    assert len({name for name, _, _ in state(store)[0]}) == 40
