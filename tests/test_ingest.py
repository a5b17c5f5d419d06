"""Ingest: what is read, what stands, and what a store holds after one, two or many of them."""

from __future__ import annotations

import gzip
import io
import os
import random
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from claude_records import assistant, init, lines, result, text, usage

from agentlog import plan, workers
from agentlog.errors import AgentlogError, PathError, StoreError, UnknownNameError
from agentlog.events import Event, Source, Unreadable
from agentlog.ingest import IngestReport, Problem, ingest
from agentlog.parts import read_rows
from agentlog.store import resolve

if TYPE_CHECKING:
    from agentlog.tasks import Task


def stream(session: str, turns: int = 2, *, is_over: bool = True) -> bytes:
    """A run: an init line, a line per turn (a text and a request), a result."""
    said = [
        assistant(f"msg-{session}-{turn}", text(f"turn {turn}"), of=usage(turn, 1), session_id=session, uuid=f"{session}-{turn}")
        for turn in range(turns)
    ]
    end = [result(session_id=session)] if is_over else []
    return b"".join(line + b"\n" for line in lines(init(session_id=session), *said, *end))


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def sources(store: Path) -> dict[str, Source]:
    return {Path(source.source_path).name: source for source in read_rows(map(Path, resolve(store).sources), Source)}


def statuses(store: Path) -> dict[str, str]:
    return {name: source.status for name, source in sources(store).items()}


def events(store: Path) -> list[Event]:
    rows = read_rows(map(Path, resolve(store).events), Event)
    return sorted(rows, key=lambda row: (row.source_path, row.line_no, row.part_no))


def counts(store: Path) -> dict[str, int]:
    """Events by source, of the sources that have some."""
    found: dict[str, int] = {}
    for row in events(store):
        name = Path(row.source_path).name
        found[name] = found.get(name, 0) + 1
    return found


def whole(store: Path) -> tuple[list[Event], list[Unreadable], list[Source]]:
    """All that a store holds, as far as it does not depend on when and in what steps it was made."""
    generation = resolve(store)
    unreadable = sorted(read_rows(map(Path, generation.unreadable), Unreadable), key=lambda row: (row.source_path, row.line_no))
    rows = read_rows(map(Path, generation.sources), Source)
    for row in rows:
        row.ingested_at = None
        row.part = None
    return events(store), unreadable, rows


def told(report: IngestReport) -> dict[str, int]:
    """The counts of a report that are not 0, without those of lines, events and bytes."""
    names = ("new", "changed", "unchanged", "failed", "duplicate", "unsupported", "missing", "pruned", "files_found", "files_read")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with two runs of 6 events each: a session, 2 texts, 2 requests, a result."""
    put(tmp_path / "runs/a.jsonl", stream("a"))
    put(tmp_path / "runs/deep/b.jsonl", stream("b"))
    return tmp_path / "runs"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


# --- once and again


def test_a_first_ingest_reads_every_file_and_says_what_it_found(runs: Path, store: Path) -> None:
    put(runs / "notes.txt", b"nothing of interest\n")
    report = ingest([runs], store)
    size = sum(file.stat().st_size for file in runs.rglob("*") if file.is_file())
    assert told(report) == {"files_found": 3, "files_read": 3, "new": 3, "unsupported": 1}
    assert (report.lines, report.events, report.unreadable_lines, report.bytes_read) == (8, 12, 0, size)
    assert report.store == str(store)
    assert report.is_published
    assert [(problem.source_path, problem.status) for problem in report.problems] == [(str(runs / "notes.txt"), "unsupported")]
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6}


def test_a_second_ingest_reads_nothing_and_publishes_nothing(runs: Path, store: Path) -> None:
    put(runs / "notes.txt", b"nothing of interest\n")
    ingest([runs], store)
    before = resolve(store)
    report = ingest([runs], store)
    assert told(report) == {"files_found": 3, "unchanged": 3, "unsupported": 1}
    assert (report.bytes_read, report.megabytes_per_second, report.is_published) == (0, None, False)
    assert resolve(store) == before


def test_force_reads_again_and_comes_to_the_same(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before = whole(store)
    assert told(ingest([runs], store, force=True)) == {"files_found": 2, "files_read": 2, "unchanged": 2}
    assert whole(store) == before


def test_an_empty_folder_makes_an_empty_store(tmp_path: Path, store: Path) -> None:
    (tmp_path / "runs").mkdir()
    assert told(ingest([tmp_path / "runs"], store)) == {}
    assert whole(store) == ([], [], [])


def test_an_empty_file_is_fine_and_no_duplicate_of_another(tmp_path: Path, store: Path) -> None:
    put(tmp_path / "runs/a", b"")
    put(tmp_path / "runs/b", b"")
    ingest([tmp_path / "runs"], store)
    assert statuses(store) == {"a": "ok", "b": "ok"}
    assert sources(store)["a"].lines == 0


def test_the_store_below_a_path_is_not_ingested(runs: Path) -> None:
    ingest([runs], runs / ".agentlog")
    assert told(ingest([runs], runs / ".agentlog")) == {"files_found": 2, "unchanged": 2}


def test_standard_input_is_a_source_by_its_content(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for expected in ({"files_found": 1, "files_read": 1, "new": 1}, {"files_found": 1, "unchanged": 1}):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(stream("a")))))
        assert told(ingest(["-"], store)) == expected
    (source,) = sources(store).values()
    assert source.source_path == f"stdin:{str(source.content_hash)[:16]}"
    assert (source.status, source.modified_at, source.events) == ("ok", None, 6)
    assert {row.source_path for row in events(store)} == {source.source_path}


def test_standard_input_stands_for_a_file_with_the_same_content(runs: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest([runs], store)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stream("a"))))
    ingest(["-"], store)
    put(runs / "a.jsonl", stream("other"))
    ingest([runs], store)
    assert sorted(counts(store).values()) == [6, 6, 6]
    assert {row.session_id for row in events(store)} == {"a", "b", "other"}


def test_a_closed_standard_input_is_said_to_be_closed(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(PathError, match=r"^-: standard input is closed$"):
        ingest(["-"], store)


def test_a_single_path_need_not_be_a_list(runs: Path, store: Path) -> None:
    assert ingest(str(runs), store).new == 2


def test_an_unknown_harness_is_named_before_anything_is_done(runs: Path, store: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"^unknown harness 'cluade'; did you mean 'claude'\? valid: claude"):
        ingest([runs], store, harness="cluade")
    assert not store.exists()


# --- changes


def test_a_grown_file_replaces_its_rows(runs: Path, store: Path) -> None:
    put(runs / "a.jsonl", stream("a", 1, is_over=False))
    ingest([runs], store)
    assert counts(store) == {"a.jsonl": 3, "b.jsonl": 6}
    with (runs / "a.jsonl").open("ab") as file:
        file.write(stream("a")[len(stream("a", 1, is_over=False)) :])
    assert told(ingest([runs], store)) == {"files_found": 2, "files_read": 1, "changed": 1, "unchanged": 1}
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6}


def test_a_change_under_the_same_size_and_time_is_noticed(runs: Path, store: Path) -> None:
    file = runs / "a.jsonl"
    ingest([runs], store)
    then = file.stat()
    put(file, stream("c"))
    os.utime(file, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (then.st_size, then.st_mtime_ns)
    assert told(ingest([runs], store)) == {"files_found": 2, "files_read": 1, "changed": 1, "unchanged": 1}
    assert {row.session_id for row in events(store)} == {"b", "c"}


def test_a_change_right_after_an_ingest_is_noticed(runs: Path, store: Path) -> None:
    for session in "cdefgh":
        put(runs / "a.jsonl", stream(session))
        ingest([runs], store)
        assert {row.session_id for row in events(store)} == {"b", session}


def test_a_touched_file_is_compared_and_only_its_figures_are_new(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before, parts = whole(store), resolve(store).events
    os.utime(runs / "a.jsonl", ns=(0, 5_000))
    assert told(ingest([runs], store)) == {"files_found": 2, "files_read": 1, "unchanged": 2}
    after = sources(store)["a.jsonl"]
    assert (after.modified_ns, str(after.modified_at)) == (5_000, "1970-01-01 00:00:00.000005+00:00")
    assert whole(store)[:2] == before[:2]
    assert [Path(part).name for part in resolve(store).events] == [Path(part).name for part in parts]
    assert told(ingest([runs], store)) == {"files_found": 2, "unchanged": 2}


def test_unreadable_lines_come_and_go_with_their_source(runs: Path, store: Path) -> None:
    put(runs / "a.jsonl", stream("a") + b"oops\n")
    report = ingest([runs], store)
    assert (report.lines, report.unreadable_lines) == (9, 1)
    assert [(row.line_no, row.raw) for row in read_rows(map(Path, resolve(store).unreadable), Unreadable)] == [(5, "oops")]
    put(runs / "a.jsonl", stream("a"))
    ingest([runs], store)
    assert read_rows(map(Path, resolve(store).unreadable), Unreadable) == []


# --- files that are there no more


def test_a_source_that_disappeared_is_missing_and_keeps_its_rows(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before = events(store)
    (runs / "a.jsonl").unlink()
    report = ingest([runs], store)
    assert told(report) == {"files_found": 1, "unchanged": 1, "missing": 1}
    assert report.problems == [Problem(str(runs / "a.jsonl"), "missing", None)]
    assert statuses(store) == {"a.jsonl": "missing", "b.jsonl": "ok"}
    assert events(store) == before
    again = ingest([runs], store)
    assert (told(again), again.is_published) == (told(report), False)


def test_a_source_that_came_back_is_ok_again(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before = whole(store)
    (runs / "a.jsonl").rename(runs.parent / "away")
    ingest([runs], store)
    (runs.parent / "away").rename(runs / "a.jsonl")
    ingest([runs], store)
    assert whole(store)[:2] == before[:2]
    assert statuses(store) == {"a.jsonl": "ok", "b.jsonl": "ok"}


def test_prune_drops_the_missing_ones_of_its_paths_only(runs: Path, store: Path) -> None:
    ingest([runs], store)
    shutil.rmtree(runs / "deep")
    (runs / "a.jsonl").unlink()
    ingest([runs], store)
    report = ingest([runs / "deep"], store, prune=True)
    assert told(report) == {"pruned": 1}
    assert statuses(store) == {"a.jsonl": "missing"}
    assert counts(store) == {"a.jsonl": 6}


def test_a_path_that_is_gone_but_known_is_missing_and_another_an_error(runs: Path, store: Path) -> None:
    ingest([runs], store)
    (runs / "a.jsonl").unlink()
    assert told(ingest([runs / "a.jsonl", runs / "deep"], store)) == {"files_found": 1, "unchanged": 1, "missing": 1}
    with pytest.raises(PathError, match="nowhere: No such file or directory"):
        ingest([runs, runs / "nowhere"], store)


def test_a_mistyped_path_makes_no_store(tmp_path: Path, store: Path) -> None:
    with pytest.raises(PathError, match="nowhere: No such file or directory"):
        ingest([tmp_path / "nowhere"], store)
    assert not store.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_lies_in_a_folder_that_was_locked_is_not_missing(runs: Path, store: Path) -> None:
    ingest([runs], store)
    (runs / "deep").chmod(0)
    try:
        assert told(ingest([runs], store, prune=True)) == {"files_found": 2, "unchanged": 1, "failed": 1}
    finally:
        (runs / "deep").chmod(0o700)
    assert told(ingest([runs], store)) == {"files_found": 2, "unchanged": 2}
    assert statuses(store) == {"a.jsonl": "ok", "b.jsonl": "ok"}


def test_a_source_seen_through_a_link_stays_where_it_is(runs: Path, store: Path) -> None:
    (runs / "link").symlink_to("deep")
    ingest([runs / "link"], store)
    assert told(ingest([runs], store)) == {"files_found": 2, "files_read": 2, "new": 2}
    rows = read_rows(map(Path, resolve(store).sources), Source)
    assert {str(Path(row.source_path).relative_to(runs)): row.status for row in rows} == {
        "a.jsonl": "ok",
        "deep/b.jsonl": "ok",
        "link/b.jsonl": "duplicate",
    }
    assert not ingest([runs, runs / "link"], store).is_published


# --- files that cannot be read


def test_what_cannot_be_opened_is_failed_with_the_reason(runs: Path, store: Path) -> None:
    os.mkfifo(runs / "pipe")
    (runs / "dangling").symlink_to("nowhere")
    report = ingest([runs], store)
    assert told(report) == {"files_found": 4, "files_read": 2, "new": 2, "failed": 2}
    assert {Path(one.source_path).name: one.error for one in report.problems} == {
        "dangling": "No such file or directory",
        "pipe": "a named pipe",
    }
    assert not ingest([runs], store).is_published
    (runs / "pipe").unlink()
    ingest([runs], store)
    assert statuses(store) == {"a.jsonl": "ok", "b.jsonl": "ok", "dangling": "failed"}


def test_a_file_that_fails_while_it_is_read_is_failed_and_the_others_go_on(runs: Path, store: Path) -> None:
    (runs / "mem").symlink_to("/proc/self/mem")  # a regular file of which no byte at 0 can be read
    report = ingest([runs], store)
    assert told(report) == {"files_found": 3, "files_read": 2, "new": 2, "failed": 1}
    assert [(Path(one.source_path).name, one.error) for one in report.problems] == [("mem", "Input/output error")]
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6}


def test_a_source_that_fails_later_keeps_its_rows(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before = events(store)
    (runs / "a.jsonl").unlink()
    (runs / "a.jsonl").symlink_to("/proc/self/mem")
    report = ingest([runs], store)
    assert told(report) == {"files_found": 2, "unchanged": 1, "failed": 1}
    assert events(store) == before
    assert not ingest([runs], store).is_published


# --- the same content twice


def test_the_same_content_under_other_names_and_packed_is_duplicate(runs: Path, store: Path) -> None:
    put(runs / "0.gz", gzip.compress(stream("a")))
    put(runs / "z.jsonl", stream("a"))
    report = ingest([runs], store)
    assert told(report) == {"files_found": 4, "files_read": 4, "new": 4, "duplicate": 2}
    found = sources(store)
    assert {name: (source.status, source.duplicate_of) for name, source in found.items()} == {
        "0.gz": ("ok", None),
        "a.jsonl": ("duplicate", str(runs / "0.gz")),
        "b.jsonl": ("ok", None),
        "z.jsonl": ("duplicate", str(runs / "0.gz")),
    }
    assert found["z.jsonl"].error == f"the same content stands under {runs / '0.gz'}"
    assert (found["z.jsonl"].lines, found["z.jsonl"].part) == (4, None)
    assert counts(store) == {"0.gz": 6, "b.jsonl": 6}
    assert not ingest([runs], store).is_published


def test_the_beginning_of_another_source_of_the_session_is_duplicate(runs: Path, store: Path) -> None:
    put(runs / "0-part.jsonl", stream("a")[:-30])
    put(runs / "1-part.gz", gzip.compress(stream("a", 1, is_over=False)))
    put(runs / "fork.jsonl", stream("a", 1, is_over=False) + b"{}\n")
    ingest([runs], store)
    found = sources(store)
    assert {name: source.duplicate_of for name, source in found.items() if source.status == "duplicate"} == {
        "0-part.jsonl": str(runs / "a.jsonl"),
        "1-part.gz": str(runs / "a.jsonl"),
    }
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6, "fork.jsonl": 4}


def test_the_beginning_of_another_session_stands(runs: Path, store: Path) -> None:
    banner = b"starting\n"
    put(runs / "0.jsonl", banner)
    put(runs / "1.jsonl", banner + stream("c"))
    ingest([runs], store)
    assert statuses(store)["0.jsonl"] == "unsupported"
    assert statuses(store)["1.jsonl"] == "ok"


def test_a_duplicate_stands_when_its_original_is_pruned(runs: Path, store: Path) -> None:
    put(runs / "z.jsonl", stream("a"))
    ingest([runs], store)
    (runs / "a.jsonl").unlink()
    assert told(ingest([runs], store)) == {"files_found": 2, "unchanged": 2, "duplicate": 1, "missing": 1}
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6}
    assert told(ingest([runs], store, prune=True)) == {"files_found": 2, "files_read": 1, "unchanged": 2, "pruned": 1}
    assert statuses(store) == {"b.jsonl": "ok", "z.jsonl": "ok"}
    assert counts(store) == {"b.jsonl": 6, "z.jsonl": 6}


def test_a_duplicate_stands_when_its_original_changes(runs: Path, store: Path) -> None:
    put(runs / "elsewhere/z.jsonl", stream("a"))
    ingest([runs], store)
    put(runs / "a.jsonl", stream("other"))
    report = ingest([runs / "a.jsonl"], store)  # the duplicate lies below no path of this ingest
    assert told(report) == {"files_found": 1, "files_read": 2, "changed": 1}
    assert statuses(store) == {"a.jsonl": "ok", "b.jsonl": "ok", "z.jsonl": "ok"}
    assert {row.session_id for row in events(store)} == {"a", "b", "other"}


def test_a_duplicate_of_a_grown_source_stays_one(runs: Path, store: Path) -> None:
    put(runs / "z.jsonl", stream("a"))
    ingest([runs], store)
    with (runs / "a.jsonl").open("ab") as file:
        file.write(b"\n")
    assert told(ingest([runs], store)) == {"files_found": 3, "files_read": 1, "changed": 1, "unchanged": 2, "duplicate": 1}


def test_a_file_that_moved_counts_once(runs: Path, store: Path) -> None:
    ingest([runs], store)
    (runs / "a.jsonl").rename(runs / "moved.jsonl")
    ingest([runs], store)
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6}
    assert statuses(store) == {"a.jsonl": "missing", "b.jsonl": "ok", "moved.jsonl": "duplicate"}


def test_nothing_is_made_up_for_a_duplicate_that_is_gone_when_its_original_changes(runs: Path, store: Path) -> None:
    put(runs / "z.jsonl", stream("a"))
    ingest([runs], store)
    (runs / "z.jsonl").unlink()
    ingest([runs], store)
    put(runs / "a.jsonl", stream("other"))
    ingest([runs], store)
    lost = sources(store)["z.jsonl"]
    assert (lost.status, lost.lines, lost.error) == ("missing", None, f"its content stood under {runs / 'a.jsonl'}, which has changed")
    put(runs / "z.jsonl", stream("a"))
    ingest([runs], store)
    assert counts(store) == {"a.jsonl": 6, "b.jsonl": 6, "z.jsonl": 6}


ARCHIVE = {
    "one/a.jsonl": stream("a"),
    "one/b.jsonl": stream("b", 1, is_over=False),
    "two/a.gz": gzip.compress(stream("a"), mtime=0),
    "two/b.jsonl": stream("b", 3),
    "two/c.jsonl": stream("c") + b"torn {\n",
    "three/0.jsonl": stream("b", 3),
    "three/d.jsonl": stream("a", 1, is_over=False),
}
FOLDERS = ("one", "two", "three")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    for name, content in ARCHIVE.items():
        put(tmp_path / "archive" / name, content)
    return tmp_path / "archive"


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_order_of_ingests_does_not_matter(archive: Path, tmp_path: Path, order: tuple[int, ...]) -> None:
    ingest([archive], tmp_path / "once")
    for number in order:
        ingest([archive / FOLDERS[number]], tmp_path / "steps")
    assert whole(tmp_path / "steps") == whole(tmp_path / "once")
    assert not ingest([archive], tmp_path / "steps").is_published


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_to_files_the_store_is_as_if_made_anew(archive: Path, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    contents = [*ARCHIVE.values(), b"", b"text\n", stream("e")]
    for _ in range(8):
        for name in chance.sample(sorted(ARCHIVE), 2):
            if chance.random() < 0.3:
                (archive / name).unlink(missing_ok=True)
            else:
                put(archive / name, chance.choice(contents))
        ingest(chance.sample([archive, *(archive / folder for folder in FOLDERS)], 2), tmp_path / "steps", prune=True)
    ingest([archive], tmp_path / "steps", prune=True)
    ingest([archive], tmp_path / "once")
    assert whole(tmp_path / "steps") == whole(tmp_path / "once")


# --- parts and processes


def test_many_small_parts_are_merged(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentlog.changes._MANY_SMALL", 4)
    for number in range(6):
        put(tmp_path / f"runs/{number:02}.jsonl", stream(f"s{number}", 1) + b"oops\n")
        ingest([tmp_path / "runs"], store)
        assert len(resolve(store).events) == (number + 1 if number < 4 else number - 3)
    assert counts(store) == {f"{number:02}.jsonl": 4 for number in range(6)}
    assert len(read_rows(map(Path, resolve(store).unreadable), Unreadable)) == 6
    assert not ingest([tmp_path / "runs"], store).is_published


@pytest.fixture
def _small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every few files are a task, and worth a process."""
    monkeypatch.setattr(plan, "_TASK_BYTES", 2_000)
    monkeypatch.setattr(plan, "_PARALLEL_BYTES", 0)


@pytest.mark.usefixtures("_small_tasks")
def test_worker_processes_come_to_the_same(archive: Path, tmp_path: Path) -> None:
    seen = Watcher()
    ingest([archive], tmp_path / "many", jobs=3, progress=seen)
    ingest([archive], tmp_path / "one", jobs=1)
    assert whole(tmp_path / "many") == whole(tmp_path / "one")
    total = sum(len(content) for content in ARCHIVE.values())
    assert (seen.started, seen.files, seen.bytes, seen.is_finished) == ((7, total), 7, total, True)


class Watcher:
    """What a progress bar is told."""

    def __init__(self) -> None:
        self.started, self.files, self.bytes, self.is_finished = (0, 0), 0, 0, False

    def start(self, files: int, size: int) -> None:
        """Note the whole."""
        self.started = files, size

    def advance(self, files: int, size: int) -> None:
        """Add up the steps."""
        self.files += files
        self.bytes += size

    def finish(self) -> None:
        """Note the end."""
        self.is_finished = True


@pytest.mark.usefixtures("_small_tasks")
def test_a_worker_that_dies_is_named_and_nothing_is_published(archive: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest([archive / "one"], store)
    before = resolve(store)
    send = workers._send

    def send_and_kill(worker: workers.Worker, task: Task) -> None:
        worker.process.kill()
        worker.process.wait()
        send(worker, task)

    monkeypatch.setattr(workers, "_send", send_and_kill)
    with pytest.raises(
        StoreError, match=r"^worker process \d+ was killed by SIGKILL while it read \d+ files from \S+ on; nothing was published$"
    ):
        ingest([archive], store, jobs=2)
    assert resolve(store) == before
    assert [one.name for one in (store / "generations").iterdir()] == ["1"]


@pytest.mark.usefixtures("_small_tasks")
def test_a_worker_that_cannot_write_says_what(archive: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    send = workers._send

    def lose_the_folder(worker: workers.Worker, task: Task) -> None:
        shutil.rmtree(task.folder, ignore_errors=True)
        send(worker, task)

    monkeypatch.setattr(workers, "_send", lose_the_folder)
    with pytest.raises(StoreError, match=r"^cannot write \S+/events/part-000001-000\d.parquet: No such file or directory$"):
        ingest([archive], store, jobs=2)


def test_a_full_disk_is_one_clear_error_and_changes_nothing(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before, state = resolve(store), whole(store)
    put(runs / "c.jsonl", stream("c", 3_000))
    code = "import sys, agentlog; agentlog.ingest([sys.argv[1]], sys.argv[2])"

    def no_big_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(
        [sys.executable, "-c", code, str(runs), str(store)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=no_big_files,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"agentlog.errors.StoreError: cannot write {store}/generations/.staging-")
    assert done.stderr.splitlines()[-1].endswith("File too large")
    assert (resolve(store), whole(store)) == (before, state)
    assert [one.name for one in (store / "generations").iterdir()] == ["1"]


def test_reading_needs_neither_duckdb_nor_polars(runs: Path, store: Path) -> None:
    ingest([runs], store)
    code = (
        "import sys, agentlog; report = agentlog.ingest([sys.argv[1]], sys.argv[2]); assert not report.is_published;"
        "print([name for name in ('duckdb', 'polars', 'zstandard', 'rich', 'click') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(runs), str(store)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_catalog_is_written_anew_when_it_has_to_be(runs: Path, store: Path) -> None:
    def catalog(store: Path) -> int:
        return (store / "agentlog.duckdb").stat().st_ino

    ingest([runs], store)
    first = catalog(store)
    put(runs / "c.jsonl", stream("c"))
    assert ingest([runs], store).is_published
    assert catalog(store) == first
    store.rename(store.with_name("moved"))
    assert not ingest([runs], store.with_name("moved")).is_published
    second = catalog(store.with_name("moved"))
    (store.with_name("moved") / "agentlog.duckdb").write_bytes(b"no database")
    ingest([runs], store.with_name("moved"))
    assert len({first, second, catalog(store.with_name("moved"))}) > 1
    with duckdb.connect(store.with_name("moved") / "agentlog.duckdb", read_only=True) as connection:
        assert connection.execute("select count(*) from events").fetchall() == [(18,)]


def test_a_store_of_another_version_is_built_anew_by_force_only(runs: Path, store: Path) -> None:
    ingest([runs], store)
    before = whole(store)
    (store / "current/store.json").write_text('{"schema_version": 999}')
    with pytest.raises(StoreError, match="ingest --force"):
        ingest([runs], store)
    ingest([runs], store, force=True)
    assert whole(store) == before


@pytest.mark.parametrize(
    ("paths", "options", "error", "message"),
    [
        ([5], {}, TypeError, "a path is 5; it may be text or a Path"),
        (["a\0b"], {}, PathError, "'a\\x00b' cannot be a path: it holds a NUL"),
        (["."], {"store": "a\0b"}, StoreError, "'a\\x00b' cannot be the path of a store: it holds a NUL"),
        (["."], {"jobs": "x"}, TypeError, "jobs is 'x'; it may be a whole number"),
        (["."], {"jobs": 0}, AgentlogError, "jobs is 0; at least one process must read"),
        (["."], {"jobs": -1}, AgentlogError, "jobs is -1; at least one process must read"),
        (["."], {"lock_timeout": "1"}, TypeError, "lock_timeout is '1'; it may be a number of seconds"),
        (["."], {"lock_timeout": -1}, AgentlogError, "lock_timeout is -1; it may be 0 or more seconds"),
        (["."], {"lock_timeout": float("nan")}, AgentlogError, "lock_timeout is nan; it may be 0 or more seconds"),
    ],
)
def test_an_argument_that_can_be_nothing_is_told_before_anything_is_made(
    tmp_path: Path, paths: list[str], options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        ingest(paths, **({"store": tmp_path / "store"} | options))
    assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == []
