-- grain: one row per request: every response but orphans
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run
-- message_key: hash of what its blocks share with it: the message id, or the line where it has none
-- message_id: its message id
-- request_id: the API's request id
-- agent_key: hash of the agent id
-- agent_id: the subagent; NULL is the main loop
-- model: canonical model name
-- native_model: the model name as written
-- started_at: time of its first line
-- ended_at: time of its last line
-- stop_reason: why it stopped
-- is_final: its output is final
-- is_streamed: it was streamed, or its process' usage counts it as if it were
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- reported_cost_usd: its own reported cost
-- context_tokens: size of its context: input, cache reads and cache writes; with iterations, of the last message
-- request_no: 1-based number within the run
-- turn_no: 1-based number among those of the main loop; NULL for a subagent's
-- process_place: position that stands for its process
-- has_reported_tokens: its tokens are in a reported total
-- has_reported_cost: its cost is in a reported total
select
    response.run_no as run_no,
    response.source_no as source_no,
    response.place as place,
    response.message_key as message_key,
    response.message_id as message_id,
    response.request_id as request_id,
    response.agent_key as agent_key,
    response.agent_id as agent_id,
    response.model as model,
    response.native_model as native_model,
    response.started_at as started_at,
    response.ended_at as ended_at,
    response.stop_reason as stop_reason,
    response.is_final as is_final,
    response.is_streamed or whole.run_no is not null as is_streamed,
    response.input_tokens as input_tokens,
    response.cache_read_tokens as cache_read_tokens,
    response.cache_write_5m_tokens as cache_write_5m_tokens,
    response.cache_write_1h_tokens as cache_write_1h_tokens,
    response.output_tokens as output_tokens,
    response.reasoning_tokens as reasoning_tokens,
    response.web_search_requests as web_search_requests,
    response.reported_cost_usd as reported_cost_usd,
    case
        when context.context_tokens is not null then context.context_tokens
        when coalesce(response.input_tokens, response.cache_read_tokens, response.cache_write_5m_tokens, response.cache_write_1h_tokens) is not null
        then coalesce(response.input_tokens, 0) + coalesce(response.cache_read_tokens, 0) + coalesce(response.cache_write_5m_tokens, 0)
            + coalesce(response.cache_write_1h_tokens, 0)
    end as context_tokens,
    counted.request_no as request_no,
    counted.turn_no as turn_no,
    counted.process_place as process_place,
    counted.has_reported_tokens as has_reported_tokens,
    counted.has_reported_cost as has_reported_cost
from _responses as response
join _counted as counted using (run_no, place)
left join _contexts as context using (run_no, place)
left join _whole_usage as whole on counted.run_no = whole.run_no and counted.process_place = whole.process_place
