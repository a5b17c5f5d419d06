create temp table chosen_turns as
select
    run.* exclude (happened_at, is_selected, undated),
    turn.turn_no as turn_no,
    turn.model as model,
    turn.duration_ms as duration_ms,
    turn.input_tokens as input_tokens,
    turn.cache_read_tokens as cache_read_tokens,
    turn.cache_write_tokens as cache_write_tokens,
    turn.output_tokens as output_tokens,
    turn.context_tokens as context_tokens,
    turn.cost_usd as cost_usd,
    turn.tool_calls as tool_calls,
    turn.tool_errors as tool_errors,
    turn.api_retries as api_retries,
    turn.stop_reason as stop_reason,
    turn.follows_compaction as follows_compaction,
    turn.started_at as happened_at,
    is_in_window(turn.started_at, turn.started_at) as is_selected,
    (turn.started_at is null)::integer as undated
from turns as turn
join chosen_runs as run using (run_id)
where is_chosen_model(turn.model);
