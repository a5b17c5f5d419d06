-- grain: one row per iteration of a request that was billed apart: any that is no `message`
-- kept: where _iterations has rows
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
    request.run_no as run_no,
    request.place as place,
    iteration.iteration_no as nested_no,
    request.process_place as process_place,
    coalesce(iteration.model, request.model) as model,
    coalesce(iteration.native_model, request.native_model) as native_model,
    request.agent_id as agent_id,
    request.request_no as request_no,
    request.turn_no as turn_no,
    request.started_at as started_at,
    request.ended_at as ended_at,
    request.is_final as is_final,
    request.context_tokens as context_tokens,
    false as is_streamed_turn,
    iteration.input_tokens as input_tokens,
    iteration.cache_read_tokens as cache_read_tokens,
    iteration.cache_write_5m_tokens as cache_write_5m_tokens,
    iteration.cache_write_1h_tokens as cache_write_1h_tokens,
    iteration.output_tokens as output_tokens,
    iteration.reasoning_tokens as reasoning_tokens,
    iteration.web_search_requests as web_search_requests,
    iteration.cost_usd as cost_usd,
    request.has_reported_tokens as has_reported_tokens,
    request.has_reported_cost as has_reported_cost
from (from _iterations where entry <> 'message') as iteration
join _requests as request using (run_no, place)
