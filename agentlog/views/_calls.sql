-- grain: one row per tool call; those of orphans are not among them
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- turn_no: the turn that made it; NULL for a subagent's
-- call_key: hash of its id; NULL where it has none
-- nth: which call with that id it is
-- agent_key: hash of the agent id
-- input_key: hash of tool and canonical input; NULL where the input is not known
-- is_agent_call: it starts a subagent
-- status: ok, error, rejected or pending
-- result_place: position of its result; NULL where there is none
with denied as (
    select distinct
        run_no as run_no,
        hash(tool_call_id) as call_key
    from _ordered
    where kind = 'permission' and status = 'denied' and tool_call_id is not null
)
select
    call.run_no as run_no,
    call.place as place,
    call.turn_no as turn_no,
    call.call_key as call_key,
    coalesce(numbered.nth, 1) as nth,
    call.agent_key as agent_key,
    call.input_key as input_key,
    call.is_agent_call as is_agent_call,
    case
        when denied.call_key is not null and coalesce(answer.status, call.own_status, 'error') = 'error' then 'rejected'
        else coalesce(answer.status, call.own_status, 'pending')
    end as status,
    answer.place as result_place
from _placed_calls as call
left join _numbered_calls as numbered using (run_no, place)
left join _repeated_calls as repeated on call.run_no = repeated.run_no and call.call_key = repeated.call_key
left join (
    select
        key.run_no as run_no,
        key.place as place,
        key.call_key as call_key,
        coalesce(numbered.nth, 1) as nth,
        key.status as status
    from _answer_keys as key
    left join _numbered_calls as numbered using (run_no, place)
) as answer on call.run_no = answer.run_no and call.call_key = answer.call_key and coalesce(numbered.nth, 1) = answer.nth
left join denied on call.run_no = denied.run_no and call.call_key = denied.call_key
where numbered.nth is not null or repeated.call_key is null
