-- Runs: how they ended, what they did, what they cost.
--
-- One row a run. With --since, --until or --model the figures are those of the window and the model, and a run is listed if it was going on in the
-- window.
-- example: agentlog runs --since 7d --sort -cost_usd --limit 20
-- by: project, harness, harness_version, model, outcome, git_branch, name, session_id, run_id, hour, day, week, month
-- key: run_id
-- undated: ledger entries
-- reads: run_totals
-- reads narrowed: usage, turns, tool_calls, api_retries, compactions, subagents, run_figures
create temp view candidates as from chosen_run_figures;

select
    run_id,
    name,
    outcome,
    turns,
    cost_usd,
    total_tokens,
    duration_ms,
    happened_at as started_at,
    model,
    tool_calls,
    tool_errors,
    api_retries,
    compactions,
    subagents,
    input_tokens,
    cache_read_tokens,
    cache_write_tokens,
    output_tokens,
    is_cost_complete,
    unreadable_lines,
    harness,
    project
from selected
order by happened_at nulls last, run_id;

select
    columns(getvariable('sel_by')),
    count(*) as runs,
    sum(turns) as turns,
    fsum(cost_usd) as cost_usd,
    sum(total_tokens) as total_tokens,
    sum(duration_ms) as duration_ms,
    sum(tool_calls) as tool_calls,
    sum(tool_errors) as tool_errors,
    sum(api_retries) as api_retries,
    sum(compactions) as compactions,
    sum(subagents) as subagents,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_tokens) as cache_write_tokens,
    sum(output_tokens) as output_tokens,
    bool_and(is_cost_complete) as is_cost_complete,
    sum(unreadable_lines) as unreadable_lines
from selected
group by all
order by all;
