-- grain: one row per tool call; those of orphans are not among them
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- response_place: position of its response; NULL where that is not seen
-- agent_key: hash of the agent id
-- agent_id: the subagent that made it; NULL is the main loop
-- call_key: hash of its id; NULL where it has none
-- nth: which call with that id it is
-- tool_name: the tool
-- tool_kind: its kind
-- tool_input_hash: hash of its canonical input
-- status: ok, error, rejected or pending
-- started_at: when it was made
-- ended_at: when its result came
-- duration_ms: as the result states, else from the times
-- result_place: position of its result; NULL where there is none
-- result_chars: characters of the result
with answer as (
    select
        event.run_no as run_no,
        event.place as place,
        hash(event.tool_call_id) as call_key,
        coalesce(numbered.nth, 1) as nth,
        coalesce(event.status, case when event.is_error then 'error' else 'ok' end) as status,
        event.occurred_at as ended_at,
        event.duration_ms as duration_ms,
        event.result_chars as result_chars
    from (from _ordered where kind = 'tool_result' and tool_call_id is not null) as event
    left join _numbered_calls as numbered using (run_no, place)
),
denied as (
    select distinct
        run_no as run_no,
        hash(tool_call_id) as call_key
    from _ordered
    where kind = 'permission' and status = 'denied' and tool_call_id is not null
)
select
    call.run_no as run_no,
    call.place as place,
    call.response_place as response_place,
    call.agent_key as agent_key,
    call.agent_id as agent_id,
    call.call_key as call_key,
    coalesce(numbered.nth, 1) as nth,
    call.tool_name as tool_name,
    call.tool_kind as tool_kind,
    call.tool_input_hash as tool_input_hash,
    case
        when denied.call_key is not null and coalesce(answer.status, call.own_status, 'error') = 'error' then 'rejected'
        else coalesce(answer.status, call.own_status, 'pending')
    end as status,
    call.started_at as started_at,
    answer.ended_at as ended_at,
    coalesce(answer.duration_ms, case when answer.ended_at >= call.started_at then epoch_ms(answer.ended_at) - epoch_ms(call.started_at) end)
        as duration_ms,
    answer.place as result_place,
    answer.result_chars as result_chars
from _call_events as call
left join _numbered_calls as numbered using (run_no, place)
left join _repeated_calls as repeated on call.run_no = repeated.run_no and call.call_key = repeated.call_key
left join answer on call.run_no = answer.run_no and call.call_key = answer.call_key and coalesce(numbered.nth, 1) = answer.nth
left join denied on call.run_no = denied.run_no and call.call_key = denied.call_key
where numbered.nth is not null or repeated.call_key is null
