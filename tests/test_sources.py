"""Files and lines: what is found below a path, and how bytes become numbered lines."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import random
import socket
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from agentlog.content import Content, prefix_digests
from agentlog.documents import is_document
from agentlog.errors import PathError
from agentlog.sources import Found, Lines, find, open_lines, spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Line = tuple[int, int, bytes]

BOM = b"\xef\xbb\xbf"


def lines_of(content: bytes, limit: int = 1 << 20) -> list[Line]:
    return list(Lines(io.BytesIO(content), limit))


def names(found: Iterable[Found], root: Path) -> list[str]:
    return [os.path.relpath(one.source_path, root) for one in found]


def put(path: Path, content: bytes = b"{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


# --- finding files


def test_files_come_in_order_of_their_paths_whatever_their_names(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "b/10.jsonl", "a.txt", "c", "b/.hidden", "Z.log.gz"):
        put(tmp_path / name)
    assert names(find([tmp_path]), tmp_path) == ["Z.log.gz", "a.txt", "b/.hidden", "b/10.jsonl", "b/2.jsonl", "c"]


def test_a_found_file_carries_the_figures_of_its_stat(tmp_path: Path) -> None:
    file = put(tmp_path / "a", b"12345")
    os.utime(file, ns=(1, 1_700_000_000_123_456_789))
    (one,) = find([file])
    assert one == Found(str(file), str(file), 5, 1_700_000_000_123_456_789, file.stat().st_ctime_ns, None)


def test_overlapping_paths_give_each_file_once(tmp_path: Path) -> None:
    put(tmp_path / "in/a")
    assert names(find([tmp_path / "in", tmp_path / "in/a", tmp_path, str(tmp_path / "in")]), tmp_path) == ["in/a"]


def test_a_relative_path_becomes_absolute_and_its_links_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "real/a")
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert [one.source_path for one in find(["link/../link"])] == [str(tmp_path / "link/a")]


def test_loops_end_and_what_a_link_leads_to_is_found_once_under_its_own_path(tmp_path: Path) -> None:
    put(tmp_path / "runs/z/a")
    (tmp_path / "runs/alias").symlink_to(tmp_path / "runs/z")
    (tmp_path / "runs/z/loop").symlink_to(tmp_path / "runs")
    (tmp_path / "runs/a-link").symlink_to(tmp_path / "runs/z/a")
    assert names(find([tmp_path / "runs"]), tmp_path) == ["runs/z/a"]


def test_links_that_lead_out_are_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere/deep/a")
    put(tmp_path / "elsewhere.jsonl")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs/folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "runs/again").symlink_to(tmp_path / "elsewhere/deep")
    (tmp_path / "runs/file").symlink_to(tmp_path / "elsewhere.jsonl")
    assert names(find([tmp_path / "runs"]), tmp_path) == ["runs/again/a", "runs/file"]


def test_hard_links_are_files_of_their_own(tmp_path: Path) -> None:
    os.link(put(tmp_path / "a"), tmp_path / "b")
    assert names(find([tmp_path]), tmp_path) == ["a", "b"]


def test_what_cannot_be_opened_is_found_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "good")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "self").symlink_to("self")
    monkeypatch.chdir(tmp_path)  # a socket's path has to be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert {Path(one.source_path).name: one.error for one in find([tmp_path])} == {
            "good": None,
            "pipe": "a named pipe",
            "dangling": "No such file or directory",
            "self": "Too many levels of symbolic links",
            "socket": "a socket",
        }


def test_a_device_is_not_opened() -> None:
    assert [(one.source_path, one.error) for one in find(["/dev/null"])] == [("/dev/null", "a device")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed_is_found_as_such(tmp_path: Path) -> None:
    put(tmp_path / "locked/a")
    (tmp_path / "locked").chmod(0)
    try:
        assert [(one.source_path, one.error) for one in find([tmp_path])] == [(str(tmp_path / "locked"), "Permission denied")]
    finally:
        (tmp_path / "locked").chmod(0o700)


def test_a_name_that_is_no_utf8_is_stored_with_escapes_and_can_be_opened(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/caf\xe9-\xe2\x82\xac"
    with open(raw, "wb") as file:  # noqa: PTH123 (a name of bytes)
        file.write(b"one\n")
    (one,) = find([tmp_path])
    assert one.source_path == f"{tmp_path}/caf\\xe9-€"
    assert list(open_lines(one.file)) == [(1, 0, b"one")]


def test_a_store_below_a_path_is_left_out(tmp_path: Path) -> None:
    put(tmp_path / ".agentlog/generations/1/events/part-000001-0001.parquet")
    put(tmp_path / ".agentlog/ingest.lock")
    put(tmp_path / "generations/no-store")
    assert names(find([tmp_path]), tmp_path) == ["generations/no-store"]


def test_a_path_that_does_not_exist_is_named_before_anything_is_found(tmp_path: Path) -> None:
    with pytest.raises(PathError, match=r"/nowhere: No such file or directory$"):
        find([tmp_path, tmp_path / "nowhere"])
    with pytest.raises(PathError, match=r"^the empty path: "):
        find([""])


def test_standard_input_is_named_by_its_content(tmp_path: Path) -> None:
    (one,) = find(["-"])
    assert (one.source_path, one.file) == ("-", "-")
    content = b'{"type":"system"}\n'
    packed = gzip.compress(content)
    spooled = spool(io.BytesIO(packed), str(tmp_path / "copy"))
    assert spooled == Found("stdin:" + hashlib.sha256(content).hexdigest()[:16], str(tmp_path / "copy"), len(packed))
    assert (tmp_path / "copy").read_bytes() == packed


# --- lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [(1, 0, b"")]),
        (b"a", [(1, 0, b"a")]),
        (b"a\n", [(1, 0, b"a")]),
        (b"a\r\n\nb", [(1, 0, b"a\r"), (2, 3, b""), (3, 4, b"b")]),
        (b"a\x0bb\x0cc\x1cd\xc2\x85e\xe2\x80\xa8f\rg\n", [(1, 0, b"a\x0bb\x0cc\x1cd\xc2\x85e\xe2\x80\xa8f\rg")]),
        (b"\0\0\n\0", [(1, 0, b"\0\0"), (2, 3, b"\0")]),
        (BOM + b"a\nb", [(1, 3, b"a"), (2, 5, b"b")]),
        (BOM, []),
        (b"a\n" + BOM + b"b\n", [(1, 0, b"a"), (2, 2, BOM + b"b")]),
    ],
)
def test_lines_end_at_newlines_only(content: bytes, lines: Sequence[Line]) -> None:
    assert lines_of(content) == lines


@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), min_size=1))
def test_lines_and_newlines_are_the_content(rows: list[bytes]) -> None:
    content = b"x" + b"\n".join(rows)  # not a document, nor a byte order mark
    lines = lines_of(content, limit=1000)
    assert b"\n".join(data for _, _, data in lines) == content.removesuffix(b"\n")
    assert all(content[offset : offset + len(data)] == data for _, offset, data in lines)
    assert [line_no for line_no, _, _ in lines] == list(range(1, content.removesuffix(b"\n").count(b"\n") + 2))


def test_hashes_and_size_are_of_the_content() -> None:
    lines = Lines(io.BytesIO(gzip.compress(BOM + b"one\ntwo")))
    assert len(list(lines)) == 2
    assert (lines.content_hash, lines.content_bytes) == (hashlib.sha256(BOM + b"one\ntwo").hexdigest(), 10)
    assert lines.head_hash == hashlib.sha256(b"one").hexdigest()
    assert lines.damage is None


def test_an_empty_file_has_a_hash_and_no_head() -> None:
    lines = Lines(io.BytesIO(b""))
    assert list(lines) == []
    assert (lines.content_hash, lines.content_bytes, lines.head_hash) == (hashlib.sha256(b"").hexdigest(), 0, None)


def test_a_line_longer_than_the_limit_is_cut_and_the_next_is_whole() -> None:
    lines = Lines(io.BytesIO(b"12345\n123456\n" + b"x" * 5_000_000 + b"\nlast"), limit=5)
    assert list(lines) == [(1, 0, b"12345"), (2, 6, b"123456"), (3, 13, b"xxxxxx"), (4, 5_000_014, b"last")]
    assert lines.whole_lengths == {2: 6, 3: 5_000_000}


def test_a_long_last_line_without_newline_is_cut() -> None:
    lines = Lines(io.BytesIO(b"x" * 3_000_000), limit=100)
    assert list(lines) == [(1, 0, b"x" * 101)]
    assert lines.whole_lengths == {1: 3_000_000}


def test_lines_of_many_buffers_are_whole(tmp_path: Path) -> None:
    random_ = random.Random(7)
    rows = [random_.randbytes(size).replace(b"\n", b"") for size in (3_000_000, 0, 1_048_576, 5, 2_500_000)]
    file = put(tmp_path / "a", b"\n".join(rows))
    assert [data for _, _, data in open_lines(file)] == rows


def test_a_pipe_is_read_as_it_comes() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as reader, open(writing, "wb", buffering=0) as writer:  # noqa: PTH123 (descriptors)
        lines = iter(open_lines(reader))
        writer.write(b'{"a":1}\n{"b"')
        assert next(lines) == (1, 0, b'{"a":1}')
        writer.write(b":2}\n")
        assert next(lines) == (2, 8, b'{"b":2}')
        writer.close()
        assert list(lines) == []


def test_an_iteration_that_is_broken_off_closes_the_file(tmp_path: Path) -> None:
    with open_lines(put(tmp_path / "a", b"1\n2\n")) as lines:
        assert next(iter(lines)) == (1, 0, b"1")
    assert lines.content_hash is None


def test_a_file_that_was_handed_over_open_stays_open() -> None:
    file = io.BytesIO(b"1\n")
    assert list(open_lines(file)) == [(1, 0, b"1")]
    assert not file.closed


def test_a_file_that_cannot_be_opened_raises_when_it_is_read(tmp_path: Path) -> None:
    lines = open_lines(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        list(lines)


# --- archives


def zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(content)


SKIPPABLE_FRAME = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"


@pytest.mark.parametrize(
    "packed",
    [
        gzip.compress(b"one\ntwo\n"),
        gzip.compress(b"one\nt") + gzip.compress(b"") + gzip.compress(b"wo\n"),
        gzip.compress(b"one\nt") + b"\0" * 700 + gzip.compress(b"wo\n") + b"\0" * 70_000,
        zstd(b"one\ntwo\n"),
        zstd(b"one\nt") + zstd(b"") + zstd(b"wo\n"),
        SKIPPABLE_FRAME + zstd(b"one\nt") + SKIPPABLE_FRAME + zstd(b"wo\n"),
    ],
    ids=["gzip", "gzip members", "gzip padded", "zstd", "zstd frames", "pzstd"],
)
def test_an_archive_is_known_by_its_first_bytes(packed: bytes, tmp_path: Path) -> None:
    lines = open_lines(put(tmp_path / "plain.jsonl", packed))
    assert list(lines) == [(1, 0, b"one"), (2, 4, b"two")]
    assert lines.damage is None
    assert lines.content_hash == hashlib.sha256(b"one\ntwo\n").hexdigest()


def test_archives_may_come_through_a_pipe_in_small_pieces() -> None:
    class Dribble(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.data = data

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1, /) -> bytes:  # noqa: ARG002
            piece, self.data = self.data[:3], self.data[3:]
            return piece

    for packed in (gzip.compress(b"one\ntwo"), zstd(b"one\ntwo"), b"one\ntwo"):
        assert list(open_lines(Dribble(packed))) == [(1, 0, b"one"), (2, 4, b"two")]  # type: ignore[arg-type]


def numbered(count: int) -> bytes:
    random_ = random.Random(3)
    return b"".join(b"%d %s\n" % (number, random_.randbytes(30).hex().encode()) for number in range(count))


def test_a_gzip_that_ends_early_gives_what_lies_before() -> None:
    content = numbered(20_000)
    packed = gzip.compress(content)
    lines = Lines(io.BytesIO(packed[: len(packed) // 2]))
    given_ = list(lines)
    assert 9_000 < len(given_) < 11_000
    assert b"\n".join(data for _, _, data in given_) == content[: lines.content_bytes].removesuffix(b"\n")
    assert lines.damage == (lines.content_bytes, "gzip: the file ends early")


def test_a_gzip_that_breaks_gives_all_up_to_the_break() -> None:
    content = numbered(20_000)
    packed = bytearray(gzip.compress(content))
    middle = len(packed) // 2
    packed[middle : middle + 64] = b"\xff" * 64
    lines = Lines(io.BytesIO(packed))
    given_ = list(lines)
    unpacker = zlib.decompressobj(31)
    sure = b"".join(unpacker.decompress(packed[at : at + 1]) for at in range(middle))
    assert lines.damage is not None
    assert lines.damage.text.startswith("gzip: Error -3")
    assert (lines.content_bytes or 0) >= len(sure) > 100_000
    assert b"\n".join(data for _, _, data in given_).startswith(sure.removesuffix(b"\n"))


def test_a_wrong_checksum_and_a_tail_that_is_no_archive_lose_nothing() -> None:
    packed = gzip.compress(b"one\ntwo\n")
    for broken in (packed[:-8] + bytes(byte ^ 1 for byte in packed[-8:-4]) + packed[-4:], packed + b"tail"):
        lines = Lines(io.BytesIO(broken))
        assert [data for _, _, data in lines] == [b"one", b"two"]
        assert lines.damage is not None
        assert lines.damage.offset == 8


def test_a_zstd_that_ends_early_gives_its_whole_blocks() -> None:
    content = numbered(20_000)
    packed = zstd(content)
    lines = Lines(io.BytesIO(packed[: len(packed) // 2]))
    given_ = list(lines)
    assert len(given_) > 5_000
    assert b"\n".join(data for _, _, data in given_) == content[: lines.content_bytes].removesuffix(b"\n")
    assert lines.damage == (lines.content_bytes, "zstd: the file ends early")


@pytest.mark.parametrize(
    ("name", "packed"),
    [("gzip", gzip.compress(b'{"type":"system"}\n')), ("zstd", zstd(b'{"type":"system"}\n'))],
    ids=["gzip", "zstd"],
)
def test_an_archive_cut_anywhere_in_its_first_block_is_a_damaged_one(name: str, packed: bytes) -> None:
    for cut in range(2, len(packed)):
        lines = Lines(io.BytesIO(packed[:cut]))
        assert b'{"type":"system"}\n'.startswith(b"".join(data for _, _, data in lines))
        assert lines.damage == (lines.content_bytes, f"{name}: the file ends early")


def test_a_zstd_that_breaks_says_so() -> None:
    packed = bytearray(zstd(numbered(20_000)))
    packed[len(packed) // 2] ^= 255
    lines = Lines(io.BytesIO(packed))
    assert len(list(lines)) > 1_000
    assert lines.damage is not None
    assert lines.damage.text.startswith("zstd: ")


def test_what_unpacks_to_very_much_is_read_in_little_memory() -> None:
    import tracemalloc

    packed = zstd(bytes(200 << 20))
    tracemalloc.start()
    lines = Lines(io.BytesIO(packed), limit=1000)
    assert [len(data) for _, _, data in lines] == [1001]
    assert lines.whole_lengths == {1: 200 << 20}
    assert tracemalloc.get_traced_memory()[1] < 80 << 20
    tracemalloc.stop()


def test_content_of_prefixes() -> None:
    assert prefix_digests(io.BytesIO(gzip.compress(b"abcdef")), [6, 2, 9]) == {
        2: hashlib.sha256(b"ab").hexdigest(),
        6: hashlib.sha256(b"abcdef").hexdigest(),
    }


def test_what_is_pushed_back_is_hashed_once() -> None:
    with Content(io.BytesIO(b"abcdef")) as content:
        content.push_back(content.read(3) or b"")
        assert b"".join(iter(lambda: content.read(100), b"")) == b"abcdef"
        assert (content.size, content.hexdigest()) == (6, hashlib.sha256(b"abcdef").hexdigest())


# --- documents

A, B, C = b'{"type":"a"}', b'{"type":"b","x":"]}, [{\\"\\\\"}', b'{"c":[{"d":{}}]}'


def elements_of(content: bytes, limit: int = 1 << 20) -> list[bytes]:
    """The lines of a document; their offsets are checked on the way."""
    lines = Lines(io.BytesIO(content), limit)
    given_ = list(lines)
    assert lines.is_document
    assert [line_no for line_no, _, _ in given_] == list(range(1, len(given_) + 1))
    assert all(content[offset : offset + len(data)] == data for _, offset, data in given_)
    assert (lines.content_hash, lines.content_bytes) == (hashlib.sha256(content).hexdigest(), len(content))
    return [data for _, _, data in given_]


@pytest.mark.parametrize(
    ("content", "elements"),
    [
        (b"[" + A + b"," + B + b"," + C + b"]", [A, B, C]),
        (b" \r\n[ " + A + b" ,\n" + B + b" ]\n\n", [A, B]),
        (BOM + b"[" + A + b"]", [A]),
        (b"[\n  " + A + b",\n  " + B + b"\n]\n", [A, B]),
        (b"[]", []),
        (b"[ \n ]\n", []),
        (
            b"[" + A + b',1,-2.5e3,"x,]\\"y",null,true,[1,[2]],' + B + b"]",
            [A, b"1", b"-2.5e3", b'"x,]\\"y"', b"null", b"true", b"[1,[2]]", B],
        ),
        (b"[null," + A + b"]", [b"null", A]),
        (b'[1,null,"x",[],' + A + b",[{}]]\n", [b"1", b"null", b'"x"', b"[]", A, b"[{}]"]),
        (b'[\n  "]\\"[",\n  ' + A + b",\n  true\n]\n", [b'"]\\"["', A, b"true"]),
        (b"[[" + A + b"]]", [b"[" + A + b"]"]),
        (b"[\n [\n  " + A + b"\n ]\n]", [b"[\n  " + A + b"\n ]"]),
        (b"[1, 2]\n\n", [b"1", b"2"]),
        (b"[null," + A + b"]\n[-1.5e3,\n" + B + b"]", [b"null", A, b"-1.5e3", B]),
        (b'{\n  "type": "a"\n}\n', [b'{\n  "type": "a"\n}']),
        (b'{\r\n"type": "a"\r\n}\r\n{\r\n}', [b'{\r\n"type": "a"\r\n}', b"{\r\n}"]),
        (b'{\n "a": {\n  "b": "}"\n }\n}' + A + b"\n\n" + B + b",\n" + C, [b'{\n "a": {\n  "b": "}"\n }\n}', A, B, C]),
    ],
    ids=[
        *("compact", "spaced", "mark", "one a line", "empty", "empty, spaced", "mixed", "null first", "scalars first", "text first"),
        *("array first", "array first, spaced", "scalars", "two arrays", "object", "objects", "glued objects"),
    ],
)
def test_a_document_gives_its_elements(content: bytes, elements: list[bytes]) -> None:
    assert elements_of(content) == elements


def test_a_pretty_printed_array_gives_its_elements_as_they_stand() -> None:
    content = b'[\n  {\n    "type": "a",\n    "b": [\n      {}\n    ]\n  },\n  {\n    "type": "c"\n  }\n]\n'
    assert elements_of(content) == [b'{\n    "type": "a",\n    "b": [\n      {}\n    ]\n  }', b'{\n    "type": "c"\n  }']


@pytest.mark.parametrize(
    "content",
    [
        b"[1,2,3]\n" + A + b"\n",
        b"[]\n" + A + b"\n",
        b"[" + A + b"]\n" + B + b"\n",
        b"[1,2,3]\nwarning\n" + A + b"\n",
        b"[null," + A + b"]\n" + B + b"\n",
        b"[1234] started\n" + A,
        b"[12:30:01] started,\n" + A,
        b"[2026-03-01, 12] started\n" + A,
        b"[[main]] x\n" + A,
        b'["a" started]\n' + A,
        b"[debug] {}\n" + A,
        b"[{main}] started\n" + A,
        b"[\n",
        b"[",
        b"{\n",
        b"{\n" + A + b"\n",
        b"{ \n\n[",
        A + b"\n[" + B + b"]\n",
        b'{"type":"a",\n"b":1}\n',
        b"{}\n",
        b"\n\n\n",
        b"text [\n{}",
    ],
)
def test_what_is_no_document_is_read_line_by_line(content: bytes) -> None:
    lines = Lines(io.BytesIO(content))
    assert [data for _, _, data in lines] == content.removesuffix(b"\n").split(b"\n")
    assert not lines.is_document


@pytest.mark.parametrize(
    ("content", "elements"),
    [
        (b"[" + A + b"," + B + b',{"type":"c', [A, B, b'{"type":"c']),
        (b"[" + A + b"," + B, [A, B]),
        (b"[" + A + b",", [A]),
        (b'[\n  {\n    "a": 1\n  },\n  {\n    "b": {\n      "c', [b'{\n    "a": 1\n  }', b'{\n    "b": {\n      "c']),
        (b'{\n  "a": "x', [b'{\n  "a": "x']),
        (b"[" + A + b" npm WARN, [old] \r\n" + B + b"]\n", [A, b"npm WARN, [old]", B]),
        (b"[" + A + b"]\nDone in 3 s\n\nBye", [A, b"Done in 3 s", b"Bye"]),
        (b"[" + A + b"]\n[" + B + b"]\n[\n" + C + b"\n]", [A, B, C]),
        (b'{\n"a":1\n}\nerror: "\n{\n"b":2\n}', [b'{\n"a":1\n}', b'error: "', b'{\n"b":2\n}']),
        (b'[\n  {\n    "a": "cut\n  {\n    "b": 2\n  },\n  ' + A + b"\n]", [b'{\n    "a": "cut', b'{\n    "b": 2\n  }', A]),
        (b'{\n  "a": {\n{\n  "b": 2\n}\n', [b'{\n  "a": {', b'{\n  "b": 2\n}']),
    ],
)
def test_elements_around_damage_are_recovered(content: bytes, elements: list[bytes]) -> None:
    assert elements_of(content) == elements


def test_any_cut_of_a_document_keeps_the_elements_before_it() -> None:
    content = b'[\n  {\n    "a": "]}\\\\"\n  },\n  ' + B + b",\n  [1, {}]\n]\n"
    whole = [b'{\n    "a": "]}\\\\"\n  }', B, b"[1, {}]"]
    ends = [content.index(element) + len(element) for element in whole]
    for cut in range(ends[0], len(content)):
        complete = sum(end <= cut for end in ends)
        elements = elements_of(content[:cut])
        assert elements[:complete] == whole[:complete]
        assert len(elements) <= complete + 1


def test_elements_of_many_buffers_are_whole() -> None:
    random_ = random.Random(11)
    rows = [
        b'{"%d":"%s"}' % (number, random_.randbytes(size).hex().encode()) for number, size in enumerate((1_200_000, 10, 3_000_000, 600_000))
    ]
    assert elements_of(b"[" + b", ".join(rows) + b"]", limit=8_000_000) == rows
    assert elements_of(b'{\n"a":1\n}\n' + b"\n".join(rows), limit=8_000_000)[1:] == rows


def test_an_element_longer_than_the_limit_is_cut_and_the_next_is_whole() -> None:
    long = b'{"a":"' + b"x" * 3_000_000 + b'"}'
    pretty = b'{\n  "b": "' + b"y" * 5_000_000 + b'"\n}'
    lines = Lines(io.BytesIO(b"[\n" + A + b",\n" + long + b",\n" + pretty + b",\n" + C + b"\n]"), limit=100)
    assert [data for _, _, data in lines] == [A, long[:101], pretty[:101], C]
    assert lines.whole_lengths == {2: len(long) + 1, 3: len(pretty) + 1}  # the comma goes with an element whose end was not looked for


def test_brackets_that_go_too_deep_end_with_their_line_and_lose_nothing() -> None:
    deep = b"[" * 1_500_000
    assert elements_of(b"[\n" + A + b",\n" + deep + b",\n" + B + b"\n]", limit=8_000_000) == [A, deep + b",", B]


def test_after_many_broken_elements_the_rest_comes_line_by_line() -> None:
    content = b'{\n"a":\n' + b"{\n" * 40 + A + b"\n" + B + b"\n"
    assert elements_of(content)[-2:] == [A, B]


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text('ab"]}{[,\\\n', max_size=4)
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner, max_size=3)),
    max_leaves=5,
)


@given(st.lists(values, min_size=1), st.sampled_from([None, 1]), st.integers(1, 50))
def test_an_array_of_anything_gives_its_elements(array: list[Any], indent: int | None, piece: int) -> None:
    content = json.dumps(array, indent=indent).encode()
    assert [json.loads(element) for element in elements_of(content)] == array
    decided = [is_document(content[:end], is_whole=False) for end in range(0, len(content), piece)]
    assert set(decided) <= {None, True}


@given(st.binary(max_size=60), st.integers(0, 60))
def test_nothing_but_blanks_and_commas_lies_between_elements(noise: bytes, at: int) -> None:
    document = b'[{"a":[1,{"b":"x]"}]},\n {"c":"\\""}, [2]]\n{\n"d": 1\n}'
    content = b"[{}," + document[:at] + noise + document[at:]
    lines = Lines(io.BytesIO(content))
    end = 0
    for _, offset, data in lines:
        assert content[offset : offset + len(data)] == data
        if lines.is_document:
            assert not content[end:offset].strip(b" \t\r\n,[]")
        end = offset + len(data)


def test_a_document_comes_through_a_pipe_that_cannot_seek() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as reader:  # noqa: PTH123 (a descriptor)
        os.write(writing, b" [")
        os.write(writing, A + b"," + B)
        os.close(writing)
        assert [data for _, _, data in open_lines(reader)] == [A, B]


def test_a_packed_document_gives_its_elements() -> None:
    assert [data for _, _, data in open_lines(io.BytesIO(gzip.compress(b"[" + A + b"]")))] == [A]
