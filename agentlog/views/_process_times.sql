-- grain: one row per process of a run with a terminal record without a time of its own, but events before it that have one
-- run_no: number of its run
-- process_place: position that stands for it
-- last_at: latest time of its events up to its last terminal record
with share as (
    select
        run_no as run_no,
        source_no as source_no,
        opening_place as process_place,
        max(place) as last_place
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
),
timed as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        greatest(occurred_at, ended_at) as occurred_at
    from _ordered
    where occurred_at is not null or ended_at is not null
)
select
    timed.run_no as run_no,
    share.process_place as process_place,
    max(timed.occurred_at) as last_at
from (from timed semi join untimed using (run_no)) as timed
asof join share on timed.run_no = share.run_no and timed.source_no = share.source_no and timed.place <= share.last_place
group by timed.run_no, share.process_place
