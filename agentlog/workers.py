"""Tasks → their results, in worker processes of this interpreter.

The processes are started afresh and talk over a socket pair: they neither inherit threads, as forked ones do, nor run the caller's main module again, as those
of `multiprocessing` do. A worker that dies ends the whole; none outlives the context it was started in.
"""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import TYPE_CHECKING, Final, NamedTuple

from agentlog.errors import AgentlogError, StoreError
from agentlog.tasks import read_task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from agentlog.events import Source
    from agentlog.tasks import Report, Task

_REPORT_BYTES: Final = 4 << 20
_FEW_COLLECTIONS: Final = 200_000
"""Rows hold no cycles; looking for some at the usual rate costs 7 % of the time."""


class Progress(NamedTuple):
    """A worker read so much since it last said so."""

    files: int
    bytes: int


class Done(NamedTuple):
    """A worker finished its task."""

    sources: list[Source | None]


class Failed(NamedTuple):
    """A worker met what the caller can mend."""

    error: str


class Worker:
    """One process, and the end of the socket pair that leads to it."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        code = f"import sys; sys.path[:] = {sys.path!r}; from agentlog.workers import serve; serve({theirs.fileno()})"
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])  # noqa: S603
        theirs.close()

    def death(self, task: Task) -> StoreError:
        """What to say when the process is gone."""
        code = self.process.wait()
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        first = task.items[0].found.source_path
        return StoreError(
            f"worker process {self.process.pid} {how} while it read {len(task.items)} files from {first} on; nothing was published"
        )


class Workers:
    """Some worker processes, from entering the context to leaving it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._workers: list[Worker] = []

    def __enter__(self) -> Self:
        self._workers += (Worker() for _ in range(self._count))
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.connection.close()
            worker.process.kill()
        for worker in self._workers:
            worker.process.wait()

    def run(self, tasks: Iterable[Task], report: Report) -> Iterator[tuple[Task, list[Source | None]]]:
        """The tasks with their results, as they are finished. Raises StoreError where a worker dies or cannot write its part."""
        waiting, idle = deque(tasks), list(self._workers)
        busy: dict[object, tuple[Worker, Task]] = {}
        while waiting or busy:
            while waiting and idle:
                worker, task = idle.pop(), waiting.popleft()
                busy[worker.connection] = worker, task
                _send(worker, task)
            for connection in wait([worker.connection for worker, _ in busy.values()]):
                worker, task = busy[connection]
                message = _receive(worker, task)
                if isinstance(message, Progress):
                    report(message.files, message.bytes)
                elif isinstance(message, Failed):
                    raise StoreError(message.error)
                else:
                    del busy[connection]
                    idle.append(worker)
                    yield task, message.sources


def serve(descriptor: int) -> None:
    """The life of a worker: take tasks from the socket until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started it is interrupted as well, and ends it
    gc.freeze()
    gc.set_threshold(_FEW_COLLECTIONS)
    connection = Connection(descriptor)
    files = size = 0

    def report(more_files: int, more_bytes: int) -> None:
        nonlocal files, size
        files, size = files + more_files, size + more_bytes
        if size >= _REPORT_BYTES:
            connection.send(Progress(files, size))
            files = size = 0

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # nobody is there any more
        while True:
            task: Task = connection.recv()
            try:
                sources = read_task(task, report)
            except AgentlogError as error:
                connection.send(Failed(str(error)))
                return
            connection.send(Progress(files, size))
            connection.send(Done(sources))
            files = size = 0


def _send(worker: Worker, task: Task) -> None:
    try:
        worker.connection.send(task)
    except (BrokenPipeError, ConnectionResetError):
        raise worker.death(task) from None


def _receive(worker: Worker, task: Task) -> Progress | Done | Failed:
    try:
        message: Progress | Done | Failed = worker.connection.recv()
    except (EOFError, ConnectionResetError):
        raise worker.death(task) from None
    return message
