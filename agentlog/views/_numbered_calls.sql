-- grain: one row per call, or result, with an id that repeats within its run
-- kept: where _repeated_calls has rows
-- run_no: number of its run
-- place: position within the run
-- nth: which call, or result, with that id it is
-- Two blocks of one response are one call if id and input agree, the first of them; any other with a known id is another call.
with block as (
    select
        run_no as run_no,
        call_key as call_key,
        min(place) as place
    from (from _placed_calls semi join _repeated_calls using (run_no, call_key))
    group by run_no, call_key, coalesce(response_place, place), input_key
)
select
    run_no as run_no,
    place as place,
    row_number() over (partition by run_no, call_key order by place) as nth
from block
union all
select
    run_no as run_no,
    place as place,
    row_number() over (partition by run_no, call_key order by place) as nth
from (from _answer_keys semi join _repeated_calls using (run_no, call_key))
