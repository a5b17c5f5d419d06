-- Archived files, and what became of them.
--
-- One row a file. lines = blank + readable + unreadable; repaired lines are readable. A source without runs is in no window; others go by their runs.
-- example: agentlog sources --by status
-- by: status, harness, format, source_path, hour, day, week, month
-- key: source_path
-- undated: sources
-- reads: sources
create temp view candidates as from chosen_sources;

select
    source_path,
    status,
    harness,
    format,
    runs,
    source_bytes,
    lines,
    blank_lines,
    readable_lines,
    unreadable_lines,
    repaired_lines,
    events,
    modified_at,
    error
from selected
order by source_path;

select
    columns(getvariable('sel_by')),
    count(*) as sources,
    sum(source_bytes) as source_bytes,
    sum(lines) as lines,
    sum(blank_lines) as blank_lines,
    sum(readable_lines) as readable_lines,
    sum(unreadable_lines) as unreadable_lines,
    sum(repaired_lines) as repaired_lines,
    sum(events) as events
from selected
group by all
order by all;
