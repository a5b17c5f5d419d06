-- grain: one row per run and source that holds lines of it
-- kept: yes
-- run_id: the run
-- run_no: its number in this store
-- source_path: the source
-- source_no: order of the run's sources: by their first time, those without one last, then by path
-- lines: physical lines of the run in this source
-- unreadable_lines: those of them that could not be read
with share as (
    select
        source_path as source_path,
        unnest(runs) as run
    from _sources
    where status in ('ok', 'missing') and duplicate_of is null
)
select
    run.run_id as run_id,
    dense_rank() over (order by run.run_id)::integer as run_no,
    source_path as source_path,
    row_number() over (partition by run.run_id order by run.first_at nulls last, source_path)::integer as source_no,
    run.lines as lines,
    run.unreadable_lines as unreadable_lines
from share
