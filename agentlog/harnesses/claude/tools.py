"""Claude Code's tools: their kinds, a call in one line, and which failed results are refusals."""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import Any

import msgspec

_KINDS = {
    "read": "Read NotebookRead LS ReadMcpResourceTool ListMcpResourcesTool BashOutput TaskOutput AgentOutputTool view",
    "edit": "Edit MultiEdit Write NotebookEdit Update str_replace_based_edit_tool text_editor_code_execution",
    "search": "Grep Glob WebSearch ToolSearch web_search tool_search_tool_regex tool_search_tool_bm25 LSP",
    "execute": "Bash PowerShell KillShell KillBash TaskStop Monitor REPL code_execution bash_code_execution",
    "fetch": "WebFetch web_fetch",
    "think": "Think think advisor",
    "plan": "TodoWrite TodoRead TaskCreate TaskUpdate TaskGet TaskList EnterPlanMode ExitPlanMode exit_plan_mode",
    "agent": "Task Agent",
    "question": "AskUserQuestion",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_SUMMARY_FIELDS = ("command", "file_path", "notebook_path", "path", "pattern", "query", "url", "description", "skill", "prompt")
_SUMMARY_CHARS = 200
_INT64 = 2**63 - 1

_REFUSED = re.compile(
    r"(?:Error: )?(?:The user doesn't want to (?:proceed|take this action)|User rejected tool use|Permission to use .{1,200}? has been denied"
    r"|Claude requested permissions? to|\[Request interrupted by user|Hook \S{1,100} denied|PreToolUse:\S{1,100} hook )",
    re.DOTALL,
)


@lru_cache(maxsize=4096)
def kind_of(name: str | None) -> tuple[str, str | None]:
    """The tool kind of a native tool name, and its MCP server (`mcp__server__tool`)."""
    if name is not None and name.startswith("mcp__"):
        return "mcp", name.split("__", 2)[1] or None
    return _KIND_OF.get(name or "", "other"), None


def canonical(given: object) -> tuple[str | None, int | None]:
    """A call's input as JSON with sorted keys, and its length and CRC-32 as one number: equal for equal input, whatever its key order and spacing.

    NULL where it nests so deeply that it could be decoded and cannot be encoded.
    """
    if given is None:
        return None, None
    try:
        encoded = msgspec.json.encode(given, order="sorted")
    except RecursionError:
        return None, None
    return encoded.decode(), (len(encoded) << 32 | zlib.crc32(encoded)) & _INT64


def streamed_input(pieces: list[str]) -> tuple[Any, bool]:
    """The input that was streamed in pieces, and whether it is whole."""
    try:
        return msgspec.json.decode("".join(pieces) or "{}"), True
    except (msgspec.DecodeError, RecursionError):
        return None, False


def text_field(given: dict[str, Any], name: str) -> str | None:
    """A field of a call's input, where it is text."""
    value = given.get(name)
    return value if isinstance(value, str) else None


def question(given: object) -> str | None:
    """The questions that a call asks a person."""
    asked = given.get("questions") if isinstance(given, dict) else None
    texts = (
        [one["question"] for one in asked if isinstance(one, dict) and isinstance(one.get("question"), str)]
        if isinstance(asked, list)
        else []
    )
    return "\n".join(texts) or None


def plan(given: object) -> str | None:
    """The plan or the list of tasks that a call sets."""
    if not isinstance(given, dict):
        return None
    if isinstance(given.get("plan"), str):
        return str(given["plan"])
    tasks = given.get("todos")
    texts = (
        [one["content"] for one in tasks if isinstance(one, dict) and isinstance(one.get("content"), str)]
        if isinstance(tasks, list)
        else []
    )
    return "\n".join(texts) or None


def summary(given: object) -> str | None:
    """The call in one short line: its command, path, pattern or task."""
    if not isinstance(given, dict):
        return None
    for field in _SUMMARY_FIELDS:
        if field in given:
            value = given[field]
            if isinstance(value, str) and value:
                return value[:_SUMMARY_CHARS].strip().split("\n", 1)[0]
    return None


def is_refusal(text: str | None) -> bool:
    """Whether a failed result says that a person, a rule or a hook did not let the tool run."""
    return text is not None and _REFUSED.match(text) is not None
