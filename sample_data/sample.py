"""One sample file: its bytes and the right figures for it. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from claude_stream import Figures


@dataclass
class Sample:
    """One file, what it shows, and the right figures; `figures` of a run that goes on in another file are the whole run's."""

    name: str
    shows: str
    lines: list[bytes]
    figures: Figures
    session_id: str
    blank: int = 0
    unreadable: int = 0
    repaired: int = 0
    last_newline: bool = True
    pack: Callable[[bytes], bytes] = bytes

    def content(self) -> bytes:
        """The bytes before compression."""
        return b"\n".join(self.lines) + b"\n" * self.last_newline
