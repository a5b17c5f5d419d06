"""Rows → part files: Parquet files that hold many runs each, one pair of the same name (`events`, `unreadable`) per part.

A part is written once and never changed: rows are dropped and small parts merged by writing another part from it. Rows lie in row groups, each in order of
run, source, line and part. Files are private (0600) whatever the umask is, and on disk when a writer is closed. Which parts make up a store is for
`store` to say.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from agentlog.durable import cannot_write, flush, make_file
from agentlog.errors import StoreError
from agentlog.events import TABLES, Event, Unreadable, arrow_schema, to_arrow

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Self

    import pyarrow as pa
    import pyarrow.parquet as pq

PART_TABLES: Final = ("events", "unreadable")
"""The tables that lie in parts; `sources` is one file that is written anew."""

_BATCH_ROWS: Final = 2_000
_BATCH_CHARACTERS: Final = 16 << 20
_GROUP_ROWS: Final = 65_536
_GROUP_BYTES: Final = 32 << 20
_COMPRESSION_LEVEL: Final = 3
_LONG: Final = {"text", "tool_input", "raw"}
"""Columns of long texts: a dictionary or the least and greatest of them would be of no use, and cost several times their size in memory."""
_ORDER: Final = ("run_id", "source_path", "line_no", "part_no")

Row = TypeVar("Row", bound=msgspec.Struct)


class TableWriter:
    """One Parquet file, made with its first row group; raises StoreError where it cannot be written."""

    def __init__(self, path: Path, row: type[msgspec.Struct]) -> None:
        self.path = path
        self._row = row
        self._parquet: pq.ParquetWriter | None = None

    def write(self, table: pa.Table) -> None:
        """Add a row group."""
        import pyarrow.parquet as pq

        try:
            if self._parquet is None:
                make_file(self.path)
                schema = arrow_schema(self._row)
                short = [name for name in schema.names if name not in _LONG]
                self._parquet = pq.ParquetWriter(
                    self.path,
                    schema,
                    compression="zstd",
                    compression_level=_COMPRESSION_LEVEL,
                    use_dictionary=short,
                    write_statistics=short,
                )
            self._parquet.write_table(table)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def close(self) -> bool:
        """Finish the file and bring it to disk; False if there is none, because nothing was written."""
        if self._parquet is None:
            return False
        try:
            self._parquet.close()
            flush(self.path)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._parquet = None
        return True


class PartWriter:
    """The rows of many sources on their way into one part; memory is bounded by one row group."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.rows = 0
        """Rows added so far."""
        self._files = {table: TableWriter(folder / table / name, TABLES[table]) for table in PART_TABLES}
        self._waiting: dict[str, list[msgspec.Struct]] = {table: [] for table in PART_TABLES}
        self._characters = dict.fromkeys(PART_TABLES, 0)
        self._groups: dict[str, list[pa.Table]] = {table: [] for table in PART_TABLES}
        self._sizes = dict.fromkeys(PART_TABLES, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()

    def add(self, events: Sequence[Event], unreadable: Sequence[Unreadable]) -> None:
        """Take rows. They become columns soon, while the processor has them at hand, and are written a row group at a time."""
        self.rows += len(events) + len(unreadable)
        self._wait("events", events, [len(event.text or "") + len(event.tool_input or "") for event in events])
        self._wait("unreadable", unreadable, [len(row.raw) for row in unreadable])

    def add_table(self, table: str, rows: pa.Table) -> None:
        """Take rows that come from another part."""
        self._files[table].write(rows)
        self.rows += len(rows)

    def close(self) -> None:
        """Write what is left."""
        for table, file in self._files.items():
            self._convert(table)
            self._write(table)
            file.close()

    def _wait(self, table: str, rows: Sequence[msgspec.Struct], lengths: list[int]) -> None:
        begin = 0
        for end, length in enumerate(lengths, 1):
            self._characters[table] += length
            if self._characters[table] >= _BATCH_CHARACTERS or len(self._waiting[table]) + end - begin >= _BATCH_ROWS:
                self._waiting[table] += rows[begin:end]
                self._convert(table)
                begin = end
        self._waiting[table] += rows[begin:]

    def _convert(self, table: str) -> None:
        rows, self._waiting[table], self._characters[table] = self._waiting[table], [], 0
        columns = to_arrow(rows, TABLES[table])
        group = self._groups[table]
        group.append(columns)
        self._sizes[table] += columns.nbytes
        if self._sizes[table] >= _GROUP_BYTES or sum(map(len, group)) >= _GROUP_ROWS:
            self._write(table)

    def _write(self, table: str) -> None:
        import pyarrow as pa

        group, self._groups[table], self._sizes[table] = self._groups[table], [], 0
        if group and len(rows := pa.concat_tables(group)):
            self._files[table].write(_in_order(rows))


def rewrite(parts: Sequence[Path], folder: Path, name: str, drop: Collection[str] = ()) -> bool:
    """Write the part `name` into a generation's folder from the rows of other parts, without those of the sources in `drop`.

    A part to read is given as its generation's folder / its name. Gives whether any rows were left, and so whether there is such a part.
    """
    with PartWriter(folder, name) as writer:
        for table in PART_TABLES:
            for rows in _row_groups([file for part in parts if (file := part.parent / table / part.name).exists()], drop):
                writer.add_table(table, rows)
    return writer.rows > 0


def write_rows(file: Path, rows: Sequence[Row], row: type[Row]) -> None:
    """Write one file of a table; without rows it is there all the same, for a glob that matches nothing is an error to its reader."""
    writer = TableWriter(file, row)
    writer.write(to_arrow(rows, row))
    writer.close()


def read_rows(files: Iterable[Path], row: type[Row]) -> list[Row]:
    """All rows of the files of one table as objects."""
    found = []
    for file in files:
        with _reading(file) as parquet:
            found += msgspec.convert(parquet.read().to_pylist(), list[row])  # type: ignore[valid-type]
    return found


@contextmanager
def _reading(file: Path) -> Iterator[pq.ParquetFile]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            yield parquet
    except (OSError, pa.ArrowInvalid) as error:
        raise StoreError(
            f"cannot read {file}: {' '.join(str(error).split())}; `agentlog ingest --force PATH…` reads all sources again"
        ) from error


def _row_groups(files: Iterable[Path], drop: Collection[str]) -> Iterator[pa.Table]:
    """The rows of several files in order, in groups of a good size."""
    import pyarrow as pa

    waiting: list[pa.Table] = []
    for file in files:
        for rows in _kept(file, drop):
            waiting.append(rows)
            if sum(map(len, waiting)) >= _GROUP_ROWS or sum(one.nbytes for one in waiting) >= _GROUP_BYTES:
                yield _in_order(pa.concat_tables(waiting))
                waiting = []
    if waiting:
        yield _in_order(pa.concat_tables(waiting))


def _kept(file: Path, drop: Collection[str]) -> Iterator[pa.Table]:
    """The row groups of a file, without the rows of some sources."""
    import pyarrow as pa
    import pyarrow.compute as pc

    dropped = pa.array(sorted(drop), pa.string())
    with _reading(file) as parquet:
        for number in range(parquet.num_row_groups):
            rows = parquet.read_row_group(number)
            yield rows.filter(pc.invert(pc.is_in(rows["source_path"], dropped))) if drop else rows


def _in_order(rows: pa.Table) -> pa.Table:
    """The rows sorted; where they are so already, as those of a long source, nothing is copied."""
    import pyarrow as pa
    import pyarrow.compute as pc

    order = pc.sort_indices(rows, sort_keys=[(column, "ascending") for column in _ORDER if column in rows.column_names])
    return rows if order.equals(pa.array(range(len(rows)), pa.uint64())) else rows.take(order)
