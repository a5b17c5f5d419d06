-- Lines that could not be read, or were repaired.
--
-- One row a line: where it is and why. The line itself may hold anything, so it is shown only with --raw. A line has no time of its own: --since and
-- --until go by its run.
-- example: agentlog unreadable --by reason,is_repaired
-- by: reason, is_repaired, source_path, run_id, name, session_id, project, harness, outcome, hour, day, week, month
-- key: source_path, line_no
-- undated: lines
-- raw: raw
-- reads: unreadable
create temp view candidates as from chosen_unreadable;

select
    source_path,
    line_no,
    reason,
    is_repaired,
    byte_length as line_bytes,
    detail,
    run_id,
    raw
from selected
order by source_path, line_no;

select
    columns(getvariable('sel_by')),
    count(*) as lines,
    count(*) filter (not is_repaired) as unreadable_lines,
    count(*) filter (is_repaired) as repaired_lines,
    count(distinct source_path) as sources,
    count(distinct run_id) as runs,
    sum(byte_length) as line_bytes
from selected
group by all
order by all;
