-- grain: one row per run and source that holds lines of it
-- run_id: the run
-- source_path: the source
-- source_no: order of the run's sources: by their first time, those without one last, then by path
-- lines: physical lines of the run in this source
-- blank_lines: blank ones among them
-- readable_lines: those that gave an event or were folded into one
-- unreadable_lines: those that could not be read
-- repaired_lines: readable ones that were repaired
with share as (
    select
        source_path as source_path,
        unnest(runs) as run
    from _sources
    where status in ('ok', 'missing') and duplicate_of is null
)
select
    run.run_id as run_id,
    source_path as source_path,
    row_number() over (partition by run.run_id order by run.first_at nulls last, source_path) as source_no,
    run.lines as lines,
    run.blank_lines as blank_lines,
    run.readable_lines as readable_lines,
    run.unreadable_lines as unreadable_lines,
    run.repaired_lines as repaired_lines
from share
