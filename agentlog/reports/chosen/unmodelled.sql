create temp table chosen_unmodelled as
select
    run.* exclude (undated),
    event.native_type as native_type,
    event.source_path as source_path,
    event.line_no as line_no,
    (run.happened_at is null)::integer as undated
from _events as event
join chosen_runs as run using (run_id)
where event.kind = 'unmodelled';
