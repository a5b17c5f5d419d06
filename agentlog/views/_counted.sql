-- grain: one row per request: every response but orphans
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- message_key: hash of what its blocks share with it
-- agent_key: hash of the agent id
-- is_repeated: its message id has several `request` events
-- request_no: 1-based number within the run
-- turn_no: 1-based number among those of the main loop; NULL for a subagent's
-- process_place: position that stands for its process
-- has_reported_tokens: its tokens are in a reported total
-- has_reported_cost: its cost is in a reported total
select
    response.run_no as run_no,
    response.place as place,
    response.message_key as message_key,
    response.agent_key as agent_key,
    repeat.run_no is not null as is_repeated,
    row_number() over in_run as request_no,
    case when response.is_main_loop then count(*) filter (where response.is_main_loop) over in_run end as turn_no,
    response.process_place as process_place,
    coalesce(response.result_place <= process.tokens_place and process.tokens_from is not null, false) as has_reported_tokens,
    coalesce(response.result_place <= process.cost_place and process.cost_usd is not null, false) as has_reported_cost
from (from _attributed anti join _orphans using (run_no, place)) as response
join _processes as process using (run_no, process_place)
left join _repeats as repeat on response.run_no = repeat.run_no and response.place = repeat.place
window in_run as (partition by response.run_no order by response.place)
