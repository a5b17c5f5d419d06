-- grain: one row per request: every response but orphans
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- request_no: 1-based number within the run
-- turn_no: 1-based number among those of the main loop; NULL for a subagent's
-- process_place: position that stands for its process
-- has_reported_tokens: its tokens are in a reported total
-- has_reported_cost: its cost is in a reported total
select
    response.run_no as run_no,
    response.place as place,
    row_number() over in_run as request_no,
    case when response.agent_id is null then count(*) filter (where response.agent_id is null) over in_run end as turn_no,
    response.process_place as process_place,
    coalesce(response.result_place <= process.tokens_place and process.tokens_from is not null, false) as has_reported_tokens,
    coalesce(response.result_place <= process.cost_place and process.cost_usd is not null, false) as has_reported_cost
from (from _attributed anti join _orphans using (run_no, place)) as response
join _processes as process using (run_no, process_place)
window in_run as (partition by response.run_no order by response.place)
