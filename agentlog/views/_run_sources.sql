-- grain: one row per run and source that holds lines of it
-- kept: yes
-- run_id: the run
-- run_no: its number in this store
-- source_path: the source
-- source_no: order of the run's sources: streams before session files, which tell the same again, then by their first time, those without one last, then by path
-- stream_no: number of the source that begins what it is part of: all session files of a run are one
-- is_session: it is a session file
-- lines: physical lines of the run in this source
-- unreadable_lines: those of them that could not be read
with share as (
    select
        source_path as source_path,
        format = 'session' as is_session,
        unnest(runs) as run
    from _sources
    where status in ('ok', 'missing') and duplicate_of is null
),
numbered as (
    select
        *,
        row_number() over (partition by run.run_id order by is_session, run.first_at nulls last, source_path)::integer as source_no
    from share
)
select
    run.run_id as run_id,
    dense_rank() over (order by run.run_id)::integer as run_no,
    source_path as source_path,
    source_no as source_no,
    case when is_session then min(source_no) over (partition by run.run_id, is_session) else source_no end as stream_no,
    is_session as is_session,
    run.lines as lines,
    run.unreadable_lines as unreadable_lines
from numbered
