"""Session ids → runs: which run a line of a source belongs to.

A run is one session of one harness. Lines that name no session belong to the run that is open; those before the first session id belong to the
first run that gets one. Only a source that never names a session is a run of its own, named after its path.
"""

from __future__ import annotations

import base64
import hashlib
import re

import msgspec

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


def run_id(harness: str, identity: str) -> str:
    """A short, readable id: the harness, the identity's first plain characters and 50 bits of its hash. Safe as a name, never used as a path."""
    digest = hashlib.sha256(f"{harness}\0{identity}".encode("utf-8", "backslashreplace")).digest()
    tail = base64.b32encode(digest[:7])[:10].decode().lower()
    head = _NOT_PLAIN.sub("", identity.lower())[:8]
    return "-".join(part for part in (harness, head, tail) if part)


class Run(msgspec.Struct, eq=False):
    """One run as far as its source has been read. `is_provisional` while no session id is known."""

    run_id: str
    session_id: str | None
    is_provisional: bool = False


class Runs:
    """The runs of one source."""

    def __init__(self, harness: str, source_path: str) -> None:
        self._harness, self._source_path = harness, source_path
        self._by_session: dict[str, Run] = {}
        self.current: Run | None = None

    def at(self, session_id: str | None) -> Run:
        """The run of a line that names this session, or none. A provisional run becomes the run of the first session named."""
        if not session_id:
            if self.current is None:
                identity = self._source_path.replace("\\", "/").rsplit("/", 1)[-1]
                self.current = Run(run_id(self._harness, f"{identity}\0{self._source_path}"), None, is_provisional=True)
            return self.current
        run = self._by_session.get(session_id)
        if run is None:
            run = self._new(session_id)
            self._by_session[session_id] = run
        self.current = run
        return run

    def _new(self, session_id: str) -> Run:
        named = run_id(self._harness, session_id)
        if self.current is not None and self.current.is_provisional:
            self.current.run_id, self.current.session_id, self.current.is_provisional = named, session_id, False
            return self.current
        return Run(named, session_id)

    def settle(self) -> None:
        """Keep a provisional run under its path for good: its rows cannot wait any longer."""
        if self.current is not None:
            self.current.is_provisional = False
