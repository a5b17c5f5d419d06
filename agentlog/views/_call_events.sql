-- grain: one row per `tool_call` event of a response that counts, or of none
-- run_no: number of its run
-- place: position within the run
-- response_place: position of its response; NULL where that is not seen
-- agent_key: hash of the agent id
-- agent_id: the subagent that made it; NULL is the main loop
-- call_key: hash of its id; NULL where it has none
-- tool_name: the tool
-- tool_kind: its kind
-- tool_input_hash: hash of its canonical input
-- started_at: when it was made
-- own_status: how it ended, where its own record says so
with event as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        case when message_id is null then hash(source_no, line_no) else hash(message_id) end as message_key,
        agent_key as agent_key,
        agent_id as agent_id,
        case when tool_call_id is not null then hash(tool_call_id) end as call_key,
        tool_name as tool_name,
        tool_kind as tool_kind,
        tool_input_hash as tool_input_hash,
        occurred_at as started_at,
        status as own_status
    from _ordered
    where kind = 'tool_call'
),
repeat as (
    select
        event.run_no as run_no,
        event.place as place,
        repeat.response_place as response_place
    from (
        select
            run_no as run_no,
            source_no as source_no,
            message_key as message_key,
            place as place
        from event
        semi join _repeats using (run_no, message_key)
    ) as event
    asof join _repeats as repeat
        on event.run_no = repeat.run_no and event.source_no = repeat.source_no and event.message_key = repeat.message_key
        and event.place >= repeat.place
),
response as (
    select
        run_no as run_no,
        message_key as message_key,
        place as place
    from (from _request_events anti join _repeats using (run_no, place))
)
select
    event.run_no as run_no,
    event.place as place,
    coalesce(repeat.response_place, response.place) as response_place,
    event.agent_key as agent_key,
    event.agent_id as agent_id,
    event.call_key as call_key,
    event.tool_name as tool_name,
    event.tool_kind as tool_kind,
    event.tool_input_hash as tool_input_hash,
    event.started_at as started_at,
    event.own_status as own_status
from event
left join repeat using (run_no, place)
left join response on event.run_no = response.run_no and event.message_key = response.message_key
anti join _orphans as orphan
    on event.run_no = orphan.run_no and coalesce(repeat.response_place, response.place) = orphan.place
