-- grain: one row per `tool_call` event of a response that counts, or of none
-- run_no: number of its run
-- place: position within the run
-- response_place: position of its response; NULL where that is not seen
-- turn_no: the turn that made it; NULL for a subagent's
-- call_key: hash of its id; NULL where it has none
-- agent_key: hash of the agent id
-- input_key: hash of tool and canonical input; NULL where the input is not known
-- is_agent_call: it starts a subagent
-- own_status: how it ended, where its own record says so
with orphan as (
    select
        key.run_no as run_no,
        key.message_key as message_key
    from _orphans
    join _response_keys as key using (run_no, place)
    anti join _repeats as repeat on key.run_no = repeat.run_no and key.place = repeat.place
)
select
    call.run_no as run_no,
    call.place as place,
    coalesce(repeated.response_place, response.place) as response_place,
    coalesce(counted.turn_no, response.turn_no) as turn_no,
    call.call_key as call_key,
    call.agent_key as agent_key,
    call.input_key as input_key,
    call.is_agent_call as is_agent_call,
    call.own_status as own_status
from (from _call_keys anti join orphan using (run_no, message_key)) as call
left join (from _counted where not is_repeated) as response on call.run_no = response.run_no and call.message_key = response.message_key
left join _repeated_responses as repeated on call.run_no = repeated.run_no and call.place = repeated.place
left join _counted as counted on repeated.run_no = counted.run_no and repeated.response_place = counted.place
where repeated.run_no is null or counted.run_no is not null
