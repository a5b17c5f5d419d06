-- grain: one row per record that reports a running total
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run
-- opening_place: position of the terminal record that opened its process, the first of the process
-- is_last_of_source: no other follows in its source
select
    result.run_no as run_no,
    result.source_no as source_no,
    result.place as place,
    max(case when result.place = first.place or opening.place is not null then result.place end)
        over (partition by result.run_no order by result.place) as opening_place,
    result.place = max(result.place) over (partition by result.run_no, result.source_no) as is_last_of_source
from _result_events as result
join (select run_no, min(place) as place from _result_events group by run_no) as first using (run_no)
left join _openings as opening on result.run_no = opening.run_no and result.place = opening.place
