create temp table chosen_usage as
select
    run.* exclude (happened_at, is_selected, undated),
    entry.entry as entry,
    entry.model as model,
    entry.native_model as native_model,
    entry.agent_id as agent_id,
    entry.turn_no as turn_no,
    entry.input_tokens as input_tokens,
    entry.cache_read_tokens as cache_read_tokens,
    entry.cache_write_5m_tokens as cache_write_5m_tokens,
    entry.cache_write_1h_tokens as cache_write_1h_tokens,
    entry.cache_write_tokens as cache_write_tokens,
    entry.output_tokens as output_tokens,
    entry.reasoning_tokens as reasoning_tokens,
    entry.total_tokens as total_tokens,
    entry.web_search_requests as web_search_requests,
    entry.cost_usd as cost_usd,
    entry.cost_basis as cost_basis,
    entry.is_cost_complete as is_cost_complete,
    entry.occurred_at as happened_at,
    is_in_window(entry.occurred_at, entry.occurred_at) as is_selected,
    (entry.occurred_at is null)::integer as undated
from usage as entry
join chosen_runs as run using (run_id)
where is_chosen_model(entry.model);
