"""Where Claude Code keeps its session files on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from agentlog.errors import PathError

CONFIG_VARIABLE = "CLAUDE_CONFIG_DIR"
CONFIG_FOLDERS = ("~/.claude", "~/.config/claude")
"""The second is that of versions before 1.0.30 and of systems that keep to the XDG base directories."""


def session_folders() -> list[Path]:
    """The folders of session files that there are: `projects` below $CLAUDE_CONFIG_DIR, ~/.claude and ~/.config/claude, each once.

    Raises PathError where there is none.
    """
    configured = [os.environ[CONFIG_VARIABLE]] if os.environ.get(CONFIG_VARIABLE) else []
    looked_at = [Path(folder).expanduser() / "projects" for folder in (*configured, *CONFIG_FOLDERS)]
    found = {folder.resolve(): folder for folder in reversed(looked_at) if folder.is_dir()}
    if not found:
        raise PathError(f"no session files of Claude Code: there is no {' and no '.join(map(str, dict.fromkeys(looked_at)))}")
    return list(reversed(found.values()))
