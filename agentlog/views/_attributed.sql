-- grain: one row per model response, orphans included
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- result_place: position of the next terminal record of its source; NULL after the last one
-- process_place: position that stands for its process: of the terminal record that opened it, or of the beginning of a source without one
with source_end as (
    select
        run_no as run_no,
        source_no as source_no,
        count(*) as results,
        max(place) as place,
        arg_max(opening_place, place) as opening_place
    from _results
    group by run_no, source_no
),
of_several as (
    select
        response.run_no as run_no,
        response.place as place,
        result.place as result_place,
        result.opening_place as opening_place
    from (from _responses semi join (from source_end where results > 1) using (run_no, source_no)) as response
    asof join _results as result
        on response.run_no = result.run_no and response.source_no = result.source_no and response.place < result.place
)
select
    response.run_no as run_no,
    response.place as place,
    coalesce(of_several.result_place, case when source_end.results = 1 and response.place < source_end.place then source_end.place end) as result_place,
    coalesce(of_several.opening_place, source_end.opening_place, response.source_no::hugeint << 96) as process_place
from _responses as response
left join source_end using (run_no, source_no)
left join of_several on response.run_no = of_several.run_no and response.place = of_several.place
