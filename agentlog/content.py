"""File → content: the decompressed bytes of a source, hashed as they pass.

gzip (all members) and zstd (all frames) are told by their first bytes, never by a name; anything else is content as it stands. An archive that ends
early or breaks gives what lies before the break and says so in `Content.damage`; it never raises for that. Memory stays bounded whatever an archive
unpacks to. This module knows nothing of lines.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zlib
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Self

    from _typeshed import WriteableBuffer

    Read = Callable[[int], bytes]

Readable = str | bytes | os.PathLike[str] | BinaryIO
"""What can be read: a path, or a binary file that is open already (which stays open)."""

_GZIP: Final = re.compile(rb"\x1f\x8b(?:\x08|\Z)")
"""A member, or its first two bytes in a file that ends there: no text begins with them."""
_ZSTD: Final = re.compile(rb"\x28\xb5(?:\x2f(?:\xfd|\Z)|\Z)|[\x50-\x5f]\x2a\x4d\x18")
"""A frame or the beginning of one, or a skippable frame, with which pzstd begins its files."""

_MAGIC_BYTES: Final = 4
_PACKED_BYTES: Final = 65_536
_UNPACKED_BYTES: Final = 1 << 20
_ZSTD_PIECE: Final = 512
"""zstd is fed so little at a time because nothing else bounds what one call gives: a block of 4 bytes may become 128 KiB."""


class Damage(NamedTuple):
    """Where (offset in the content) and why an archive ends before its time."""

    offset: int
    text: str


class DamagedArchiveError(Exception):
    """The archive cannot be unpacked any further."""


class Content(io.RawIOBase):
    """The decompressed bytes of one file, to be put under an `io.BufferedReader`.

    `size` (bytes) and `hexdigest()` (SHA-256) speak of what was read so far: of the whole content once a read has given nothing.
    Raises OSError where the file cannot be opened or read.
    """

    def __init__(self, file: Readable) -> None:
        super().__init__()
        self.size = 0
        self.damage: Damage | None = None
        self.bound: int | None = None
        """The content is no longer than this; NULL where that is not known before it is read."""
        self._hash = hashlib.sha256()
        self._pushed = b""
        self._is_ours = isinstance(file, (str, bytes, os.PathLike))
        self._file: BinaryIO = io.FileIO(file) if isinstance(file, (str, bytes, os.PathLike)) else file
        try:
            self._fill = self._filler()
        except OSError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def readable(self) -> bool:
        """Content is for reading."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer as far as there is something to give; 0 at the end, and where the archive breaks."""
        view = memoryview(buffer).cast("B")
        if self._pushed:
            count = min(len(view), len(self._pushed))
            view[:count], self._pushed = self._pushed[:count], self._pushed[count:]
            return count
        try:
            count = self._fill(view)
        except DamagedArchiveError as error:
            self.damage = self.damage or Damage(self.size, str(error))
            return 0
        self._hash.update(view[:count])
        self.size += count
        return count

    def push_back(self, data: bytes) -> None:
        """Give these bytes, which were read before, once more; they are counted and hashed already."""
        self._pushed = data + self._pushed

    def hexdigest(self) -> str:
        """SHA-256 of the content read so far."""
        return self._hash.hexdigest()

    def close(self) -> None:
        """Close the file, unless the caller opened it."""
        if not self.closed and self._is_ours:
            self._file.close()
        super().close()

    def _filler(self) -> Callable[[memoryview], int]:
        read = _reader(self._file)
        magic = read(_MAGIC_BYTES)
        while 0 < len(magic) < _MAGIC_BYTES and (more := read(_MAGIC_BYTES - len(magic))):
            magic += more
        if _GZIP.match(magic):
            return _from_chunks(_gunzip(_prepended(magic, read)))
        if _ZSTD.match(magic):
            return _from_chunks(_unzstd(_prepended(magic, read)))
        if isinstance(self._file, io.FileIO):
            self.bound = os.fstat(self._file.fileno()).st_size
        fill = self._file.readinto if isinstance(self._file, io.FileIO) else _from_chunks(iter(lambda: read(_UNPACKED_BYTES), b""))
        return _after(magic, fill)


def digest(file: Readable) -> str:
    """SHA-256 of a file's content. Raises OSError where it cannot be read."""
    with Content(file) as content:
        while content.read(_UNPACKED_BYTES):
            pass
        return content.hexdigest()


def prefix_digests(file: Readable, lengths: Iterable[int]) -> dict[int, str]:
    """SHA-256 of the first so many bytes of a file's content, for each length that is not above its own. Raises OSError where it cannot be read."""
    found = {}
    with Content(file) as content:
        for length in sorted(lengths):
            while content.size < length and content.read(min(_UNPACKED_BYTES, length - content.size)):
                pass
            if content.size == length:
                found[length] = content.hexdigest()
    return found


def _reader(file: BinaryIO) -> Read:
    """A read that gives what there is rather than wait for the full amount, where the file knows how."""
    read: Read = getattr(file, "read1", file.read)
    return read


def _prepended(head: bytes, read: Read) -> Read:
    pending = [head]
    return lambda size: pending.pop() if pending else read(size)


def _after(head: bytes, fill: Callable[[memoryview], int | None]) -> Callable[[memoryview], int]:
    """A fill that gives `head` before all else."""
    pending = [head] if head else []

    def filled(view: memoryview) -> int:
        if pending:
            return _take(pending, view)
        return fill(view) or 0

    return filled


def _from_chunks(chunks: Iterator[bytes]) -> Callable[[memoryview], int]:
    """A fill from an iterator of chunks that are not empty."""
    pending: list[bytes] = []

    def filled(view: memoryview) -> int:
        if not pending:
            pending.extend(chunk for chunk in (next(chunks, b""),) if chunk)
        return _take(pending, view) if pending else 0

    return filled


def _take(pending: list[bytes], view: memoryview) -> int:
    """Move as much of the pending chunk as fits."""
    chunk = pending.pop()
    count = min(len(chunk), len(view))
    view[:count] = chunk[:count]
    if count < len(chunk):
        pending.append(chunk[count:])
    return count


def _gunzip(read: Read) -> Iterator[bytes]:
    member = None
    packed = b""
    while packed := packed or read(_PACKED_BYTES):
        if member is None:
            packed = packed.lstrip(b"\0")  # tapes and some uploaders pad the space after a member
            if not packed:
                continue
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        before = member.copy()
        try:
            unpacked = member.decompress(packed, _UNPACKED_BYTES)
        except zlib.error as error:
            yield from _up_to_break(before, packed)
            raise DamagedArchiveError(f"gzip: {error}") from error
        if unpacked:
            yield unpacked
        packed = member.unused_data if member.eof else member.unconsumed_tail
        member = None if member.eof else member
    if member is not None:
        while unpacked := member.decompress(b"", _UNPACKED_BYTES):
            yield unpacked
        if not member.eof:
            raise DamagedArchiveError("gzip: the file ends early")


def _up_to_break(member: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    """What a member gives before the byte that breaks it; zlib drops that when it raises."""
    for at in range(len(packed)):
        try:
            unpacked = member.decompress(packed[at : at + 1])
        except zlib.error:
            return
        if unpacked:
            yield unpacked


def _unzstd(read: Read) -> Iterator[bytes]:
    import zstandard

    frame = None
    for piece in _pieces(read):
        packed = piece
        while packed:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                unpacked = frame.decompress(packed)
            except zstandard.ZstdError as error:
                raise DamagedArchiveError(f"zstd: {error}") from error
            if unpacked:
                yield unpacked
            packed = frame.unused_data if frame.eof else b""
            frame = None if frame.eof else frame
    if frame is not None:
        raise DamagedArchiveError("zstd: the file ends early")


def _pieces(read: Read) -> Iterator[bytes]:
    while packed := read(_PACKED_BYTES):
        for at in range(0, len(packed), _ZSTD_PIECE):
            yield packed[at : at + _ZSTD_PIECE]
