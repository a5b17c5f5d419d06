"""Paths → files → numbered lines: what there is to read, and its physical lines.

`find` names every file below the paths once, in a stable order, and what cannot be opened as well; it reads nothing. `Lines` gives the lines of one file
with their place, whatever the file is called and however it is packed: every byte of the content is in a line, a newline, or between the elements of a
document. This module knows no JSON beyond brackets, and no harness.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections import deque
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from agentlog.content import Content, Damage, Readable, digest
from agentlog.documents import HEAD_BYTES, elements, is_document
from agentlog.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Self

STANDARD_INPUT: Final = "-"
STANDARD_INPUT_PREFIX: Final = "stdin:"
MAX_LINE_BYTES: Final = 64 << 20
"""A longer line is given cut to one byte more than this; it is twice what the API takes as a whole request."""

_BOM: Final = b"\xef\xbb\xbf"
_BUFFER_BYTES: Final = 1 << 20
_NEWLINE: Final = 10
_SPECIAL: Final = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_STORE_MARKS: Final = ("current", "ingest.lock")
"""A folder that holds one of them beside `generations` is a store."""


class Found(NamedTuple):
    """One file to read, or one entry that cannot be opened."""

    source_path: str
    """Absolute, links in it left alone; bytes that are no UTF-8 as `\\xNN`."""
    file: Readable
    """What to open."""
    size: int | None = None
    modified_ns: int | None = None
    changed_ns: int | None = None
    error: str | None = None
    """Why it cannot be opened: nobody should try."""


def find(paths: Sequence[str | Path]) -> Iterator[Found]:
    """The files below each path in sorted order, each `source_path` once; `-` is standard input and found as `-`.

    Below one path links to folders and files are followed, but nothing is found a second time through a link. A folder that is a store is left out.
    Raises PathError, before anything is found, for a path that does not exist.
    """
    check(paths)
    return _once(chain.from_iterable(_below(os.fspath(path)) for path in paths))


def check(paths: Sequence[str | Path]) -> None:
    """Raise PathError for the first path that does not exist."""
    for path in [os.fspath(path) for path in paths]:
        try:
            if path != STANDARD_INPUT:
                os.lstat(path)
        except OSError as error:
            raise PathError(f"{shown(path) or 'the empty path'}: {error.strerror}") from error


def spool(stream: BinaryIO, file: str) -> Found:
    """Standard input, copied to a file so that it can be read like any other; named by its content, under which it is found again."""
    with Path(file).open("xb") as copy:
        while chunk := stream.read(_BUFFER_BYTES):
            copy.write(chunk)
        size = copy.tell()
    return Found(f"{STANDARD_INPUT_PREFIX}{digest(file)[:16]}", file, size)


def shown(path: str) -> str:
    """A path of the file system as text that can be stored."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "backslashreplace")


class Lines:
    """The lines of one file: `(line_no from 1, offset in the content, bytes)`, the newline taken off (a carriage return before it is left).

    The elements of a JSON array or of pretty-printed JSON are its lines. A byte order mark at the start is no part of the first line. A line that is
    longer than `limit` bytes is given as its first `limit + 1`. Iterating raises OSError where the file cannot be opened or read.
    """

    def __init__(self, file: Readable, limit: int = MAX_LINE_BYTES) -> None:
        self.file, self.limit = file, limit
        self.is_document = False
        self.content_hash: str | None = None
        """SHA-256 of the content, once all lines were given; so are the next two."""
        self.content_bytes: int | None = None
        self.damage: Damage | None = None
        """Where and why an archive ends before its time."""
        self.head_hash: str | None = None
        """SHA-256 of the first line; NULL in an empty file."""
        self.whole_lengths: dict[int, int] = {}
        """Line number → length in bytes of the lines that were cut."""

        self._content: Content | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[tuple[int, int, bytes]]:
        for line_no, offset, lines in self.blocks():
            at = offset
            for number, line in enumerate(lines, line_no):
                yield number, at, line.removesuffix(b"\n")
                at += len(line)

    def blocks(self) -> Iterator[tuple[int, int, Sequence[bytes]]]:
        """The same lines many at a time, which is much quicker: number and offset of the first, and lines that follow one another, newlines left on."""
        self.close()
        with Content(self.file) as content:
            self._content = content
            blocks = self._blocks(content)
            for first in blocks:
                self.head_hash = hashlib.sha256(first[2][0].removesuffix(b"\n")).hexdigest()
                yield first
                yield from blocks
            self.content_hash, self.content_bytes, self.damage = content.hexdigest(), content.size, content.damage

    def close(self) -> None:
        """Close the file of an iteration that was broken off."""
        if self._content is not None:
            self._content.close()
            self._content = None

    def _blocks(self, content: Content) -> Iterator[tuple[int, int, Sequence[bytes]]]:
        head, start = b"", 0
        decided = None
        while decided is None:
            chunk = content.read(HEAD_BYTES) or b""
            head += chunk
            start = len(_BOM) if head.startswith(_BOM) else 0
            decided = is_document(head[start:], is_whole=not chunk or len(head) >= HEAD_BYTES)
        self.is_document = decided
        content.push_back(head[start:])
        reader = io.BufferedReader(content, _BUFFER_BYTES)
        if decided:
            return self._elements(reader, start)
        if content.bound is not None and content.bound <= self.limit:
            return self._many(reader, start)
        return self._one_by_one(reader, start)

    def _elements(self, reader: io.BufferedReader[Any], start: int) -> Iterator[tuple[int, int, Sequence[bytes]]]:
        for number, offset, data in elements(reader.read, start, self.limit, self.whole_lengths):
            yield number, offset, (data,)

    @staticmethod
    def _many(reader: io.BufferedReader[Any], offset: int) -> Iterator[tuple[int, int, Sequence[bytes]]]:
        """The lines of content that is too short for a line that is too long."""
        line_no = 1
        while lines := reader.readlines(_BUFFER_BYTES):
            yield line_no, offset, lines
            line_no += len(lines)
            offset += sum(map(len, lines))

    def _one_by_one(self, reader: io.BufferedReader[Any], offset: int) -> Iterator[tuple[int, int, Sequence[bytes]]]:
        longest = self.limit + 1
        readline = reader.readline
        line_no = 0
        while line := readline(longest):
            line_no += 1
            begin, length = offset, len(line)
            if line[-1] != _NEWLINE and length == longest:
                length = self._skip_line(reader, line_no, length)
            offset += length
            yield line_no, begin, (line,)

    def _skip_line(self, reader: io.BufferedReader[Any], line_no: int, length: int) -> int:
        """Read on to the end of a line that is too long; its length, the newline included."""
        while rest := reader.readline(_BUFFER_BYTES):
            length += len(rest)
            if rest[-1] == _NEWLINE:
                self.whole_lengths[line_no] = length - 1
                return length
        self.whole_lengths[line_no] = length
        return length


def open_lines(file: Readable) -> Lines:
    """The lines of a path or of a binary file; nothing is opened before they are iterated."""
    return Lines(file)


def _once(found: Iterable[Found]) -> Iterator[Found]:
    seen: set[str] = set()
    for one in found:
        if one.source_path not in seen:
            seen.add(one.source_path)
            yield one


def _below(root: str) -> list[Found]:
    if root == STANDARD_INPUT:
        return [Found(STANDARD_INPUT, STANDARD_INPUT)]
    return sorted(_Walk(os.path.abspath(root)).found, key=lambda one: one.source_path)  # noqa: PTH100 (links in it are left alone)


class _Walk:
    """What lies below one path. What is there itself goes before what links lead to, so that a link never takes the place of the real thing."""

    def __init__(self, root: str) -> None:
        self.found: list[Found] = []
        self._links: deque[str] = deque()
        self._seen: set[tuple[int, int]] = set()
        """Device and inode of the folders and files found, where a link could lead."""
        self._visit(root)
        while self._links:
            self._visit(self._links.popleft())

    def _visit(self, path: str) -> None:
        """A path that was given, or a link: whatever is at its end."""
        try:
            status = Path(path).stat()
        except OSError as error:
            self._refuse(path, error)
            return
        if (status.st_dev, status.st_ino) in self._seen:
            return
        if stat.S_ISDIR(status.st_mode):
            self._folder(path, status)
        else:
            self._file(path, status)

    def _folder(self, top: str, top_status: os.stat_result) -> None:
        folders = [(top, top_status)]
        while folders:
            path, status = folders.pop()
            if (status.st_dev, status.st_ino) in self._seen:
                continue
            self._seen.add((status.st_dev, status.st_ino))
            try:
                with os.scandir(path) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                self._refuse(path, error)
                continue
            if not _is_store(listed):
                folders += self._entries(listed)

    def _entries(self, listed: list[os.DirEntry[str]]) -> list[tuple[str, os.stat_result]]:
        """Take the files of a folder; its folders are given back."""
        folders = []
        for entry in listed:
            if entry.is_symlink():
                self._links.append(entry.path)
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # it went since the folder was listed
            except OSError as error:
                self._refuse(entry.path, error)
                continue
            if stat.S_ISDIR(status.st_mode):
                folders.append((entry.path, status))
            else:
                self._file(entry.path, status)
        return folders

    def _file(self, path: str, status: os.stat_result) -> None:
        self._seen.add((status.st_dev, status.st_ino))
        kind = None if stat.S_ISREG(status.st_mode) else _SPECIAL.get(stat.S_IFMT(status.st_mode), "no regular file")
        self.found.append(Found(shown(path), path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, kind))

    def _refuse(self, path: str, error: OSError) -> None:
        self.found.append(Found(shown(path), path, error=error.strerror or str(error)))


def _is_store(listed: list[os.DirEntry[str]]) -> bool:
    names = {entry.name for entry in listed}
    return "generations" in names and not names.isdisjoint(_STORE_MARKS)
