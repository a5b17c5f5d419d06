-- grain: one row per response of the main loop that may be left over from an aborted stream
-- kept: where _searched has rows
-- run_no: number of its run
-- place: position within the run
-- None of its tool calls has a result (or a subagent at work), and another response of the main loop follows before anything from the user's side.
with call as (
    select
        run_no as run_no,
        source_no as source_no,
        hash(tool_call_id) as call_key,
        case when message_id is null then hash(source_no, line_no) else hash(message_id) end as message_key
    from (from _ordered semi join _searched using (run_no))
    where kind = 'tool_call' and agent_id is null and tool_call_id is not null
),
result as (
    select
        run_no as run_no,
        place as place,
        hash(tool_call_id) as call_key,
        agent_id is null as is_main_loop
    from (from _ordered semi join _searched using (run_no))
    where kind = 'tool_result'
),
answered as (
    select
        run_no as run_no,
        call_key as call_key
    from result
    union
    select
        run_no as run_no,
        agent_key as call_key
    from (from _request_keys semi join _searched using (run_no))
    where not is_main_loop
),
silent as (
    select
        call.run_no as run_no,
        call.source_no as source_no,
        call.message_key as message_key
    from call
    left join answered using (run_no, call_key)
    group by call.run_no, call.source_no, call.message_key
    having count(answered.call_key) = 0
),
main_loop as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        message_key as message_key,
        lead(place) over (partition by run_no order by place) as next_place
    from (from _response_keys semi join silent using (run_no))
    where is_main_loop
),
followed as (
    select
        run_no as run_no,
        place as place,
        next_place as next_place
    from (from main_loop semi join silent using (run_no, source_no, message_key))
    where next_place is not null
),
user_side as (
    select
        run_no as run_no,
        place as place
    from (from _ordered semi join followed using (run_no))
    where kind = 'prompt' and agent_id is null
    union all
    select
        run_no as run_no,
        place as place
    from result
    where is_main_loop
)
select
    followed.run_no as run_no,
    followed.place as place
from followed
asof left join user_side on followed.run_no = user_side.run_no and followed.next_place > user_side.place
where user_side.place is null or user_side.place < followed.place
