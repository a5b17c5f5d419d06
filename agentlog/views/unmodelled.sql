-- grain: one row per harness, version and native type of the records that agentlog does not model
-- harness: the program that wrote them
-- harness_version: its version, where stated
-- native_type: the record's own type
-- events: records
-- runs: runs that have any
-- first_source_path: the first source that has one, by path
-- first_line_no: its first such line there
select
    harness as harness,
    harness_version as harness_version,
    native_type as native_type,
    count(*) as events,
    count(distinct run_id) as runs,
    min(source_path) as first_source_path,
    arg_min(line_no, (source_path, line_no)) as first_line_no
from _ordered
where kind = 'unmodelled'
group by harness, harness_version, native_type
