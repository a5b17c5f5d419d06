create temp table chosen_sources as
with held as (
    select
        link.source_path as source_path,
        count(*) as all_runs,
        count(run.run_id) as runs,
        min(run.happened_at) as happened_at,
        bool_or(run.is_selected) as is_selected
    from _run_sources as link
    left join chosen_runs as run using (run_id)
    group by link.source_path
)
select
    source.source_path as source_path,
    source.status as status,
    source.harness as harness,
    source.format as format,
    source.source_bytes as source_bytes,
    source.lines as lines,
    source.blank_lines as blank_lines,
    source.readable_lines as readable_lines,
    source.unreadable_lines as unreadable_lines,
    source.repaired_lines as repaired_lines,
    source.events as events,
    source.modified_at as modified_at,
    source.error as error,
    coalesce(held.runs, 0) as runs,
    held.happened_at as happened_at,
    coalesce(held.is_selected, is_in_window(null, null)) as is_selected,
    (held.happened_at is null)::integer as undated
from sources as source
left join held using (source_path)
where held.runs > 0 or (held.all_runs is null and is_chosen_without_run(source.source_path, source.harness));
