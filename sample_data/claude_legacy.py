"""The shapes of Claude Code 0.2 (no envelope) and 1.0 (no `modelUsage`). Standard library only."""

from __future__ import annotations

import json

from claude_stream import SONNET_3_7, SONNET_4, Figures, Record, Tokens, text
from sample import Sample


def legacy() -> list[Sample]:
    """The shapes of Claude Code 0.2 (no envelope) and 1.0 (no `modelUsage`): tokens come from the responses."""
    old, young = Figures(), Figures()
    call = {"type": "tool_use", "id": "toolu_01HsT9mQ4vBz", "name": "LS", "input": {"path": "/home/dev/todo"}}
    shown: Record = {"type": "tool_result", "tool_use_id": "toolu_01HsT9mQ4vBz", "content": "- todo.py\n- test_todo.py"}
    answers = [(call, Tokens(4, 0, 9800, 58)), (text("A to-do list with one test file."), Tokens(6, 9800, 110, 21))]
    for figures, model in ((old, SONNET_3_7), (young, SONNET_4)):
        for name, amount in (("turns", 2), ("tool_calls", 1), ("results", 1), ("processes", 1)):
            figures.count(name, amount)
        for _, tokens in answers:
            figures.spend(model, tokens)
    old.count("prompts")
    old.outcome = None  # its closing line states no verdict
    young.outcome = "success"
    session_2, session_1 = "3d1f6c02-77aa-4e0b-9a51-0c2be5d1f8a4", "b8e04c57-1d2f-4b86-8f0e-52c6a97d3e10"

    def message(model: str, number: int) -> Record:
        block, tokens = answers[number]
        stop = "tool_use" if block is call else "end_turn"
        kept = {key: value for key, value in tokens.usage().items() if key.endswith("_tokens")}
        return {"id": f"msg_01Legacy{model[7]}{number}", "type": "message", "role": "assistant", "model": model, "content": [block]} | {
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": kept,
        }

    closing = {"duration_ms": 8400, "duration_api_ms": 7900, "result": "A to-do list with one test file."}
    cost = float(sum(tokens.cost(SONNET_3_7) for _, tokens in answers))
    flat: list[Record] = [
        {"role": "user", "content": "What is in this folder?"},
        message(SONNET_3_7, 0),
        {"role": "user", "content": [shown]},
        message(SONNET_3_7, 1),
        {"role": "system", "cost_usd": cost, **closing, "session_id": session_2},
    ]
    enveloped: list[Record] = [
        {"type": "system", "subtype": "init", "session_id": session_1, "tools": ["LS", "Bash", "View"], "mcp_servers": []},
        {"type": "assistant", "message": message(SONNET_4, 0), "session_id": session_1},
        {"type": "user", "message": {"role": "user", "content": [shown]}, "session_id": session_1},
        {"type": "assistant", "message": message(SONNET_4, 1), "session_id": session_1},
        {"type": "result", "subtype": "success", "cost_usd": cost, "total_cost": cost, "is_error": False, "num_turns": 2}
        | {**closing, "session_id": session_1},
    ]
    return [
        Sample("legacy_0.2.jsonl", "Claude Code 0.2: bare messages, a closing line without a verdict", _lines(flat), old, session_2),
        Sample("legacy_1.0.jsonl", "Claude Code 1.0: `cost_usd`, no usage on the result", _lines(enveloped), young, session_1),
    ]


def _lines(records: list[Record]) -> list[bytes]:
    return [json.dumps(record, separators=(",", ":")).encode() for record in records]
