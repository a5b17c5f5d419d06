-- A window or a model is given: a run's figures are those of its ledger entries, turns, calls and so on within it.
create temp table chosen_run_figures as
with ledger as (
    select
        run_id as run_id,
        bool_or(is_selected) as is_selected,
        sum(undated) as undated,
        sum(input_tokens) filter (is_selected) as input_tokens,
        sum(cache_read_tokens) filter (is_selected) as cache_read_tokens,
        sum(cache_write_tokens) filter (is_selected) as cache_write_tokens,
        sum(output_tokens) filter (is_selected) as output_tokens,
        sum(total_tokens) filter (is_selected) as total_tokens,
        fsum(cost_usd) filter (is_selected) as cost_usd,
        bool_and(is_cost_complete) filter (is_selected) as is_cost_complete
    from chosen_usage
    group by run_id
),
turn as (
    select
        run_id as run_id,
        count(*) as turns
    from chosen_turns
    where is_selected
    group by run_id
),
call as (
    select
        run_id as run_id,
        count(*) as tool_calls,
        count(*) filter (status = 'error') as tool_errors
    from chosen_tool_calls
    where is_selected
    group by run_id
),
retry as (
    select
        run_id as run_id,
        count(*) as api_retries
    from chosen_api_retries
    where is_selected
    group by run_id
),
compaction as (
    select
        run_id as run_id,
        count(*) as compactions
    from chosen_compactions
    where is_selected and status = 'completed' and agent_id is null
    group by run_id
),
subagent as (
    select
        run_id as run_id,
        count(*) as subagents
    from chosen_subagents
    where is_selected
    group by run_id
)
select
    run.* replace (
        coalesce(turn.turns, 0) as turns,
        coalesce(call.tool_calls, 0) as tool_calls,
        coalesce(call.tool_errors, 0) as tool_errors,
        coalesce(retry.api_retries, 0) as api_retries,
        coalesce(compaction.compactions, 0) as compactions,
        coalesce(subagent.subagents, 0) as subagents,
        ledger.input_tokens as input_tokens,
        ledger.cache_read_tokens as cache_read_tokens,
        ledger.cache_write_tokens as cache_write_tokens,
        ledger.output_tokens as output_tokens,
        ledger.total_tokens as total_tokens,
        ledger.cost_usd as cost_usd,
        ledger.is_cost_complete as is_cost_complete,
        run.is_selected or coalesce(ledger.is_selected, false) as is_selected,
        coalesce(ledger.undated, run.undated) as undated
    )
from chosen_whole_runs as run
left join ledger using (run_id)
left join turn using (run_id)
left join call using (run_id)
left join retry using (run_id)
left join compaction using (run_id)
left join subagent using (run_id);
