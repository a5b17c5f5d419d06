create temp table chosen_unreadable as
select
    run.* exclude (run_id, harness, is_selected, undated),
    line.run_id as run_id,
    coalesce(run.harness, source.harness) as harness,
    line.source_path as source_path,
    line.line_no as line_no,
    line.byte_length as byte_length,
    line.reason as reason,
    line.detail as detail,
    line.raw as raw,
    line.is_repaired as is_repaired,
    coalesce(run.is_selected, is_in_window(null, null)) as is_selected,
    (run.happened_at is null)::integer as undated
from unreadable as line
join sources as source using (source_path)
left join chosen_runs as run using (run_id)
where run.run_id is not null or (line.run_id is null and is_chosen_without_run(line.source_path, source.harness));
