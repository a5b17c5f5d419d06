"""Paths → private, durable files and folders: what a store is made of, whatever the umask is, and on disk before anything points to it."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from agentlog.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def make_folder(path: Path) -> None:
    """Make a folder for its owner alone; its parents are made as the umask says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    path.chmod(PRIVATE_FOLDER)


def make_file(path: Path) -> None:
    """Make an empty file for its owner alone; it must not be there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    try:
        os.fchmod(descriptor, PRIVATE_FILE)
    finally:
        os.close(descriptor)


def write_file(path: Path, data: bytes) -> None:
    """Make a file with this content, on disk, in place of one that may be there."""
    remove(path)
    make_file(path)
    path.write_bytes(data)
    flush(path)


def flush(path: Path) -> None:
    """Bring a file, or the names in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def switch_link(link: Path, target: str) -> None:
    """Point a link, which may be there already, to `target` in one step: a reader sees the old target or the new one."""
    fresh = link.with_name(f".{link.name}-{secrets.token_hex(8)}")
    fresh.symlink_to(target)
    try:
        fresh.replace(link)
    except OSError:
        fresh.unlink()
        raise
    flush(link.parent)


def share(source: Path, target: Path) -> None:
    """Let `target` hold the same, never changing file: a hard link, or a copy where the file system has none."""
    try:
        os.link(source, target)
    except OSError:
        make_file(target)
        shutil.copyfile(source, target)
        flush(target)


def remove(path: Path) -> None:
    """Remove a file, link or folder as far as that is possible; what is left is tried again another time."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def cannot_write(path: Path, error: OSError) -> StoreError:
    """Say which file could not be written, and why."""
    return StoreError(f"cannot write {path}: {error.strerror or error}")
