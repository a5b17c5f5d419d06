"""The store directory: what a publish does, what readers see, who may write."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from agentlog.durable import share
from agentlog.errors import StoreError
from agentlog.events import TABLES, Event, Source, Unreadable, arrow_schema
from agentlog.parts import PartWriter, read_rows, rewrite
from agentlog.store import Generation, Writer, exists, locate, resolve


def event(source_path: str, line_no: int, run_id: str = "r", **more: object) -> Event:
    row = Event(run_id=run_id, source_path=source_path, line_no=line_no, part_no=1, kind="text", harness="claude", format="stream-json")
    for name, value in more.items():
        setattr(row, name, value)
    return row


def unreadable(source_path: str, line_no: int) -> Unreadable:
    return Unreadable(
        run_id="r", source_path=source_path, line_no=line_no, byte_offset=0, byte_length=3, reason="not_json", raw="abc", is_repaired=False
    )


def publish(store: Path, rows: dict[str, int], *, broken: int = 0) -> Generation:
    """A new state in which these sources, and no others, have so many events each."""
    with Writer(store, timeout=0) as writer:
        before = writer.present()
        with writer.stage() as staging:
            name = staging.new_part()
            with PartWriter(staging.path, name) as part:
                for source_path, count in rows.items():
                    part.add([event(source_path, line_no) for line_no in range(1, count + 1)], [])
                part.add([], [unreadable(source_path, line_no) for source_path in rows for line_no in range(broken)])
            writer.publish(staging, [Source(source_path=source_path, part=name) for source_path in rows], before)
        return resolve(store)


def lines(files: list[str]) -> list[tuple[str, int]]:
    return [(row.source_path, row.line_no) for row in read_rows(map(Path, files), Event)]


def modes(folder: Path) -> set[tuple[str, str]]:
    entries = [folder, *folder.rglob("*")]
    return {("folder" if one.is_dir() else "file", oct(one.stat().st_mode & 0o777)) for one in entries if not one.is_symlink()}


# --- where a store is


def test_a_store_is_where_it_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert locate() == tmp_path / ".agentlog"
    monkeypatch.setenv("AGENTLOG_STORE", "there")
    assert locate() == tmp_path / "there"
    assert locate("here/../elsewhere") == tmp_path / "elsewhere"
    assert locate(Path("/a")) == Path("/a")


def test_a_path_that_duckdb_could_not_spell_is_refused() -> None:
    with pytest.raises(StoreError, match=r"^'caf\\udce9' cannot be the path of a store: it is no UTF-8$"):
        locate(os.fsdecode(b"caf\xe9"))


def test_without_a_store_the_way_to_one_is_named(tmp_path: Path) -> None:
    assert not exists(tmp_path / "s")
    with pytest.raises(StoreError, match=rf"^there is no store at {tmp_path}/s; `agentlog ingest PATH…` makes one$"):
        resolve(tmp_path / "s")


def test_a_folder_with_something_else_in_it_does_not_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(StoreError, match=r"is no store, and not empty: it holds 'thesis.txt'; name another directory with --store$"):
        publish(tmp_path, {"/a": 1})
    assert [one.name for one in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_empty_folder_becomes_one_and_private(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir(mode=0o755)
    publish(tmp_path / "s", {})
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == 0o700


# --- one publish


def test_the_layout_of_a_store(tmp_path: Path) -> None:
    store = tmp_path / "s"
    publish(store, {"/a": 2, "/b": 1}, broken=1)
    links = {name: str((store / name).readlink()) for name in ("current", *TABLES)}
    assert links == {
        "current": "generations/1",
        "events": "current/events",
        "unreadable": "current/unreadable",
        "sources": "current/sources",
    }
    generation = store / "generations/1"
    assert sorted(str(file.relative_to(generation)) for file in generation.rglob("*") if file.is_file()) == [
        "events/part-000001-0001.parquet",
        "sources/part-000001-0002.parquet",
        "store.json",
        "unreadable/part-000001-0001.parquet",
    ]
    assert json.loads((store / "current/store.json").read_bytes()) == {"schema_version": 2}


def test_files_and_folders_are_private_whatever_the_umask(tmp_path: Path) -> None:
    for mask in (0o000, 0o777, 0o022):
        old = os.umask(mask)
        try:
            publish(tmp_path / f"s{mask}", {"/a": 1}, broken=1)
        finally:
            os.umask(old)
        assert modes(tmp_path / f"s{mask}") == {("folder", "0o700"), ("file", "0o600")}


def test_each_table_has_a_file_even_without_rows(tmp_path: Path) -> None:
    publish(tmp_path / "s", {})
    for table, row in TABLES.items():
        (file,) = (tmp_path / "s" / table).glob("*.parquet")
        assert pq.read_table(file).num_rows == 0
        assert pq.read_schema(file).equals(arrow_schema(row))


def test_columns_carry_their_meaning_and_unit(tmp_path: Path) -> None:
    generation = publish(tmp_path / "s", {"/a": 1})
    field = pq.read_schema(generation.events[0]).field("output_tokens")
    assert field.metadata == {b"meaning": b"request, result: output, reasoning included", b"unit": b"tokens"}


def test_rows_lie_in_order_of_run_source_line_and_part(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    rows = [event("/b", 2, "r1"), event("/a", 9, "r2"), event("/b", 1, "r1"), event("/a", 7, "r1")]
    with PartWriter(tmp_path, "p") as part:
        part.add(rows[:2], [])
        part.add(rows[2:], [])
    assert lines([str(tmp_path / "events/p")]) == [("/a", 7), ("/b", 1), ("/b", 2), ("/a", 9)]
    parquet = pq.ParquetFile(tmp_path / "events/p")
    assert parquet.metadata.row_group(0).column(0).compression == "ZSTD"
    parquet.close()


def test_much_text_goes_into_several_row_groups(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    with PartWriter(tmp_path, "p") as part:
        for line_no in range(1, 4):
            part.add([event("/a", line_no, text="x" * (30 << 20))], [])
    assert part.rows == 3
    with pq.ParquetFile(tmp_path / "events/p") as parquet:
        assert [parquet.metadata.row_group(number).num_rows for number in range(parquet.num_row_groups)] == [2, 1]


def test_parts_that_stay_are_the_same_files(tmp_path: Path) -> None:
    first = publish(tmp_path / "s", {"/a": 2})
    with Writer(tmp_path / "s", timeout=0) as writer, writer.stage() as staging:
        kept = Source(source_path="/a", part=Path(first.events[0]).name)
        writer.publish(staging, [kept], first)
    second = resolve(tmp_path / "s")
    assert (second.number, second.path.name) == (2, "2")
    assert Path(first.events[0]).samefile(second.events[0])
    assert lines(second.events) == [("/a", 1), ("/a", 2)]


def test_the_state_before_stays_readable_until_the_publish_after(tmp_path: Path) -> None:
    first, second = publish(tmp_path / "s", {"/a": 1}), publish(tmp_path / "s", {"/a": 2})
    assert (len(lines(first.events)), len(lines(second.events))) == (1, 2)
    third = publish(tmp_path / "s", {"/a": 3})
    assert not first.path.exists()
    assert (len(lines(second.events)), len(lines(third.events))) == (2, 3)


def test_names_of_parts_do_not_come_again(tmp_path: Path) -> None:
    names = [Path(publish(tmp_path / "s", {"/a": 1}).events[0]).name for _ in range(4)]
    assert names == [f"part-00000{number}-0001.parquet" for number in (1, 2, 3, 4)]


def test_what_is_not_published_leaves_no_trace(tmp_path: Path) -> None:
    before = publish(tmp_path / "s", {"/a": 1})
    with Writer(tmp_path / "s", timeout=0) as writer:
        with writer.stage() as staging, PartWriter(staging.path, staging.new_part()) as part:
            part.add([event("/a", 1)], [])
        assert [one.name for one in (tmp_path / "s/generations").iterdir()] == ["1"]
    assert resolve(tmp_path / "s") == before


def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    store = tmp_path / "s"
    publish(store, {"/a": 1})
    publish(store, {"/a": 2})
    for name in ("generations/.staging-1-ab/events", "generations/3/events"):
        (store / name).mkdir(parents=True)
    (store / ".current-0123").symlink_to("generations/3")
    with Writer(store, timeout=0):
        assert sorted(one.name for one in (store / "generations").iterdir()) == ["1", "2"]
        assert not (store / ".current-0123").is_symlink()
    assert resolve(store).number == 2


# --- other versions and damage


def test_another_schema_version_is_refused_with_the_command_that_rebuilds(tmp_path: Path) -> None:
    store = tmp_path / "my store"
    (publish(store, {"/a": 1}).path / "store.json").write_text('{"schema_version": 7}')
    message = (
        f"the store {store} cannot be used: it has schema version 7, this agentlog reads 2; "
        f"`agentlog ingest --force --store '{store}' PATH…` builds it anew from its sources"
    )
    for use in (resolve, lambda path: Writer(path, timeout=0).present()):
        with pytest.raises(StoreError) as raised:
            use(store)
        assert str(raised.value) == message
    assert Writer(store, timeout=0).present(force=True) is None


def test_a_store_that_lost_its_generation_says_so(tmp_path: Path) -> None:
    publish(tmp_path / "s", {"/a": 1}).path.rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match=r"cannot be used: .*store.json.*ingest --force"):
        resolve(tmp_path / "s")


def test_a_broken_part_is_named(tmp_path: Path) -> None:
    file = Path(publish(tmp_path / "s", {"/a": 1}).events[0])
    file.write_bytes(b"PAR1 no more")
    with pytest.raises(StoreError, match=rf"^cannot read {file}: [^\n]*; `agentlog ingest --force PATH…` reads all sources again$"):
        read_rows([file], Event)


def test_a_catalog_is_known_until_the_store_is_moved_or_somebody_writes_to_it(tmp_path: Path) -> None:
    publish(tmp_path / "s", {"/a": 1})
    writer = Writer(tmp_path / "s", timeout=0)
    assert writer.catalog() is None
    (tmp_path / "s/agentlog.duckdb").write_bytes(b"views")
    writer.stamp_catalog("made so")
    assert writer.catalog() == "made so"
    (tmp_path / "s").rename(tmp_path / "t")
    assert lines(resolve(tmp_path / "t").events) == [("/a", 1)]
    assert Writer(tmp_path / "t", timeout=0).catalog() is None
    (tmp_path / "t").rename(tmp_path / "s")
    assert writer.catalog() == "made so"
    (tmp_path / "s/agentlog.duckdb").write_bytes(b"other views")
    assert writer.catalog() is None


# --- the lock

HOLD = """
import sys
from agentlog.store import Writer
with Writer(sys.argv[1], timeout=0):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    store = tmp_path / "s"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError) as raised, Writer(store, timeout=0.1):
            pass
        expected = rf"^{store} is being written by process {holder.pid} on \S+ since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d UTC; waited 0.1 s for it \(--lock-timeout\)$"
        assert raised.match(expected)
        holder.kill()
    with Writer(store, timeout=0):
        assert json.loads((store / "ingest.owner").read_bytes())["pid"] == os.getpid()
    assert not (store / "ingest.owner").exists()


PUBLISH = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_store import publish
for count in range(1, 40):
    publish(Path(sys.argv[1]), {"/a": count, "/b": count})
"""


def test_a_reader_sees_one_state_whole_while_others_are_published(tmp_path: Path) -> None:
    store = tmp_path / "s"
    publish(store, {"/a": 1, "/b": 1})
    seen = set()
    with subprocess.Popen([sys.executable, "-c", PUBLISH, str(store), str(Path(__file__).parent)]) as writer:
        while writer.poll() is None:
            generation = resolve(store)
            try:
                rows = lines(generation.events)
            except StoreError:
                assert resolve(store).number > generation.number + 1
                continue
            count = len(rows) // 2
            assert rows == [(name, line_no) for name in ("/a", "/b") for line_no in range(1, count + 1)]
            seen.add(count)
    assert writer.returncode == 0
    assert len(seen) > 3


# --- rewriting parts


def test_dropping_sources_writes_another_part_without_their_rows(tmp_path: Path) -> None:
    first = publish(tmp_path / "s", {"/a": 2, "/b": 1, "/c": 1}, broken=1)
    target = tmp_path / "new"
    for table in ("events", "unreadable"):
        (target / table).mkdir(parents=True)
    name = Path(first.events[0]).name
    assert rewrite([first.path / name], target, "q", {"/b", "/c"})
    assert lines([str(target / "events/q")]) == [("/a", 1), ("/a", 2)]
    assert [row.source_path for row in read_rows([target / "unreadable/q"], Unreadable)] == ["/a"]
    assert not rewrite([first.path / name], target, "none", {"/a", "/b", "/c"})


def test_merged_parts_keep_every_row_in_order(tmp_path: Path) -> None:
    for table in ("events", "unreadable"):
        (tmp_path / table).mkdir()
    for name, run_id in (("p", "r2"), ("q", "r1")):
        with PartWriter(tmp_path, name) as part:
            part.add([event(f"/{name}", 1, run_id, text="x", tool_input="{}")], [unreadable(f"/{name}", 2)] if name == "q" else [])
    assert rewrite([tmp_path / "p", tmp_path / "q"], tmp_path, "m")
    assert read_rows([tmp_path / "events/m"], Event) == [
        event("/q", 1, "r1", text="x", tool_input="{}"),
        event("/p", 1, "r2", text="x", tool_input="{}"),
    ]
    assert read_rows([tmp_path / "unreadable/m"], Unreadable) == [unreadable("/q", 2)]


def test_a_part_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=rf"^cannot write {tmp_path}/events/p: No such file or directory$"),
        PartWriter(tmp_path, "p") as part,
    ):
        part.add([event("/a", 1)], [])


# --- odd file systems


def test_where_no_hard_link_is_possible_a_part_is_copied(tmp_path: Path) -> None:
    memory = Path("/dev/shm")  # noqa: S108 (another file system is wanted, not a place for files)
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is only one file system")
    (tmp_path / "part").write_bytes(b"rows")
    with tempfile.TemporaryDirectory(dir=memory) as elsewhere:
        share(tmp_path / "part", Path(elsewhere) / "part")
        assert (Path(elsewhere) / "part").read_bytes() == b"rows"
        assert modes(Path(elsewhere)) == {("folder", "0o700"), ("file", "0o600")}


def test_a_folder_where_a_link_belongs_is_named(tmp_path: Path) -> None:
    (tmp_path / "s/events").mkdir(parents=True)
    with pytest.raises(StoreError, match=rf"^cannot write {tmp_path}/s: "), Writer(tmp_path / "s", timeout=0):
        pass
    assert not list((tmp_path / "s").glob(".events-*"))


def test_a_file_where_the_store_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "s").touch()
    with pytest.raises(StoreError, match=rf"^cannot write {tmp_path}/s: Not a directory$"), Writer(tmp_path / "s", timeout=0):
        pass
