-- grain: one row per process whose terminal record has no time of its own, but events before it have
-- run_no: number of its run
-- process_place: position that stands for it
-- last_at: latest time of its events up to its last terminal record
with share as (
    select
        run_no as run_no,
        source_no as source_no,
        opening_place as process_place,
        max(place) as last_place,
        lag(max(place), 1, 0) over (partition by run_no, source_no order by max(place)) as after_place
    from _results
    group by run_no, source_no, opening_place
),
untimed as (
    select
        process.run_no as run_no,
        process.process_place as process_place
    from _processes as process
    join _result_events as event on process.run_no = event.run_no and process.tokens_place = event.place
    where event.occurred_at is null
)
select
    event.run_no as run_no,
    share.process_place as process_place,
    max(greatest(event.occurred_at, event.ended_at)) as last_at
from (from share semi join untimed using (run_no, process_place)) as share
join _ordered as event
    on share.run_no = event.run_no and share.source_no = event.source_no
    and share.after_place < event.place and share.last_place >= event.place
where event.occurred_at is not null or event.ended_at is not null
group by event.run_no, share.process_place
