-- grain: one row per process, model, and kind of entry: what its requests used
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for its process
-- model: canonical model name
-- is_turn: turns; else requests of subagents, and nested iterations
-- is_streamed_turn: streamed responses of the main loop: what a result's own usage counts
-- has_reported_tokens: their tokens are in a reported total
-- has_reported_cost: their cost is in a reported total
-- has_own_cost: they have reported costs of their own
-- entries: entries
-- requests: those of them that are requests
-- native_model: the model name as written
-- first_place: position of the first
-- last_place: position of the last
-- ended_at: latest time of a last line
-- is_final: all outputs are final
-- context_tokens: the largest context
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- cost_usd: their own reported cost
select
    run_no as run_no,
    process_place as process_place,
    model as model,
    turn_no is not null and nested_no = 0 as is_turn,
    is_streamed_turn as is_streamed_turn,
    has_reported_tokens as has_reported_tokens,
    has_reported_cost as has_reported_cost,
    cost_usd is not null as has_own_cost,
    count(*) as entries,
    count(*) filter (where nested_no = 0) as requests,
    min(native_model) as native_model,
    min(place) as first_place,
    max(place) as last_place,
    max(ended_at) as ended_at,
    bool_and(is_final) as is_final,
    max(context_tokens) as context_tokens,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_5m_tokens) as cache_write_5m_tokens,
    sum(cache_write_1h_tokens) as cache_write_1h_tokens,
    sum(output_tokens) as output_tokens,
    sum(reasoning_tokens) as reasoning_tokens,
    sum(web_search_requests) as web_search_requests,
    sum(cost_usd) as cost_usd
from _entries
group by
    run_no, process_place, model, turn_no is not null and nested_no = 0, is_streamed_turn, has_reported_tokens, has_reported_cost,
    cost_usd is not null
