-- grain: one row per run with several terminal records
-- kept: yes
-- run_no: the run
select
    run_no as run_no
from _result_events
group by run_no
having count(*) > 1
