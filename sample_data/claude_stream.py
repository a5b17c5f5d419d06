"""A told story → the lines of a Claude Code stream, and the right figures for them.

`Process` is one invocation of `claude -p --output-format stream-json`. Each method writes the lines that the CLI would write for one
thing that happens and adds to `Figures` what those lines mean. The figures come from the story alone: nothing here reads a line back, and
agentlog is not imported. Everything is a function of the story, so the files come out the same each time. Standard library only.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

Record = dict[str, Any]

SONNET: Final = "claude-sonnet-4-5-20250929"
HAIKU: Final = "claude-haiku-4-5-20251001"
SONNET_4: Final = "claude-sonnet-4-20250514"
SONNET_3_7: Final = "claude-3-7-sonnet-20250219"
_SONNET_PRICE: Final = (Fraction(3), Fraction("0.3"), Fraction("3.75"), Fraction(15))
LIST_PRICES: Final = {  # USD per million tokens: input, cache read, cache write (5 minutes), output
    SONNET: _SONNET_PRICE,
    SONNET_4: _SONNET_PRICE,
    SONNET_3_7: _SONNET_PRICE,
    HAIKU: (Fraction(1), Fraction("0.1"), Fraction("1.25"), Fraction(5)),
}
TOOLS: Final = ["Task", "Bash", "Glob", "Grep", "Read", "Edit", "Write", "WebFetch", "TodoWrite"]


@dataclass(frozen=True)
class Tokens:
    """What one response used."""

    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.input + other.input, self.cache_read + other.cache_read, self.cache_write + other.cache_write, self.output + other.output
        )

    def cost(self, model: str) -> Fraction:
        """USD at list prices."""
        price = LIST_PRICES[model]
        return (self.input * price[0] + self.cache_read * price[1] + self.cache_write * price[2] + self.output * price[3]) / 1_000_000

    def usage(self, output: int | None = None) -> Record:
        """As the API writes it; `output` replaces the real count, as a started stream does."""
        return {
            "input_tokens": self.input,
            "cache_creation_input_tokens": self.cache_write,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {"ephemeral_5m_input_tokens": self.cache_write, "ephemeral_1h_input_tokens": 0},
            "output_tokens": self.output if output is None else output,
            "service_tier": "standard",
            "inference_geo": "not_available",
        }


@dataclass
class Figures:
    """The right figures of one run; tokens and cost by model, as its totals must show them."""

    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            [
                "turns",
                "subagent_turns",
                "prompts",
                "tool_calls",
                "tool_errors",
                "tool_rejections",
                "pending_tool_calls",
                "tool_retries",
                "blind_tool_retries",
                "api_retries",
                "api_retry_episodes",
                "compactions",
                "subagents",
                "results",
                "processes",
                "unmodelled_events",
            ],
            0,
        )
    )
    spent: dict[str, Tokens] = field(default_factory=dict)
    outcome: str | None = "incomplete"

    def count(self, name: str, amount: int = 1) -> None:
        """One more of `name`."""
        self.counts[name] += amount

    def spend(self, model: str, tokens: Tokens) -> None:
        """Tokens that belong to the run's totals."""
        self.spent[model] = self.spent.get(model, Tokens()) + tokens


class Process:
    """One invocation: its lines so far, its clock, and what it has spent."""

    def __init__(self, story: str, start: str, *, cwd: str, version: str = "2.1.174", figures: Figures | None = None) -> None:
        self.story, self.cwd, self.version = story, cwd, version
        self.writes_times = int(version.rpartition(".")[2]) >= 252  # 2.1.252: the first with a time on assistant lines
        self.clock = self.began = dt.datetime.fromisoformat(start)
        self.figures = figures or Figures()
        self.figures.count("processes")
        self.lines: list[bytes] = []
        self.session_id = self.uuid("session")
        self.spent: dict[str, Tokens] = {}
        self.streamed = Tokens()
        self.user_lines = 0
        self.denials: list[Record] = []
        self._ids = 0

    # Identities and time

    def digest(self, what: str) -> str:
        """Hex digits that depend on the story and `what` only."""
        return hashlib.sha256(f"{self.story}/{what}".encode()).hexdigest()

    def uuid(self, what: str | None = None) -> str:
        """A uuid: of `what`, or the next one."""
        if what is None:
            self._ids += 1
            what = f"{self.began.isoformat()} {self._ids}"
        h = self.digest(what)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:32]}"

    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self.clock += dt.timedelta(seconds=seconds)

    def now(self) -> str:
        """The clock as Claude Code writes it."""
        return self.clock.isoformat(timespec="milliseconds") + "Z"

    # Lines

    def emit(self, record: Record) -> None:
        """One record, one line."""
        self.lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode())

    def system(self, subtype: str, **fields: object) -> None:
        """A `system` line."""
        self.emit({"type": "system", "subtype": subtype, **fields, "uuid": self.uuid(), "session_id": self.session_id})

    def init(self) -> None:
        """The opening line; a streaming-input session repeats it with each prompt."""
        self.system(
            "init",
            cwd=self.cwd,
            tools=TOOLS,
            mcp_servers=[],
            model=SONNET,
            permissionMode="acceptEdits",
            slash_commands=["compact", "context", "cost", "review"],
            apiKeySource="ANTHROPIC_API_KEY",
            claude_code_version=self.version,
            output_style="default",
            agents=["general-purpose", "Explore", "Plan"],
            skills=[],
            plugins=[],
            analytics_disabled=False,
            fast_mode_state="off",
        )

    def hook(self, name: str, output: str) -> None:
        """A hook that ran well."""
        common = {"hook_id": self.uuid(), "hook_name": name, "hook_event": name.partition(":")[0]}
        self.system("hook_started", **common)
        self.system("hook_response", **common, output=output, stdout=output, stderr="", exit_code=0, outcome="success")

    def prompt(self, text: str) -> None:
        """What the caller typed, echoed by `--replay-user-messages`."""
        self.figures.count("prompts")
        self.user([{"type": "text", "text": text}], isReplay=True)

    def user(self, content: object, agent: Record | None = None, **fields: object) -> None:
        """A `user` line."""
        self.user_lines += agent is None
        self.emit(
            {
                "type": "user",
                "message": {"role": "user", "content": content},
                "parent_tool_use_id": None,
                "session_id": self.session_id,
                "uuid": self.uuid(),
                "timestamp": self.now(),
                **(agent or {}),
                **fields,
            }
        )

    def response(
        self, *blocks: Record, tokens: Tokens, model: str = SONNET, agent: Record | None = None, whole: bool = False, seconds: float = 6
    ) -> str:
        """One model response, one line per block; gives its message id. `whole`: it came unstreamed, with its final usage."""
        self.wait(seconds)
        message_id = self.message_id()
        self.account(blocks, tokens, model, agent=agent, whole=whole)
        for block in blocks:
            self.assistant(message_id, block, tokens, model, agent=agent, stop_reason=self.stop_reason(blocks) if whole else None)
        return message_id

    def message_id(self) -> str:
        """The id of the next response."""
        return "msg_01" + self.digest(f"message {self.uuid()}")[:22]

    @staticmethod
    def stop_reason(blocks: tuple[Record, ...]) -> str:
        """Why a response with these blocks stopped."""
        return "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"

    def account(self, blocks: tuple[Record, ...], tokens: Tokens, model: str, *, agent: Record | None, whole: bool = False) -> None:
        """What one response means for the figures."""
        self.figures.count("subagent_turns" if agent else "turns")
        self.figures.count("tool_calls", sum(block["type"] == "tool_use" for block in blocks))
        self.spend(model, tokens)
        if not agent and not whole:
            self.streamed += tokens

    def spend(self, model: str, tokens: Tokens) -> None:
        """Tokens that the process used: of a response, or of a call that shows on no line (a title, a summary)."""
        self.spent[model] = self.spent.get(model, Tokens()) + tokens
        self.figures.spend(model, tokens)

    def assistant(
        self, message_id: str, block: Record, tokens: Tokens, model: str, *, agent: Record | None = None, stop_reason: str | None = None
    ) -> None:
        """One block of a response. A streamed one carries the usage of its `message_start`: the output count is a placeholder."""
        self.emit(
            {
                "type": "assistant",
                "message": {
                    "model": model,
                    "id": message_id,
                    "type": "message",
                    "role": "assistant",
                    "content": [block],
                    "stop_reason": stop_reason,
                    "stop_sequence": None,
                    "usage": tokens.usage(output=None if stop_reason else min(tokens.output, 3)),
                    "context_management": None,
                },
                "parent_tool_use_id": None,
                "session_id": self.session_id,
                "uuid": self.uuid(),
                "request_id": "req_01" + self.digest(message_id)[:22],
                **({"timestamp": self.now()} if self.writes_times else {}),
                **(agent or {}),
            }
        )

    def call(self, name: str, given: Record) -> Record:
        """A `tool_use` block."""
        return {"type": "tool_use", "id": "toolu_01" + self.digest(f"call {self.uuid()}")[:22], "name": name, "input": given}

    def answer(
        self,
        call: Record,
        output: str,
        *,
        seconds: float = 1,
        failed: bool | None = None,
        agent: Record | None = None,
        detail: object = None,
    ) -> None:
        """The result of a call; tools that succeed often leave `is_error` out (`failed=None`)."""
        self.wait(seconds)
        self.figures.count("tool_errors", bool(failed))
        block = {"tool_use_id": call["id"], "type": "tool_result", "content": output} | ({} if failed is None else {"is_error": failed})
        shown = detail or (f"Error: {output}" if failed else {"stdout": output, "stderr": "", "interrupted": False, "isImage": False})
        self.user([block], agent, tool_use_result=shown)

    def deny(self, call: Record) -> None:
        """A call that the permission rules refused: it did not run."""
        reason = f"Permission to use {call['name']} with command {call['input']['command']} has been denied."
        self.figures.count("tool_rejections")
        self.denials.append({"tool_name": call["name"], "tool_use_id": call["id"], "tool_input": call["input"]})
        self.system("permission_denied", tool_name=call["name"], tool_use_id=call["id"], decision_reason_type="rule", message=reason)
        self.user(
            [{"tool_use_id": call["id"], "type": "tool_result", "content": reason, "is_error": True}], tool_use_result=f"Error: {reason}"
        )

    def api_retry(self, attempt: int, delay_ms: float, status: int | None, error: str) -> None:
        """The request is sent again."""
        self.figures.count("api_retries")
        self.figures.count("api_retry_episodes", attempt == 1)
        self.system("api_retry", attempt=attempt, max_retries=10, retry_delay_ms=delay_ms, error_status=status, error=error)
        self.wait(delay_ms / 1000)

    def compaction(self, trigger: str, before: int, after: int, *, summary: str) -> None:
        """The context is summarised: one unseen request that reads it all, then the boundary, then the summary."""
        self.figures.count("compactions")
        if trigger == "manual":  # an automatic one shows no status
            for _ in range(3):  # repeated every half minute while it runs
                self.system("status", status="compacting")
            self.system("status", status=None, compact_result="success")
        self.wait(64)
        self.spend(SONNET, Tokens(input=4, cache_read=before, output=after // 3))
        self.system(
            "compact_boundary", compact_metadata={"trigger": trigger, "pre_tokens": before, "post_tokens": after, "duration_ms": 64000}
        )
        self.user(f"This session is being continued from a previous conversation that ran out of context.\n\n{summary}", isSynthetic=True)

    def failed_compaction(self, error: str) -> None:
        """A compaction that came to nothing: it is in no count."""
        self.system("status", status="compacting")
        self.wait(12)
        self.system("status", status=None, compact_result="failed", compact_error=error)

    def result(self, text: str, *, outcome: str = "success", **fields: object) -> None:
        """The terminal record: usage of this turn's streamed main loop, modelUsage and cost of the whole process so far."""
        self.figures.count("results")
        self.figures.outcome = outcome
        elapsed = int((self.clock - self.began).total_seconds() * 1000)
        record = {
            "type": "result",
            "subtype": "success",
            "is_error": outcome == "error",
            "duration_ms": elapsed,
            "duration_api_ms": elapsed * 4 // 5,
            "num_turns": 1 + self.user_lines,
            "result": text,
            "stop_reason": "end_turn",
            "session_id": self.session_id,
            "total_cost_usd": dollars(self.spent),
            "usage": {**self.streamed.usage(), "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "speed": "standard"},
            "modelUsage": {model: model_usage(model, tokens) for model, tokens in self.spent.items()},
            "permission_denials": self.denials,
            "terminal_reason": "completed",
            "fast_mode_state": "off",
            "uuid": self.uuid(),
        }
        self.emit(record | fields)
        self.streamed, self.user_lines = Tokens(), 0


def dollars(spent: dict[str, Tokens]) -> float:
    """The list price of what was spent."""
    return float(sum((tokens.cost(model) for model, tokens in spent.items()), Fraction()))


def model_usage(model: str, tokens: Tokens) -> Record:
    """One entry of `modelUsage`."""
    return {
        "inputTokens": tokens.input,
        "outputTokens": tokens.output,
        "cacheReadInputTokens": tokens.cache_read,
        "cacheCreationInputTokens": tokens.cache_write,
        "webSearchRequests": 0,
        "costUSD": float(tokens.cost(model)),
        "contextWindow": 200000,
        "maxOutputTokens": 64000,
    }


def text(words: str) -> Record:
    """A `text` block."""
    return {"type": "text", "text": words}


def thinking(words: str) -> Record:
    """A `thinking` block; its signature is made up."""
    return {"type": "thinking", "thinking": words, "signature": hashlib.sha256(words.encode()).hexdigest()}
