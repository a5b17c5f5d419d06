-- grain: one row per tool call; calls left over from an aborted stream are not among them
-- run_id: the run
-- call_no: 1-based number within the run
-- tool_call_id: its id, which may repeat
-- turn_no: the turn that made it; NULL for a subagent's
-- agent_id: the subagent that made it; NULL is the main loop
-- tool_name: the harness's own name of the tool
-- tool_kind: kind of the tool
-- mcp_server: its MCP server
-- input: its input as JSON
-- summary: the call in one short line
-- status: `ok`, `error`, `rejected` (refused by the user, a rule or a hook) or `pending` (no result)
-- started_at: when it was made
-- ended_at: when its result came
-- duration_ms: as the result states, else from call to result
-- result_chars: characters of the result
-- error_text: text of a result that is an error or a rejection
-- retry_of: call_no of the failed call that it repeats: same agent, same tool, same input, the latest such call
-- is_blind_retry: it repeats a failed call, and that agent made no other call between
with numbered as (
    select
        run_no as run_no,
        place as place,
        row_number() over (partition by run_no order by place) as call_no
    from _calls
),
failure as (
    select
        run_no as run_no,
        place as place,
        text as text
    from _ordered
    where kind = 'tool_result' and status in ('error', 'rejected')
)
select
    run.run_id as run_id,
    numbered.call_no as call_no,
    event.tool_call_id as tool_call_id,
    call.turn_no as turn_no,
    event.agent_id as agent_id,
    event.tool_name as tool_name,
    event.tool_kind as tool_kind,
    event.mcp_server as mcp_server,
    event.tool_input as input,
    event.tool_summary as summary,
    call.status as status,
    event.occurred_at as started_at,
    answer.occurred_at as ended_at,
    coalesce(
        answer.duration_ms, case when answer.occurred_at >= event.occurred_at then epoch_ms(answer.occurred_at) - epoch_ms(event.occurred_at) end
    ) as duration_ms,
    answer.result_chars as result_chars,
    failure.text as error_text,
    retried.call_no as retry_of,
    coalesce(retry.is_blind, false) as is_blind_retry
from _calls as call
join numbered using (run_no, place)
join (from _ordered where kind = 'tool_call') as event on call.run_no = event.run_no and call.place = event.place
left join (from _ordered where kind = 'tool_result') as answer on call.run_no = answer.run_no and call.result_place = answer.place
left join failure on call.run_no = failure.run_no and call.result_place = failure.place
left join _retries as retry on call.run_no = retry.run_no and call.place = retry.place
left join numbered as retried on retry.run_no = retried.run_no and retry.retried_place = retried.place
join _run_sources as run on call.run_no = run.run_no and run.source_no = 1
