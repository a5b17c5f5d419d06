-- grain: one row per request, and one per iteration of it that was billed apart (any that is no `message`)
-- run_no: number of its run
-- place: position of the request within the run
-- nested_no: 0 is the request, others its nested iterations
-- process_place: position that stands for its process
-- model: canonical model name; an iteration that names none has its request's
-- native_model: the model name as written
-- agent_id: the subagent; NULL is the main loop
-- request_no: number of the request
-- turn_no: number of its turn
-- started_at: time of the request
-- ended_at: time of the request's last line
-- is_final: its output is final
-- context_tokens: size of the request's context
-- is_streamed_turn: a streamed response of the main loop: what a result's own usage counts
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- cost_usd: its own reported cost
-- has_reported_tokens: its tokens are in a reported total
-- has_reported_cost: its cost is in a reported total
select
    run_no as run_no,
    place as place,
    0::bigint as nested_no,
    process_place as process_place,
    model as model,
    native_model as native_model,
    agent_id as agent_id,
    request_no as request_no,
    turn_no as turn_no,
    started_at as started_at,
    ended_at as ended_at,
    is_final as is_final,
    context_tokens as context_tokens,
    agent_id is null and is_streamed as is_streamed_turn,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests,
    reported_cost_usd as cost_usd,
    has_reported_tokens as has_reported_tokens,
    has_reported_cost as has_reported_cost
from _requests
union all
select
    run_no as run_no,
    place as place,
    nested_no as nested_no,
    process_place as process_place,
    model as model,
    native_model as native_model,
    agent_id as agent_id,
    request_no as request_no,
    turn_no as turn_no,
    started_at as started_at,
    ended_at as ended_at,
    is_final as is_final,
    context_tokens as context_tokens,
    is_streamed_turn as is_streamed_turn,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests,
    cost_usd as cost_usd,
    has_reported_tokens as has_reported_tokens,
    has_reported_cost as has_reported_cost
from _nested
