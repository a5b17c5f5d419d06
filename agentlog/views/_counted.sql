-- grain: one row per response that counts: all but orphans
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- request_no: 1-based number within the run
-- turn_no: 1-based number among those of the main loop; NULL for a subagent's
-- process_place: position that stands for its process
-- has_reported_tokens: its tokens are in a reported total
-- has_reported_cost: its cost is in a reported total
with numbered as (
    select
        run_no as run_no,
        place as place,
        row_number() over in_run as request_no,
        case when agent_id is null then count(*) filter (where agent_id is null) over in_run end as turn_no
    from (from _responses anti join _orphans using (run_no, place))
    window in_run as (partition by run_no order by place)
)
select
    numbered.run_no as run_no,
    numbered.place as place,
    numbered.request_no as request_no,
    numbered.turn_no as turn_no,
    attributed.process_place as process_place,
    case process.tokens_from
        when 'usage' then coalesce(result.has_usage, false)
        else coalesce(attributed.result_place <= process.tokens_place and process.tokens_from is not null, false)
    end as has_reported_tokens,
    coalesce(attributed.result_place <= process.cost_place and process.cost_usd is not null, false) as has_reported_cost
from numbered
join _attributed as attributed using (run_no, place)
join _processes as process on attributed.run_no = process.run_no and attributed.process_place = process.process_place
left join _results as result on attributed.run_no = result.run_no and attributed.result_place = result.place
