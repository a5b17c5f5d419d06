-- grain: one row per stored event that counts: copies of history are left out, but for the requests among them
-- *: the stored columns
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run as one number: source, line, part
-- agent_key: hash of its agent id; the main loop has one too
-- A copied request stands right behind its original, as one more line of the same response: it may hold times and final figures that only it has.
select
    event.* replace (
        coalesce(event.occurred_at, copy.occurred_at) as occurred_at,
        coalesce(copy.home_run_no, event.run_no) as run_no,
        coalesce(copy.home_source_no, event.source_no) as source_no,
        coalesce(copy.home_place, event.place) as place
    )
from _placed as event
left join _copies as copy using (run_no, place)
where copy.run_no is null or not copy.is_copy or copy.home_place is not null
