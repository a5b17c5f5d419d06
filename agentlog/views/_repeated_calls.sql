-- grain: one row per tool call id that several calls of a run have, or several results
-- kept: yes
-- run_no: number of the run
-- call_key: hash of the id
select
    run_no as run_no,
    call_key as call_key
from _call_keys
where call_key is not null
group by run_no, call_key
having count(*) > 1
union
select
    run_no as run_no,
    call_key as call_key
from _answer_keys
group by run_no, call_key
having count(*) > 1
