"""The bytes of a stream → a file as archives hold it: gzip, zstandard, one JSON array. Standard library only."""

from __future__ import annotations

import gzip
import json
from typing import Final


def gzipped(content: bytes) -> bytes:
    """A gzip file that is the same each time."""
    return gzip.compress(content, mtime=0)


_BLOCK: Final = 128 * 1024


def zstd_stored(content: bytes) -> bytes:
    """A zstandard frame of stored blocks: valid for every decoder, and writable without a library."""
    frame = bytearray(b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little"))
    for at in range(0, len(content), _BLOCK):
        block = content[at : at + _BLOCK]
        is_last = at + _BLOCK >= len(content)
        frame += (len(block) << 3 | is_last).to_bytes(3, "little") + block
    return bytes(frame)


def pretty_array(content: bytes) -> bytes:
    """The records as one indented array."""
    return json.dumps([json.loads(line) for line in content.splitlines()], indent=2, ensure_ascii=False).encode() + b"\n"
