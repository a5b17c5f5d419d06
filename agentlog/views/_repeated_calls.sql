-- grain: one row per tool call id that several calls of a run have, or several results
-- kept: yes
-- run_no: number of the run
-- call_key: hash of the id
select
    run_no as run_no,
    hash(tool_call_id) as call_key
from _ordered
where kind in ('tool_call', 'tool_result') and tool_call_id is not null
group by run_no, hash(tool_call_id)
having count(*) filter (where kind = 'tool_call') > 1 or count(*) filter (where kind = 'tool_result') > 1
