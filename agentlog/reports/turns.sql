-- Turns of the main loop, one row each.
--
-- A turn is a request of the main loop with the tool calls it made. context_tokens is the size of the request: input, cache reads and cache writes.
-- follows_compaction marks the first turn after the context was summarised.
-- example: agentlog turns --run 'fix-login*' --sort -context_tokens --limit 10
-- by: run_id, name, session_id, project, harness, harness_version, outcome, git_branch, model, stop_reason, follows_compaction, hour, day, week, month
-- key: run_id, turn_no
-- undated: turns
-- reads: turns
create temp view candidates as from chosen_turns;

select
    run_id,
    turn_no,
    happened_at as started_at,
    model,
    duration_ms,
    input_tokens,
    cache_read_tokens,
    cache_write_tokens,
    output_tokens,
    context_tokens,
    cost_usd,
    tool_calls,
    tool_errors,
    api_retries,
    stop_reason,
    follows_compaction
from selected
order by min(happened_at) over (partition by run_id) nulls last, run_id, turn_no;

select
    columns(getvariable('sel_by')),
    count(*) as turns,
    sum(duration_ms) as duration_ms,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_tokens) as cache_write_tokens,
    sum(output_tokens) as output_tokens,
    max(context_tokens) as peak_context_tokens,
    fsum(cost_usd) as cost_usd,
    sum(tool_calls) as tool_calls,
    sum(tool_errors) as tool_errors,
    sum(api_retries) as api_retries
from selected
group by all
order by all;
