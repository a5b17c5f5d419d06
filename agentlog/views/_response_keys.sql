-- grain: one row per model response of a run, orphans included
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run: that of its first event
-- message_key: hash of what its blocks share with it
-- is_main_loop: the main loop made it
-- agent_key: hash of the agent id
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    message_key as message_key,
    is_main_loop as is_main_loop,
    agent_key as agent_key
from _request_keys
anti join _repeats using (run_no, place)
union all
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    message_key as message_key,
    is_main_loop as is_main_loop,
    agent_key as agent_key
from _folded_keys
