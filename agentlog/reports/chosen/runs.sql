create temp table chosen_whole_runs as
select
    run.run_id as run_id,
    run.name as name,
    run.session_id as session_id,
    run.project as project,
    run.git_branch as git_branch,
    run.harness as harness,
    run.harness_version as harness_version,
    run.model as model,
    run.outcome as outcome,
    run.duration_ms as duration_ms,
    run.turns as turns,
    run.tool_calls as tool_calls,
    run.tool_errors as tool_errors,
    run.api_retries as api_retries,
    run.compactions as compactions,
    run.subagents as subagents,
    run.input_tokens as input_tokens,
    run.cache_read_tokens as cache_read_tokens,
    run.cache_write_tokens as cache_write_tokens,
    run.output_tokens as output_tokens,
    run.total_tokens as total_tokens,
    run.cost_usd as cost_usd,
    run.is_cost_complete as is_cost_complete,
    run.unreadable_lines as unreadable_lines,
    run.started_at as happened_at,
    is_in_window(run.started_at, run.ended_at) as is_selected,
    (run.started_at is null)::integer as undated
from runs as run
where
    is_like(run.harness, getvariable('selection').harness)
    and (
        is_like(run.project, getvariable('selection').project)
        or is_like(regexp_extract(run.project, '[^/\\]+$'), getvariable('selection').project)
    )
    and (
        is_like(run.run_id, getvariable('selection').run)
        or is_like(run.session_id, getvariable('selection').run)
        or is_like(run.name, getvariable('selection').run)
        or (
            getvariable('selection').run is not null
            and run.run_id in (select source.run_id from _run_sources as source where is_chosen_source(source.source_path))
        )
    )
    and (getvariable('selection').model is null or run.run_id in (from chosen_model_runs));

create temp view chosen_runs as
select
    run_id,
    name,
    session_id,
    project,
    git_branch,
    harness,
    harness_version,
    outcome,
    happened_at,
    is_selected,
    undated
from chosen_whole_runs;
