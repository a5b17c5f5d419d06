"""A told story → a stream with partial messages (`--include-partial-messages`): deltas around each block's line.

A subagent's responses and those that came whole are not streamed. Standard library only.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from claude_stream import SONNET, Process, Record, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator


class PartialProcess(Process):
    """A process that streams its main loop's responses."""

    def response(
        self,
        *blocks: Record,
        tokens: Tokens,
        model: str = SONNET,
        agent: Record | None = None,
        whole: bool = False,
        seconds: float = 6,
    ) -> str:
        """One model response: start, for each block its deltas and its line, then the final usage."""
        if agent or whole:
            return super().response(*blocks, tokens=tokens, model=model, agent=agent, whole=whole, seconds=seconds)
        self.wait(seconds)
        message_id = self.message_id()
        self.account(blocks, tokens, model, agent=None)
        empty: Record = {"model": model, "id": message_id, "type": "message", "role": "assistant", "content": [], "stop_reason": None}
        self.stream({"type": "message_start", "message": {**empty, "usage": tokens.usage(output=2)}})
        for index, block in enumerate(blocks):
            self.stream({"type": "content_block_start", "index": index, "content_block": _empty(block)})
            for delta in _deltas(block):
                self.stream({"type": "content_block_delta", "index": index, "delta": delta})
            self.assistant(message_id, block, tokens, model)
            self.stream({"type": "content_block_stop", "index": index})
        self.stream(
            {
                "type": "message_delta",
                "delta": {"stop_reason": self.stop_reason(blocks), "stop_sequence": None},
                "usage": {key: tokens.usage()[key] for key in _CUMULATIVE},
            }
        )
        self.stream({"type": "message_stop"})
        return message_id

    def stream(self, event: Record) -> None:
        """A `stream_event` line."""
        self.emit({"type": "stream_event", "event": event, "session_id": self.session_id, "parent_tool_use_id": None, "uuid": self.uuid()})


_CUMULATIVE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_BODY = {"text": "text", "thinking": "thinking", "tool_use": "partial_json"}


def _empty(block: Record) -> Record:
    kept: Record = {key: block[key] for key in ("type", "id", "name") if key in block}
    kept["input" if block["type"] == "tool_use" else block["type"]] = {} if block["type"] == "tool_use" else ""
    return kept


def _deltas(block: Record) -> Iterator[Record]:
    kind = block["type"]
    body = json.dumps(block["input"]) if kind == "tool_use" else block[kind]
    name = "input_json_delta" if kind == "tool_use" else f"{kind}_delta"
    for at in range(0, len(body), 24):
        yield {"type": name, _BODY[kind]: body[at : at + 24]}
    if kind == "thinking":
        yield {"type": "signature_delta", "signature": block["signature"]}
