-- Records of types that agentlog does not model.
--
-- They are kept, and in no count. --since and --until go by their runs.
-- example: agentlog unmodelled --by native_type
-- by: harness, harness_version, native_type, run_id, name, session_id, project, outcome, hour, day, week, month
-- default by: harness, harness_version, native_type
-- sort: -events
-- undated: records
-- reads: unmodelled
create temp view candidates as from chosen_unmodelled;

select
    columns(getvariable('sel_by')),
    count(*) as events,
    count(distinct run_id) as runs,
    arg_min(source_path, (source_path, line_no)) as first_source_path,
    arg_min(line_no, (source_path, line_no)) as first_line_no
from selected
group by all
order by all;
