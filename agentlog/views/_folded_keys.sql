-- grain: one row per response with several `request` events
-- kept: where _repeats has rows
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run: that of its first event
-- message_key: hash of what its blocks share with it
-- is_main_loop: the main loop made it
-- agent_key: hash of the agent id
select
    key.run_no as run_no,
    arg_min(key.source_no, key.place) as source_no,
    repeat.response_place as place,
    any_value(key.message_key) as message_key,
    bool_or(key.is_main_loop) as is_main_loop,
    arg_min(key.agent_key, (not key.is_main_loop, key.place)) as agent_key
from _request_keys as key
join _repeats as repeat using (run_no, place)
group by key.run_no, repeat.response_place
