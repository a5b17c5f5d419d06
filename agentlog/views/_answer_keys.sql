-- grain: one row per `tool_result` event with an id
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- call_key: hash of the id of its call
-- status: ok, error or rejected
select
    run_no as run_no,
    place as place,
    hash(tool_call_id) as call_key,
    coalesce(status, case when is_error then 'error' else 'ok' end) as status
from _ordered
where kind = 'tool_result' and tool_call_id is not null
