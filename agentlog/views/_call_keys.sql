-- grain: one row per `tool_call` event
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run
-- message_key: hash of what it shares with its response: the message id, or the line where it has none
-- call_key: hash of its id; NULL where it has none
-- agent_key: hash of the agent id
-- input_key: hash of tool and canonical input; NULL where the input is not known
-- is_agent_call: it starts a subagent
-- own_status: how it ended, where its own record says so
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    case when message_id is null then hash(source_no, line_no) else hash(message_id) end as message_key,
    case when tool_call_id is not null then hash(tool_call_id) end as call_key,
    agent_key as agent_key,
    case when tool_input_hash is not null then hash(tool_name, tool_input_hash) end as input_key,
    coalesce(tool_kind = 'agent', false) as is_agent_call,
    status as own_status
from _ordered
where kind = 'tool_call'
