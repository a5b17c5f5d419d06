-- grain: one row per normalized event; (source_path, line_no, part_no) is unique
-- columns: Event
-- is_copy: a copy of history that counts elsewhere
-- turn_no: the turn it belongs to: that of its response or tool call, of a retry the turn it led to, else the latest before; NULL for subagents
with main_loop as (
    select
        run_no as run_no,
        place as place,
        turn_no as turn_no
    from _requests
    where agent_id is null
    union all
    select
        run_no as run_no,
        place as place,
        null as turn_no
    from _orphans
    union all
    select
        repeat.run_no as run_no,
        repeat.place as place,
        request.turn_no as turn_no
    from (from _repeats where place <> response_place) as repeat
    left join _requests as request on repeat.run_no = request.run_no and repeat.response_place = request.place
    where request.agent_id is null
),
response as (
    select
        run_no as run_no,
        place as place,
        turn_no as turn_no,
        max(turn_no) over (partition by run_no order by place) as latest_turn_no
    from main_loop
),
answer as (
    select
        run_no as run_no,
        result_place as place,
        turn_no as turn_no
    from _calls
    where result_place is not null
),
retry as (
    select
        run_no as run_no,
        place as place,
        turn_no as turn_no
    from _api_retries
),
located as (
    select
        event.run_no as run_no,
        event.place as place,
        case
            when event.kind = 'api_retry' then retry.turn_no
            when answer.place is not null then answer.turn_no
            when event.message_id is not null then response.turn_no
            else response.latest_turn_no
        end as turn_no
    from (from _ordered where agent_id is null) as event
    asof left join response on event.run_no = response.run_no and event.place >= response.place
    left join answer on event.run_no = answer.run_no and event.place = answer.place
    left join retry on event.run_no = retry.run_no and event.place = retry.place
)
select
    event.run_id as run_id,
    event.source_path as source_path,
    event.line_no as line_no,
    event.part_no as part_no,
    coalesce(copy.is_copy, false) as is_copy,
    event.kind as kind,
    event.native_type as native_type,
    event.harness as harness,
    event.format as format,
    event.harness_version as harness_version,
    event.session_id as session_id,
    event.uuid as uuid,
    event.agent_id as agent_id,
    event.parent_tool_call_id as parent_tool_call_id,
    located.turn_no as turn_no,
    event.* exclude (
        run_id, source_path, line_no, part_no, kind, native_type, harness, format, harness_version, session_id, uuid, agent_id, parent_tool_call_id,
        run_no, source_no, place, agent_key
    )
from _placed as event
left join _copies as copy on event.run_no = copy.run_no and event.place = copy.place
left join located on event.run_no = located.run_no and event.place = located.place
