create temp table chosen_subagents as
select
    run.* exclude (happened_at, is_selected, undated),
    subagent.agent_id as agent_id,
    subagent.tool_call_id as tool_call_id,
    subagent.subagent_type as subagent_type,
    subagent.model as model,
    subagent.status as status,
    subagent.turns as turns,
    subagent.tool_calls as tool_calls,
    subagent.input_tokens as input_tokens,
    subagent.cache_read_tokens as cache_read_tokens,
    subagent.cache_write_tokens as cache_write_tokens,
    subagent.output_tokens as output_tokens,
    subagent.total_tokens as total_tokens,
    subagent.cost_usd as cost_usd,
    coalesce(subagent.duration_ms, epoch_ms(subagent.ended_at) - epoch_ms(subagent.started_at)) as duration_ms,
    subagent.started_at as happened_at,
    is_in_window(subagent.started_at, subagent.started_at) as is_selected,
    (subagent.started_at is null)::integer as undated
from subagents as subagent
join chosen_runs as run using (run_id)
where is_chosen_model(subagent.model);
