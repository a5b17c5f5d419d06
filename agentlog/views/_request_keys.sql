-- grain: one row per `request` event
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run
-- message_key: hash of what its blocks share with it: the message id, or the line where it has none
-- has_message_id: it has a message id
-- is_main_loop: the main loop made it
-- agent_key: hash of the agent id
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    case when message_id is null then hash(source_no, line_no) else hash(message_id) end as message_key,
    message_id is not null as has_message_id,
    agent_id is null as is_main_loop,
    agent_key as agent_key
from _ordered
where kind = 'request'
