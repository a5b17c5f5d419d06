-- grain: one row per process with a terminal record and a time before its end
-- run_no: number of its run
-- process_place: position that stands for it
-- last_at: latest time of its events up to its last terminal record
with timed as (
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
    result.opening_place as process_place,
    max(timed.occurred_at) as last_at
from timed
asof join _results as result
    on timed.run_no = result.run_no and timed.source_no = result.source_no and timed.place <= result.place
group by timed.run_no, result.opening_place
