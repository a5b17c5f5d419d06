"""Claude Code stream-json: what each record becomes. Every expected value follows from the records above it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from claude_records import OPUS, answer, assistant, call, init, lines, message_start, result, streamed, system, text, usage, user

from agentlog.harnesses.claude import session_wire, wire
from agentlog.reading import read_events

if TYPE_CHECKING:
    from agentlog.events import Event, Unreadable


def read(*records: dict[str, Any] | bytes) -> tuple[list[Event], list[Unreadable]]:
    unreadable: list[Unreadable] = []
    events = list(read_events(lines(*records), on_unreadable=unreadable.append))
    return sorted(events, key=lambda event: (event.line_no, event.part_no)), unreadable


def of_kind(kind: str, *records: dict[str, Any] | bytes) -> list[Event]:
    return [event for event in read(*records)[0] if event.kind == kind]


def test_the_lines_of_one_response_are_one_request() -> None:
    same = usage(10, 3, read=1000, write=200)
    events, _ = read(init(), assistant("m1", text("a"), of=same), assistant("m1", call("t1", command="ls"), of=same))
    assert [event.kind for event in events] == ["session", "request", "text", "tool_call"]
    request = events[1]
    assert (request.line_no, request.message_id, request.model) == (2, "m1", OPUS)
    assert (request.input_tokens, request.output_tokens, request.cache_read_tokens, request.cache_write_5m_tokens) == (10, 3, 1000, 200)
    assert (request.is_final, request.is_streamed) == (False, True)


def test_usage_of_a_response_is_the_largest_of_its_lines() -> None:
    (request,) = of_kind(
        "request", init(), assistant("m1", of=usage(10, 1)), assistant("m1", of=usage(10, 412)), assistant("m1", of=usage(10, 7))
    )
    assert request.output_tokens == 412


def test_a_repeated_id_with_other_input_figures_is_another_response() -> None:
    requests = of_kind("request", init(), assistant("constant", of=usage(10, 1)), assistant("constant", of=usage(25, 1)))
    assert [request.input_tokens for request in requests] == [10, 25]


def test_zero_figures_of_a_gateway_contradict_nothing() -> None:
    (request,) = of_kind("request", init(), assistant("m1", of=usage(0, 0)), assistant("m1", of=usage(25, 4)))
    assert (request.input_tokens, request.output_tokens) == (25, 4)


def test_a_message_without_id_is_a_request_if_it_has_usage() -> None:
    requests = of_kind(
        "request", init(), assistant(None, text("a"), of=usage(1, 2)), assistant(None, text("b")), assistant(None, of=usage(3, 4))
    )
    assert [request.input_tokens for request in requests] == [1, 3]


def test_a_synthetic_message_is_an_error_and_no_request() -> None:
    events, _ = read(init(), assistant("x", text("API Error: 529"), model="<synthetic>", of=usage(0, 0), error="overloaded"))
    assert [(event.kind, event.text, event.error_type) for event in events[1:]] == [("error", "API Error: 529", "overloaded")]


def test_a_response_with_a_stop_reason_came_whole() -> None:
    (request,) = of_kind("request", init(), assistant("m1", text("a"), of=usage(5, 80), stop_reason="end_turn"))
    assert (request.is_final, request.is_streamed, request.stop_reason) == (True, False, "end_turn")


def test_cache_writes_split_by_lifetime_and_the_rest_is_5_minutes() -> None:
    split: dict[str, Any] = {"cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 300}}
    (request,) = of_kind("request", init(), assistant("m1", of=usage(1, 1, write=450, **split)))
    assert (request.cache_write_5m_tokens, request.cache_write_1h_tokens) == (150, 300)


def test_cumulative_stream_usage_is_not_added_up() -> None:
    records = [
        init(),
        message_start("m1", usage(25, 1, read=1000)),
        streamed("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        streamed("content_block_delta", index=0, delta={"type": "text_delta", "text": "hi"}),
        assistant("m1", text("hi"), of=usage(25, 1, read=1000)),
        streamed("content_block_stop", index=0),
        streamed("message_delta", delta={"stop_reason": "end_turn"}, usage=usage(25, 15, read=1000)),
        streamed("message_stop"),
    ]
    events, _ = read(*records)
    assert [(event.kind, event.line_no) for event in events] == [("session", 1), ("request", 2), ("text", 5)]
    assert (events[1].input_tokens, events[1].output_tokens, events[1].cache_read_tokens) == (25, 15, 1000)
    assert (events[1].is_final, events[1].is_streamed, events[1].stop_reason) == (True, True, "end_turn")


def test_figures_may_differ_inside_one_stream() -> None:
    """Between a message_start and its message_stop the id decides, whatever the figures say."""
    delta = streamed("message_delta", delta={"stop_reason": "end_turn"}, usage=usage(30, 9))
    requests = of_kind("request", init(), message_start("m1", usage(25, 1)), assistant("m1", text("a"), of=usage(27, 1)), delta)
    assert [(request.input_tokens, request.output_tokens) for request in requests] == [(30, 9)]


def test_a_message_that_never_completed_falls_back_to_its_deltas() -> None:
    events, _ = read(
        init(),
        message_start("m1", usage(25, 1)),
        streamed("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        streamed("content_block_delta", index=0, delta={"type": "text_delta", "text": "half "}),
        streamed("content_block_delta", index=0, delta={"type": "text_delta", "text": "said"}),
        streamed("content_block_stop", index=0),
        streamed("content_block_start", index=1, content_block={"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}),
        streamed("content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": '{"comm'}),
    )
    assert [(event.kind, event.line_no, event.text) for event in events[2:]] == [("text", 3, "half said"), ("notice", 7, '{"comm')]


def test_a_streamed_call_that_was_complete_is_a_call() -> None:
    (made,) = of_kind(
        "tool_call",
        init(),
        message_start("m1", usage(25, 1)),
        streamed("content_block_start", index=0, content_block={"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}),
        streamed("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": '{"command":"pwd"}'}),
        streamed("content_block_stop", index=0),
    )
    assert (made.tool_call_id, made.tool_name, made.tool_input, made.tool_summary) == ("t1", "Bash", '{"command":"pwd"}', "pwd")


def test_a_subagents_lines_count_beside_a_stream() -> None:
    requests = of_kind(
        "request",
        init(),
        message_start("m1", usage(25, 1)),
        assistant("s1", text("sub"), of=usage(5, 2), parent="t1"),
        streamed("message_stop"),
    )
    assert [(request.message_id, request.agent_id) for request in requests] == [("m1", None), ("s1", "t1")]


def test_the_same_call_on_two_lines_of_a_response_is_one_call() -> None:
    twice = assistant("m1", call("t1", command="ls"), of=usage(1, 1))
    other = assistant("m1", call("t1", command="pwd"), of=usage(1, 1))
    assert [made.tool_summary for made in of_kind("tool_call", init(), twice, twice, other)] == ["ls", "pwd"]


def test_equal_inputs_have_equal_hashes_whatever_their_key_order() -> None:
    one, other, third = of_kind(
        "tool_call",
        init(),
        assistant("m1", call("t1", command="ls", timeout=5), of=usage(1, 1)),
        assistant("m2", call("t2", timeout=5, command="ls"), of=usage(2, 1)),
        assistant("m3", call("t3", command="ls", timeout=6), of=usage(3, 1)),
    )
    assert one.tool_input_hash == other.tool_input_hash != third.tool_input_hash


def test_a_result_has_its_calls_name_kind_and_duration() -> None:
    (found,) = of_kind(
        "tool_result",
        init(),
        assistant("m1", call("t1", "mcp__db__query", sql="x"), of=usage(1, 1)),
        answer(
            "t1",
            [{"type": "text", "text": "a"}, {"type": "image", "source": {}}, {"type": "text", "text": "b"}],
            tool_use_result={"durationMs": 41},
        ),
    )
    assert (found.tool_name, found.tool_kind, found.mcp_server, found.duration_ms) == ("mcp__db__query", "mcp", "db", 41)
    assert (found.text, found.result_chars, found.status) == ("a\nb", 3, "ok")


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (answer("t1", "exit 1", is_error=True), "error"),
        (answer("t1", "exit 1", is_error=False), "ok"),
        (answer("t1"), "ok"),
        (answer("t1", "stopped", is_error=True, tool_result_meta={"non_execution_kind": "user-rejected"}), "rejected"),
        (answer("t1", "Permission to use Bash has been denied.", is_error=True), "rejected"),
        (answer("t1", "no", is_error=True, tool_use_result="User rejected tool use"), "rejected"),
        (answer("t1", "The user doesn't want to proceed with this tool use.", is_error=False), "ok"),
    ],
)
def test_a_refused_call_is_rejected_and_no_error(line: dict[str, Any], status: str) -> None:
    (found,) = of_kind("tool_result", init(), assistant("m1", call("t1"), of=usage(1, 1)), line)
    assert found.status == status


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (user("fix the parser"), "prompt"),
        (user([{"type": "text", "text": "fix"}], isReplay=True), "prompt"),
        (user([{"type": "image", "source": {}}]), "prompt"),
        (user("<div> is not closed"), "prompt"),
        (user("x", origin={"kind": "human"}), "prompt"),
        (user("x", origin={"kind": "task-notification"}), "notice"),
        (user("continued from a previous conversation", isSynthetic=True), "notice"),
        (user("summary", isCompactSummary=True), "notice"),
        (user("find the tests", parent="t1"), "notice"),
        (user("<local-command-stdout>42</local-command-stdout>"), "notice"),
        (user([{"type": "text", "text": "<system-reminder>a"}, {"type": "text", "text": "<task-notification>b"}]), "notice"),
        (user("[Request interrupted by user]"), "notice"),
    ],
)
def test_a_prompt_is_what_a_person_typed_into_the_main_loop(line: dict[str, Any], kind: str) -> None:
    assert [event.kind for event in read(init(), line)[0]] == ["session", kind]


def test_a_subagent_starts_with_its_call_and_ends_with_its_result() -> None:
    own = {"status": "completed", "agentId": "a1", "totalDurationMs": 3000, "totalTokens": 195, "totalToolUseCount": 1}
    events, _ = read(
        init(),
        assistant("m1", call("t1", "Task", description="Find tests", subagent_type="Explore", prompt="…"), of=usage(1, 1)),
        answer("t1", "none", tool_use_result=own),
    )
    start, named, end = (event for event in events if event.kind.startswith("subagent"))
    assert (named.kind, named.tool_call_id, named.agent_id) == ("subagent_start", "t1", "a1")
    assert (start.kind, start.tool_call_id, start.subagent_type, start.description) == ("subagent_start", "t1", "Explore", "Find tests")
    assert (end.kind, end.tool_call_id, end.status, end.duration_ms, end.total_tokens, end.tool_uses) == (
        "subagent_end",
        "t1",
        "completed",
        3000,
        195,
        1,
    )


def test_a_background_agent_ends_with_its_notification_and_a_shell_command_is_no_agent() -> None:
    events, _ = read(
        init(),
        assistant("m1", call("t1", "Agent", prompt="x"), call("t2", command="sleep 9"), of=usage(1, 1)),
        system("task_started", task_id="b1", tool_use_id="t2", task_type="local_bash", description="sleep"),
        answer("t1", "launched", tool_use_result={"status": "async_launched", "agentId": "a1"}),
        system("task_notification", task_id="b1", tool_use_id="t2", status="completed"),
        system(
            "task_notification",
            task_id="a1",
            tool_use_id="t1",
            status="completed",
            usage={"total_tokens": 9, "tool_uses": 2, "duration_ms": 70},
        ),
    )
    assert [(event.line_no, event.kind) for event in events if event.kind.startswith("subagent")] == [
        (2, "subagent_start"),
        (4, "subagent_start"),
        (6, "subagent_end"),
    ]
    assert (events[-1].duration_ms, events[-1].total_tokens, events[-1].tool_uses) == (70, 9, 2)


def test_api_retries_of_the_main_loop_and_of_a_subagent() -> None:
    retry = {"agent_id": "a1", "attempt": 1, "max_retries": 10, "retry_delay_ms": 500, "error_status": 429, "error_category": "rate_limit"}
    progress = {
        "type": "tool_progress",
        "tool_use_id": "t1",
        "tool_name": "Task",
        "session_id": init()["session_id"],
        "subagent_retry": retry,
    }
    retries = of_kind(
        "api_retry",
        init(),
        system("api_retry", attempt=1, max_retries=10, retry_delay_ms=548.86, error_status=529, error="overloaded"),
        system("api_retry", attempt=2, max_retries=10, retry_delay_ms=1097.5, error_status=None, error="unknown"),
        progress,
        progress,  # the same attempt, told again with the next sign of life
    )
    assert [(event.attempt, event.delay_ms, event.error_status, event.error_type, event.agent_id) for event in retries] == [
        (1, 548.86, 529, "overloaded", None),
        (2, 1097.5, None, "unknown", None),
        (1, 500.0, 429, "rate_limit", "t1"),
    ]


def test_compactions_in_all_spellings() -> None:
    found = of_kind(
        "compaction",
        init(),
        system("status", status="compacting"),
        system("status", status=None, compact_result="success"),
        system("compact_boundary", compact_metadata={"trigger": "manual", "pre_tokens": 150010, "post_tokens": 9000, "duration_ms": 95000}),
        system("status", status=None, compact_result="failed", compact_error="prompt too long"),
        {"type": "compact_summary", "summary": "s", "tokens_before": 90000, "tokens_after": 12000},
        {"compactSummary": "s"},
        assistant("m1", text("a"), of=usage(1, 1), model=OPUS) | {},
    )
    assert [(event.status, event.trigger, event.tokens_before, event.tokens_after) for event in found] == [
        ("completed", "manual", 150010, 9000),
        ("failed", None, None, None),
        ("completed", "third_party", 90000, 12000),
        ("completed", "third_party", None, None),
    ]


def test_a_result_carries_the_running_totals_as_written() -> None:
    (found,) = of_kind(
        "result",
        init(),
        result(
            total_cost_usd=0.0523,
            num_turns=4,
            duration_ms=5000,
            duration_api_ms=4500,
            terminal_reason="completed",
            usage=usage(34, 190, read=900, write=2900),
            modelUsage={
                "claude-opus-4-5[1m]": {
                    "inputTokens": 81,
                    "outputTokens": 810,
                    "cacheReadInputTokens": 5250,
                    "cacheCreationInputTokens": 3300,
                    "costUSD": 0.05,
                }
            },
        ),
    )
    assert (found.reported_cost_usd, found.reported_turns, found.duration_ms, found.api_duration_ms) == (0.0523, 4, 5000, 4500)
    assert (found.input_tokens, found.output_tokens, found.cache_read_tokens, found.cache_write_5m_tokens) == (34, 190, 900, 2900)
    assert found.usage_parts is not None
    (part,) = found.usage_parts
    assert (part.model, part.native_model, part.input_tokens, part.cost_usd) == (OPUS, "claude-opus-4-5[1m]", 81, 0.05)


@pytest.mark.parametrize(("field", "cost"), [("total_cost_usd", 0.1), ("cost_usd", 0.2), ("total_cost", 0.3)])
def test_the_cost_by_any_of_its_names(field: str, cost: float) -> None:
    (found,) = of_kind("result", init(), result(**{field: cost}))
    assert found.reported_cost_usd == cost


@pytest.mark.parametrize("verdict", [{"subtype": 5}, {"is_error": "maybe"}, {"subtype": ["success"]}])
def test_a_result_whose_verdict_cannot_be_read_is_unreadable_and_its_usage_counts(verdict: dict[str, Any]) -> None:
    events, unreadable = read(init(), result(total_cost_usd=0.5, usage=usage(7, 8), **verdict))
    assert [(row.line_no, row.reason, row.is_repaired, row.native_type) for row in unreadable] == [(2, "bad_verdict", False, "result")]
    assert [(event.is_verdict_readable, event.reported_cost_usd, event.input_tokens) for event in events[1:]] == [(False, 0.5, 7)]


@pytest.mark.parametrize("message", [5, ["x"], True])
def test_a_message_that_cannot_be_read_is_unreadable(message: Any) -> None:
    _, unreadable = read(init(), {"type": "assistant", "message": message, "session_id": init()["session_id"]})
    assert [(row.line_no, row.reason, row.is_repaired) for row in unreadable] == [(2, "bad_shape", False)]
    assert unreadable[0].detail is not None
    assert "$.message" in unreadable[0].detail


@pytest.mark.parametrize(
    ("content", "got", "at"),
    [
        (5, "int", ""),
        ({"type": "text", "text": "a"}, "object", ""),
        (["a", {"type": "text", "text": "b"}], "str", "[0]"),
        ([{"type": "text", "text": "b"}, 5], "int", "[1]"),
        ([{"type": "text", "text": ["b"]}], "array", "[0].text"),
    ],
)
def test_content_of_the_wrong_shape_is_left_out_and_the_rest_counts(content: Any, got: str, at: str) -> None:
    line = {"type": "assistant", "message": {"id": "m1", "model": OPUS, "content": content, "usage": usage(10, 20)}}
    events, unreadable = read(init(), line)
    assert [(event.kind, event.input_tokens, event.output_tokens) for event in events if event.kind == "request"] == [("request", 10, 20)]
    assert [event.text for event in events if event.kind == "text"] == ([None if at.endswith("text") else "b"] if at else [])
    assert [(row.line_no, row.reason, row.is_repaired) for row in unreadable] == [(2, "bad_value", True)]
    assert unreadable[0].detail is not None
    assert unreadable[0].detail.endswith(f"got `{got}` - at `$.message.content{at}`")


@pytest.mark.parametrize(("odd", "got"), [(None, None), (5, "int"), ("a", "str"), ([1], "array")])
def test_odd_elements_of_a_list_are_left_out_and_the_rest_counts(odd: Any, got: str | None) -> None:
    whole = {"input_tokens": 3, "output_tokens": 4}
    denial = {"tool_name": "Edit", "tool_use_id": "t9"}
    part = {"type": "text", "text": "b"}
    events, unreadable = read(
        init(),
        assistant("m1", call("t1"), of=usage(10, 20, iterations=[odd, whole])),
        answer("t1", [odd, part]),
        result(total_cost_usd=0.5, num_turns=4, usage=usage(1, 2, iterations=[whole, odd]), permission_denials=[odd, denial]),
    )
    request, made, answered, ended, denied = events[1:]
    assert (request.input_tokens, [one.input_tokens for one in request.usage_parts or ()], made.tool_call_id) == (10, [3], "t1")
    assert (answered.text, denied.tool_call_id) == ("b", "t9")
    assert (ended.reported_cost_usd, ended.reported_turns, ended.input_tokens, ended.is_verdict_readable) == (0.5, 4, 1, True)
    paths = [["message.usage.iterations[0]"], ["message.content[0].content[0]"], ["usage.iterations[1]", "permission_denials[0]"]]
    assert [row.is_repaired for row in unreadable] == ([] if got is None else [True] * 3)
    for row, at in zip(unreadable, paths, strict=False):
        assert row.detail is not None
        assert sorted(part.partition("got ")[2] for part in row.detail.split("; ")) == sorted(f"`{got}` - at `$.{path}`" for path in at)


def test_a_list_of_very_many_odd_elements_is_left_out_as_a_whole() -> None:
    odd = [*range(1000), *(text("a") | {"text": number} for number in range(1000))]
    events, (row,) = read(init(), assistant("m1", *odd, of=usage(10, 20)))
    assert [(event.kind, event.input_tokens) for event in events[1:]] == [("request", 10)]
    assert row.is_repaired


@pytest.mark.parametrize("empty", ["", [], {}, None])
def test_what_is_empty_is_as_if_missing(empty: Any) -> None:
    line = assistant("m1", {"type": "tool_result", "tool_use_id": "t1", "is_error": empty}, of={"input_tokens": empty, "output_tokens": 2})
    ended = result(is_error=empty, total_cost_usd=empty, timestamp=empty)
    events, unreadable = read(init(), line, {"type": "user", "message": empty}, ended)
    assert unreadable == []
    assert (events[1].input_tokens, events[1].output_tokens) == (None, 2)
    assert (events[-1].is_error, events[-1].is_verdict_readable, events[-1].subtype) == (None, True, "success")


def declared() -> list[tuple[type[msgspec.Struct], msgspec.inspect.Field]]:
    structs = {
        one for module in (wire, session_wire) for one in vars(module).values() if isinstance(one, type) and issubclass(one, wire.Wire)
    }
    found = ((one, msgspec.inspect.type_info(one)) for one in sorted(structs, key=lambda one: one.__name__))
    return [(one, field) for one, info in found if isinstance(info, msgspec.inspect.StructType) for field in info.fields]


@pytest.mark.parametrize(("struct", "field"), [pytest.param(*row, id=f"{row[0].__name__}.{row[1].name}") for row in declared()])
def test_every_declared_field_and_element_may_be_null(struct: type[msgspec.Struct], field: msgspec.inspect.Field) -> None:
    tag = {"type": struct.__struct_config__.tag} if struct.__struct_config__.tag else {}
    nulls: list[Any] = [None]
    types = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
    nulls += [[None] for one in types if isinstance(one, msgspec.inspect.ListType)]
    nulls += [{"x": None} for one in types if isinstance(one, msgspec.inspect.DictType)]
    for null in nulls:
        msgspec.json.decode(msgspec.json.encode({**tag, field.encode_name: null}), type=struct)


@pytest.mark.parametrize("message", [None, {}, {"content": None}, {"content": []}, {"content": [None]}, "text"])
def test_null_missing_and_empty_fields_never_make_a_line_unreadable(message: Any) -> None:
    for kind in ("assistant", "user"):
        events, unreadable = read(init(), {"type": kind, "message": message})
        assert unreadable == []
        assert [event.line_no for event in events] == [1, 2]


@pytest.mark.parametrize("figure", [-1, 2.5, 2**63, 10**30, "12", True])
def test_a_figure_that_cannot_be_is_null_and_the_line_repaired(figure: Any) -> None:
    events, unreadable = read(init(), assistant("m1", text("a"), of=usage(figure, 20)))
    assert [(event.kind, event.input_tokens, event.output_tokens) for event in events[1:]] == [("request", None, 20), ("text", None, None)]
    assert [(row.line_no, row.reason, row.is_repaired) for row in unreadable] == [(2, "bad_value", True)]
    assert unreadable[0].detail is not None
    assert "$.message.usage.input_tokens" in unreadable[0].detail


def test_a_whole_number_written_as_a_float_is_that_number() -> None:
    line = lines(assistant("m1", of=usage(12, 1)))[0].replace(b":12,", b":12.0,")
    events, unreadable = read(init(), line)
    assert (events[1].input_tokens, unreadable) == (12, [])


def test_a_broken_figure_of_one_model_leaves_the_others() -> None:
    (found,) = of_kind(
        "result", init(), result(modelUsage={"a": {"inputTokens": -1, "outputTokens": 4}, "b": {"inputTokens": 3, "costUSD": "free"}})
    )
    assert found.usage_parts is not None
    assert [(part.model, part.input_tokens, part.output_tokens, part.cost_usd) for part in found.usage_parts] == [
        ("a", None, 4, None),
        ("b", 3, None, None),
    ]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("2026-03-01T10:00:00.250Z", dt.datetime(2026, 3, 1, 10, 0, 0, 250_000, tzinfo=dt.UTC)),
        ("2026-03-01T12:00:00+02:00", dt.datetime(2026, 3, 1, 10, tzinfo=dt.UTC)),
        ("2026-03-01T10:00:00", dt.datetime(2026, 3, 1, 10, tzinfo=dt.UTC)),
        ("0001-01-01T00:00:00Z", dt.datetime(1, 1, 1, tzinfo=dt.UTC)),
        ("9999-12-31T23:59:59", dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-00:01", None),
        ("yesterday", None),
        (1772359200, None),
    ],
)
def test_times_are_those_of_the_file(written: Any, read_as: dt.datetime | None) -> None:
    events, unreadable = read(init(), user("hello", timestamp=written))
    assert (events[1].occurred_at, events[1].time_source) == (read_as, None if read_as is None else "native")
    assert len(unreadable) == (read_as is None)


def test_a_time_that_cannot_be_is_null_on_every_type_of_line() -> None:
    never = "0001-01-01T00:00:00+14:00"
    piece = streamed("content_block_delta", index=0, delta={}) | {"timestamp": never}
    events, unreadable = read(init(), piece, result(timestamp=never), {"type": "future", "timestamp": never})
    assert [(event.kind, event.occurred_at) for event in events[1:]] == [("notice", None), ("result", None), ("unmodelled", None)]
    assert [(row.line_no, row.is_repaired, "$.timestamp" in (row.detail or "")) for row in unreadable] == [(2, True, True), (3, True, True)]


@pytest.mark.parametrize(("cost", "read_as"), [(1e30, None), (1.0000001e12, None), (1e12, 1e12), (-0.5, None)])
def test_a_cost_that_cannot_be_is_null_and_the_line_repaired(cost: float, read_as: float | None) -> None:
    events, unreadable = read(init(), result(total_cost_usd=cost, modelUsage={OPUS: {"costUSD": cost, "inputTokens": 5}}))
    parts = events[1].usage_parts or []
    assert (events[1].reported_cost_usd, [(part.cost_usd, part.input_tokens) for part in parts]) == (read_as, [(read_as, 5)])
    assert [(row.reason, row.is_repaired) for row in unreadable] == ([("bad_value", True)] if read_as is None else [])


@pytest.mark.parametrize("depth", [100, 900, 1500, 30_000])
def test_nesting_costs_no_figure_and_no_unmodelled_line(depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    cost = lines(result(total_cost_usd=0.5, extra="@", permission_denials=[{"tool_use_id": "t", "tool_input": "@"}]))[0]
    made = lines(assistant("m1", call("t1", a="@"), of=usage(1, 2)))[0]
    future = lines({"extra": "@", "type": "future", "session_id": init()["session_id"]})[0]
    events, unreadable = read(init(), *(line.replace(b'"@"', deep) for line in (cost, made, future)))
    assert [event.kind for event in events] == ["session", "result", "permission", "request", "tool_call", "unmodelled"]
    assert (events[1].reported_cost_usd, events[3].output_tokens, events[5].native_type) == (0.5, 2, "future")
    assert {row.is_repaired for row in unreadable} <= {True}
    assert {row.reason for row in unreadable} <= {"bad_value"}


def test_near_the_deepest_nesting_a_line_is_read_once() -> None:
    """Where it begins to fail depends on the interpreter and the caller: a line must have told nothing when it fails."""
    for depth in range(850, 1010):
        line = lines(assistant("m1", text("a"), call("t1", a="@"), of=usage(1, 2)))[0].replace(b'"@"', b"[" * depth + b"]" * depth)
        assert [event.kind for event in read(init(), line)[0]] == ["session", "request", "text", "tool_call"]


def test_near_the_deepest_nesting_a_streamed_call_is_told_too() -> None:
    for depth in range(930, 1000):
        delta = {"type": "input_json_delta", "partial_json": "[" * depth + "]" * depth}
        block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}
        start, piece = streamed("content_block_start", content_block=block), streamed("content_block_delta", delta=delta)
        stop = streamed("content_block_stop")
        assert [event.kind for event in read(init(), message_start("m1", usage(1, 1)), start, piece, stop)[0]][2:] in (
            ["tool_call"],
            ["notice"],
        )


@pytest.mark.parametrize("digits", [19, 400, 4300, 4301, 100_000])
def test_a_figure_of_very_many_digits_is_null_and_the_line_repaired(digits: int) -> None:
    line = lines(assistant("m1", text("a"), of=usage("@", 20)))[0].replace(b'"@"', b"9" * digits)  # type: ignore[arg-type]
    events, unreadable = read(init(), line)
    assert [(event.kind, event.input_tokens, event.output_tokens) for event in events[1:]] == [("request", None, 20), ("text", None, None)]
    assert [(row.reason, row.is_repaired) for row in unreadable] == [("bad_value", True)]


def test_an_unmodelled_type_is_kept_and_nothing_on_its_line_can_break_it() -> None:
    odd = {"type": "some_future_event", "session_id": 5, "uuid": [1], "timestamp": "never", "message": 7}
    events, unreadable = read(init(), odd, {"no_type": True}, system("some_future_subtype"), {"type": None}, {})
    assert [(event.kind, event.native_type) for event in events[1:]] == [
        ("unmodelled", "some_future_event"),
        ("unmodelled", None),
        ("unmodelled", "system/some_future_subtype"),
        ("unmodelled", None),
        ("unmodelled", None),
    ]
    assert unreadable == []
    assert events[1].text == lines(odd)[0].decode()


def test_a_denied_call_is_told_once() -> None:
    denial = {"tool_name": "Edit", "tool_use_id": "t1", "tool_input": {}}
    found = of_kind(
        "permission",
        init(),
        system("permission_denied", tool_name="Edit", tool_use_id="t1", message="no"),
        result(permission_denials=[denial]),
        result(permission_denials=[denial, {"tool_name": "Bash", "tool_use_id": "t2"}, None]),
    )
    assert [(event.tool_call_id, event.status) for event in found] == [("t1", "denied"), ("t2", "denied")]


def test_questions_and_plans_are_events_beside_their_calls() -> None:
    asked = call("t1", "AskUserQuestion", questions=[{"question": "Which?"}, {"question": "When?"}])
    planned = call("t2", "TodoWrite", todos=[{"content": "first", "status": "pending"}, {"content": "second"}])
    events, _ = read(init(), assistant("m1", asked, planned, of=usage(1, 1)))
    assert [(event.kind, event.text) for event in events if event.kind in {"question", "plan"}] == [
        ("question", "Which?\nWhen?"),
        ("plan", "first\nsecond"),
    ]


def test_a_change_of_model_by_init_or_fallback() -> None:
    found = of_kind(
        "model_change",
        init(),
        init(),
        init(model="claude-haiku-4-5-20251001"),
        system("model_refusal_fallback", original_model="a", fallback_model="claude-sonnet-4-5", request_id="r"),
    )
    assert [(event.line_no, event.model) for event in found] == [(3, "claude-haiku-4-5"), (4, "claude-sonnet-4-5")]


def test_the_shapes_of_version_0_2() -> None:
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "claude-3-7-sonnet-20250219", "stop_reason": "end_turn"}
    events, unreadable = read(
        {"role": "user", "content": "hello"},
        message | {"content": [{"type": "text", "text": "hi"}], "usage": usage(4, 9)},
        {"role": "system", "cost_usd": 0.0061, "duration_ms": 5100, "duration_api_ms": 5000, "result": "hi", "session_id": "s-1"},
    )
    assert [event.kind for event in events] == ["prompt", "request", "text", "result"]
    assert {event.session_id for event in events} == {"s-1"}
    assert len({event.run_id for event in events}) == 1
    assert (events[1].model, events[3].reported_cost_usd, events[3].subtype, events[3].native_type) == (
        "claude-3-7-sonnet",
        0.0061,
        "success",
        "system",
    )
    assert unreadable == []


def test_a_new_session_id_opens_a_run_and_a_repeated_init_does_not() -> None:
    events, _ = read(init(), init(), user("a", session_id="other"), user("b"), {"type": "keep_alive"})
    assert [event.session_id for event in events] == [events[0].session_id] * 2 + ["other"] + [events[0].session_id] * 2
    assert len({event.run_id for event in events}) == 2


def test_server_tools_answer_in_the_same_message() -> None:
    events, _ = read(
        init(),
        assistant(
            "m1",
            {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
            {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result", "title": "t"}]},
            {"type": "server_tool_use", "id": "s2", "name": "web_search", "input": {"query": "y"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s2",
                "content": {"type": "web_search_tool_result_error", "error_code": "max_uses"},
            },
            of=usage(1, 1, server_tool_use={"web_search_requests": 2}),
        ),
    )
    assert events[1].web_search_requests == 2
    assert [(event.tool_name, event.status) for event in events if event.kind == "tool_result"] == [
        ("web_search", "ok"),
        ("web_search", "error"),
    ]


def test_late_lines_of_a_response_that_has_ended() -> None:
    """Its calls are still its own; only larger figures make a second request, which the views fold."""
    requests = of_kind(
        "request",
        init(),
        assistant("m1", text("a"), of=usage(10, 1)),
        assistant("m2", text("b"), of=usage(20, 1)),
        assistant("m1", text("c"), of=usage(10, 1)),
        assistant("m1", text("d"), of=usage(10, 50)),
    )
    assert [(request.message_id, request.line_no, request.output_tokens) for request in requests] == [
        ("m1", 2, 1),
        ("m2", 3, 1),
        ("m1", 5, 50),
    ]


def test_numbers_beyond_all_range_are_null_and_the_line_repaired() -> None:
    line = b'{"type":"result","subtype":"success","is_error":false,"total_cost_usd":1e999}'
    events, unreadable = read(init(), line, b'{"type":"future","a":[1e999]}')
    assert [(event.kind, event.reported_cost_usd) for event in events[1:]] == [("result", None), ("unmodelled", None)]
    assert [(row.line_no, row.reason, row.is_repaired) for row in unreadable] == [(2, "bad_value", True), (3, "bad_value", True)]


@pytest.mark.parametrize("odd", [{"type": ["x"]}, {"type": {"a": 1}}, {"type": 5, "session_id": ""}])
def test_a_type_that_is_no_text_is_unmodelled(odd: dict[str, Any]) -> None:
    events, unreadable = read(odd, init())
    assert [(event.kind, event.native_type) for event in events] == [("unmodelled", None), ("session", "system/init")]
    assert unreadable == []


def test_an_inner_object_of_a_cut_line_is_no_record() -> None:
    cut = [line.split(b',"parent_tool_use_id"')[0] for line in lines(user("hi"), assistant("m1", text("a"), of=usage(1, 1)))]
    events, unreadable = read(init(), *cut)
    assert [event.kind for event in events] == ["session"]
    assert [(row.line_no, row.reason) for row in unreadable] == [(2, "cut"), (3, "cut")]


def test_a_streamed_message_stays_streamed_when_its_complete_line_comes_late() -> None:
    requests = of_kind(
        "request",
        init(),
        message_start("m1", usage(10, 1)),
        streamed("message_delta", delta={"stop_reason": "end_turn"}, usage=usage(12, 50)),
        streamed("message_stop"),
        assistant("m1", text("a"), of=usage(10, 1), stop_reason="end_turn"),
        assistant("fallback", text("b"), of=usage(300, 5), stop_reason="end_turn"),
    )
    assert [(event.message_id, event.input_tokens, event.output_tokens, event.is_streamed) for event in requests] == [
        ("m1", 12, 50, True),
        ("fallback", 300, 5, False),
    ]


def test_messages_without_an_id() -> None:
    """Streamed: the complete line is its start's. Whole: each is a response of its own. With nothing in it: none."""
    start = streamed("message_start", message={"id": None, "model": OPUS, "usage": usage(10, 1)})
    assert [event.input_tokens for event in of_kind("request", init(), start, assistant(None, text("a"), of=usage(10, 1)))] == [10]
    empty = assistant("", text("a"), of=usage(10, 1))
    assert [event.input_tokens for event in of_kind("request", init(), empty, empty)] == [10, 10]
    assert of_kind("request", init(), streamed("message_start")) == []


def test_a_gateway_that_leaves_out_the_message_stop() -> None:
    ends = [streamed("message_delta", usage=usage(given, 5)) for given in (10, 20)]
    requests = of_kind("request", init(), message_start("x", usage(10, 1)), ends[0], message_start("x", usage(20, 1)), ends[1])
    assert [event.input_tokens for event in requests] == [10, 20]


def test_a_subagents_retry_told_by_heartbeats_and_another_after_it_answered() -> None:
    def beat(call_id: str) -> dict[str, Any]:
        retry = {"agent_id": "a1", "attempt": 1, "max_retries": 10}
        return {"type": "tool_progress", "tool_use_id": call_id, "parent_tool_use_id": "t1", "subagent_retry": retry}

    retries = of_kind(
        "api_retry",
        init(),
        beat("t1-heartbeat-1"),
        beat("t1-heartbeat-2"),
        assistant("s1", text("a"), of=usage(1, 1), parent="t1"),
        beat("t1"),
    )
    assert [(event.line_no, event.agent_id, event.attempt) for event in retries] == [(2, "t1", 1), (5, "t1", 1)]


def test_an_image_beside_a_reminder_is_a_prompt_and_an_unflagged_summary_is_none() -> None:
    image: dict[str, Any] = {"type": "image", "source": {}}
    reminder = text("<system-reminder>x</system-reminder>")
    summary = user("This session is being continued from a previous conversation that ran out of context.")
    assert [event.kind for event in read(init(), user([image, reminder]), summary)[0]] == ["session", "prompt", "notice"]
