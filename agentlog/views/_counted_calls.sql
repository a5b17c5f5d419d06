-- grain: one row per tool call that counts: all but those of orphans
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- call_no: 1-based number within the run
-- turn_no: its turn; NULL for a subagent's
-- agent_key: hash of the agent id
-- agent_id: the subagent that made it; NULL is the main loop
-- call_key: hash of its id
-- nth: which call with that id it is
-- tool_name: the tool
-- tool_kind: its kind
-- status: ok, error, rejected or pending
-- started_at: when it was made
-- ended_at: when its result came
-- duration_ms: as the result states, else from the times
-- result_place: position of its result
-- result_chars: characters of the result
-- retry_of: the failed call with the same tool and input, the latest of the same agent, that it repeats
-- is_blind_retry: no other call of that agent came between
with denied as (
    select distinct
        run_no as run_no,
        hash(tool_call_id) as call_key
    from _ordered
    where kind = 'permission' and status = 'denied' and tool_call_id is not null
),
judged as (
    select
        call.run_no as run_no,
        call.place as place,
        call.result_place as result_place,
        call.agent_key as agent_key,
        call.tool_name as tool_name,
        call.tool_input_hash as tool_input_hash,
        counted.turn_no as turn_no,
        case
            when denied.call_key is not null and coalesce(call.result_status, call.own_status, 'error') = 'error' then 'rejected'
            else coalesce(call.result_status, call.own_status, 'pending')
        end as status
    from _calls as call
    left join _counted as counted on call.run_no = counted.run_no and call.response_place = counted.place
    left join denied on call.run_no = denied.run_no and call.call_key = denied.call_key
    where call.response_place is null or counted.place is not null
),
numbered as (
    select
        run_no as run_no,
        place as place,
        result_place as result_place,
        agent_key as agent_key,
        tool_name as tool_name,
        tool_input_hash as tool_input_hash,
        turn_no as turn_no,
        status as status,
        row_number() over (partition by run_no order by place) as call_no,
        row_number() over (partition by run_no, agent_key order by place) as agent_call_no
    from judged
),
compared as (
    select
        run_no as run_no,
        place as place,
        turn_no as turn_no,
        status as status,
        call_no as call_no,
        agent_call_no as agent_call_no,
        case
            when tool_input_hash is not null and lag(status) over same_call = 'error' and lag(coalesce(result_place, place)) over same_call < place
            then lag(call_no) over same_call
        end as retry_of,
        lag(agent_call_no) over same_call as earlier_call_no
    from numbered
    window same_call as (partition by run_no, agent_key, tool_name, tool_input_hash order by place)
)
select
    call.run_no as run_no,
    call.place as place,
    compared.call_no as call_no,
    compared.turn_no as turn_no,
    call.agent_key as agent_key,
    call.agent_id as agent_id,
    call.call_key as call_key,
    call.nth as nth,
    call.tool_name as tool_name,
    call.tool_kind as tool_kind,
    compared.status as status,
    call.started_at as started_at,
    call.ended_at as ended_at,
    coalesce(call.stated_ms, case when call.ended_at >= call.started_at then epoch_ms(call.ended_at) - epoch_ms(call.started_at) end) as duration_ms,
    call.result_place as result_place,
    call.result_chars as result_chars,
    compared.retry_of as retry_of,
    compared.retry_of is not null and compared.agent_call_no = compared.earlier_call_no + 1 as is_blind_retry
from _calls as call
join compared using (run_no, place)
