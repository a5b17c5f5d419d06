"""The store directory: which parts make up its present state, and how one state takes the place of another.

    STORE/current → generations/N            the one link that is switched
    STORE/events → current/events            likewise unreadable, sources: what globs go through
    STORE/generations/N/{events,unreadable,sources}/part-*.parquet, store.json
    STORE/ingest.lock, ingest.owner          who writes
    STORE/agentlog.duckdb, catalog.json      the catalog for other programs (written by `dataset`), and by what it was made

A generation is whole and on disk before the link is switched to it, and is never changed; parts that stay are hard links to the same files. The generation
before stays readable until the next publish. Whoever holds the lock may remove everything else. This module knows no sources and no decoding.
"""

from __future__ import annotations

import datetime as dt
import os
import platform
import re
import secrets
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from agentlog.durable import PRIVATE_FILE, cannot_write, flush, make_folder, remove, share, switch_link, write_file
from agentlog.errors import StoreError
from agentlog.events import SCHEMA_VERSION, TABLES, Source
from agentlog.parts import PART_TABLES, write_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    Derive = Callable[[Path], object]

DEFAULT_STORE: Final = ".agentlog"
CATALOG: Final = "agentlog.duckdb"

CURRENT: Final = "current"
GENERATIONS: Final = "generations"
LOCK: Final = "ingest.lock"
_OWNER: Final = "ingest.owner"
_MARK: Final = "store.json"
_STAMP: Final = "catalog.json"
_EMPTY_PART: Final = "part-empty.parquet"
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_OUR_NAMES: Final = {CURRENT, GENERATIONS, LOCK, _OWNER, CATALOG, f"{CATALOG}.wal", _STAMP, *TABLES}


def _nothing(_: Path) -> None:
    """Nothing follows from the parts."""


class Mark(msgspec.Struct):
    """`store.json`: what a generation says of itself."""

    schema_version: int


class Stamp(msgspec.Struct):
    """`catalog.json`: by what the catalog was made, and whether it is still that file."""

    fingerprint: str
    directory: str
    """The catalog's views speak of this place."""
    size: int
    modified_ns: int


class Owner(msgspec.Struct):
    """`ingest.owner`: who holds the lock."""

    pid: int
    host: str
    since: str


class Generation(NamedTuple):
    """One published state of a store: absolute paths that stay readable until the publish after the next."""

    number: int
    path: Path
    events: list[str]
    unreadable: list[str]
    sources: list[str]


def locate(store: str | os.PathLike[str] | None = None) -> Path:
    """The directory of a store: as given, else `$AGENTLOG_STORE`, else `./.agentlog`; absolute."""
    chosen = os.fspath(store) if store is not None else os.environ.get("AGENTLOG_STORE") or DEFAULT_STORE
    path = Path(os.path.abspath(chosen))  # noqa: PTH100 (a link to a store is left alone)
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise StoreError(f"{chosen!a} cannot be the path of a store: it is no UTF-8") from None
    return path


def resolve(store: str | os.PathLike[str] | None = None) -> Generation:
    """The present state of a store.

    Raises StoreError where there is none, or one of another schema version.
    """
    directory = locate(store)
    number = _current(directory)
    while number is not None:
        path = directory / GENERATIONS / str(number)
        try:
            _mark(directory, path)
            return Generation(number, path, *(sorted(map(str, (path / table).iterdir())) for table in TABLES))
        except (OSError, StoreError) as error:
            seen, number = number, _current(directory)
            if seen == number:  # else two publishes came in between, and the generation was removed while it was looked at
                raise error if isinstance(error, StoreError) else _unusable(directory, str(error)) from error
    raise StoreError(f"there is no store at {directory}; `agentlog ingest PATH…` makes one")


def exists(store: str | os.PathLike[str] | None = None) -> bool:
    """Whether there is a store, of whatever version."""
    return _current(locate(store)) is not None


class Staging:
    """The next generation while it is written; removed on leaving the context, unless it was published."""

    def __init__(self, number: int, path: Path) -> None:
        self.number, self.path = number, path
        self._parts = 0

    def __enter__(self) -> Self:
        try:
            for folder in (self.path, *(self.path / table for table in TABLES)):
                make_folder(folder)
        except OSError as error:
            remove(self.path)
            raise cannot_write(self.path, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        remove(self.path)

    def new_part(self) -> str:
        """A name that no part of this store has or had."""
        self._parts += 1
        return f"part-{self.number:06}-{self._parts:04}.parquet"


class Writer:
    """The one ingest that writes to a store: holds the lock from entering the context to leaving it.

    Raises StoreError where somebody else holds the lock for longer than `timeout` seconds, or where the directory is something else than a store.
    """

    def __init__(self, store: str | os.PathLike[str] | None, *, timeout: float) -> None:
        import filelock

        self.directory = locate(store)
        self._generations = self.directory / GENERATIONS
        self._lock = filelock.FileLock(self.directory / LOCK, timeout=timeout, mode=PRIVATE_FILE)

    def __enter__(self) -> Self:
        import filelock

        try:
            self._make_directory()
            self._lock.acquire()
        except filelock.Timeout:
            waited = f"waited {self._lock.timeout:g} s for it (--lock-timeout)"
            raise StoreError(f"{self.directory} is being written by {self._owner()}; {waited}") from None
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        try:
            self._clean()
            self._sign()
        except OSError as error:
            self._lock.release()
            raise cannot_write(self.directory, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        remove(self.directory / _OWNER)
        self._lock.release()

    def present(self, *, force: bool = False) -> Generation | None:
        """The present state, None before the first publish; by force also None in place of one that cannot be read."""
        try:
            return resolve(self.directory) if exists(self.directory) else None
        except StoreError:
            if not force:
                raise
            return None

    def stage(self) -> Staging:
        """A place to write the next generation in."""
        return Staging(max(self._numbers(), default=0) + 1, self._generations / f".staging-{os.getpid()}-{secrets.token_hex(8)}")

    def publish(self, staging: Staging, sources: Sequence[Source], before: Generation | None, derive: Derive = _nothing) -> None:
        """Make a state of the parts that the sources lie in, staged ones and those of the state before, and switch to it.

        `derive` is given the state's folder before anybody sees it, to add to it what follows from its parts.
        """
        try:
            _complete(staging, sources, before)
            derive(staging.path)
            write_file(staging.path / _MARK, msgspec.json.encode(Mark(SCHEMA_VERSION)))
            for folder in (*(staging.path / table for table in TABLES), staging.path):
                flush(folder)
            staging.path.rename(self._generations / str(staging.number))
            flush(self._generations)
            switch_link(self.directory / CURRENT, f"{GENERATIONS}/{staging.number}")
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        self._clean()

    def catalog(self) -> str | None:
        """The fingerprint of the views in the catalog; None where there is none, or the store was moved, or somebody else wrote to it."""
        try:
            stamp = msgspec.json.decode((self.directory / _STAMP).read_bytes(), type=Stamp)
            return stamp.fingerprint if stamp == self._catalog_stamp(stamp.fingerprint) else None
        except (OSError, msgspec.DecodeError):
            return None

    def stamp_catalog(self, fingerprint: str) -> None:
        """Note which views the catalog holds that was just written."""
        write_file(self.directory / _STAMP, msgspec.json.encode(self._catalog_stamp(fingerprint)))

    def _catalog_stamp(self, fingerprint: str) -> Stamp:
        status = (self.directory / CATALOG).stat()
        return Stamp(fingerprint, str(self.directory), status.st_size, status.st_mtime_ns)

    def _numbers(self) -> list[int]:
        return [int(entry.name) for entry in self._generations.iterdir() if _NUMBER.fullmatch(entry.name)]

    def _make_directory(self) -> None:
        if self._generations.is_dir():
            return
        others = sorted({entry.name for entry in self.directory.iterdir()} - _OUR_NAMES) if self.directory.exists() else []
        if others:
            raise StoreError(f"{self.directory} is no store, and not empty: it holds {others[0]!r}; name another directory with --store")
        make_folder(self.directory)
        make_folder(self._generations)

    def _clean(self) -> None:
        """Remove what killed ingests left, and all generations but the present one and the one before it."""
        for table in TABLES:
            if not (self.directory / table).is_symlink():
                switch_link(self.directory / table, f"{CURRENT}/{table}")
        current = _current(self.directory) or 0
        before = max((number for number in self._numbers() if number < current), default=0)
        for entry in self._generations.iterdir():
            if entry.name not in {str(current), str(before)}:
                remove(entry)
        for name in (CURRENT, CATALOG, *TABLES):
            for entry in self.directory.glob(f".{name}-*"):
                remove(entry)

    def _sign(self) -> None:
        """Say who holds the lock, for those who wait for it."""
        owner = Owner(os.getpid(), platform.node(), f"{dt.datetime.now(dt.UTC):%Y-%m-%d %H:%M:%S} UTC")
        write_file(self.directory / _OWNER, msgspec.json.encode(owner))

    def _owner(self) -> str:
        try:
            owner = msgspec.json.decode((self.directory / _OWNER).read_bytes(), type=Owner)
        except (OSError, msgspec.DecodeError):
            return "another process"  # it has the lock, and has not signed yet
        return f"process {owner.pid} on {owner.host} since {owner.since}"


def _complete(staging: Staging, sources: Sequence[Source], before: Generation | None) -> None:
    """Put together the files of a generation: exactly the parts that some source lies in."""
    parts = {source.part for source in sources if source.part is not None}
    for table in PART_TABLES:
        folder = staging.path / table
        for file in folder.iterdir():
            if file.name not in parts:
                file.unlink()
        for file in map(Path, getattr(before, table, [])):
            if file.name in parts:
                share(file, folder / file.name)
        if not any(folder.iterdir()):
            write_rows(folder / _EMPTY_PART, [], TABLES[table])
    write_rows(staging.path / "sources" / staging.new_part(), sources, Source)


def _current(directory: Path) -> int | None:
    """The number of the present generation; None where there is none."""
    try:
        name = (directory / CURRENT).readlink().name
    except OSError:
        return None
    return int(name) if _NUMBER.fullmatch(name) else None


def _mark(directory: Path, generation: Path) -> Mark:
    """What a generation says of itself. Raises StoreError where that is of another schema version, or cannot be read."""
    try:
        mark = msgspec.json.decode((generation / _MARK).read_bytes(), type=Mark)
    except (OSError, msgspec.DecodeError) as error:
        raise _unusable(directory, str(error)) from error
    if mark.schema_version != SCHEMA_VERSION:
        raise _unusable(directory, f"it has schema version {mark.schema_version}, this agentlog reads {SCHEMA_VERSION}")
    return mark


def _unusable(directory: Path, why: str) -> StoreError:
    again = f"agentlog ingest --force --store {shlex.quote(str(directory))} PATH…"
    return StoreError(f"the store {directory} cannot be used: {why}; `{again}` builds it anew from its sources")
