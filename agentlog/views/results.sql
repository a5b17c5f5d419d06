-- grain: one row per terminal record
-- run_id: the run
-- result_no: 1-based number within the run
-- process_no: 1-based number of its process within the run
-- subtype: as written
-- is_error: as written
-- outcome: `success`, `error`, or `unreadable` where the verdict cannot be read
-- error_type: what went wrong: its subtype, terminal reason or HTTP status
-- reported_turns: the harness's own count of turns
-- duration_ms: time it states
-- reported_cost_usd: cost as written, a running total of the process
-- own_cost_usd: cost since the record before it in its process; NULL where the figure is no report
select
    run.run_id as run_id,
    event.result_no as result_no,
    process.process_no as process_no,
    event.subtype as subtype,
    event.is_error as is_error,
    event.outcome as outcome,
    event.error_type as error_type,
    event.reported_turns as reported_turns,
    event.duration_ms as duration_ms,
    event.reported_cost_usd as reported_cost_usd,
    case
        when process.cost_usd is not null
        then event.reported_cost_usd - coalesce(
            last_value(event.reported_cost_usd ignore nulls) over (
                partition by result.run_no, result.opening_place order by result.place rows between unbounded preceding and 1 preceding
            ),
            0
        )
    end as own_cost_usd
from _results as result
join _result_events as event using (run_no, place)
join _processes as process on result.run_no = process.run_no and result.opening_place = process.process_place
join _run_sources as run on result.run_no = run.run_no and run.source_no = 1
where event.is_terminal
