-- grain: one row per model response of a run, orphans included
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
-- is_streamed: it was streamed
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- reported_cost_usd: its own reported cost
select
    event.run_no as run_no,
    event.source_no as source_no,
    event.place as place,
    event.message_key as message_key,
    event.message_id as message_id,
    event.request_id as request_id,
    event.agent_key as agent_key,
    event.agent_id as agent_id,
    event.model as model,
    event.native_model as native_model,
    event.started_at as started_at,
    event.ended_at as ended_at,
    event.stop_reason as stop_reason,
    event.is_final as is_final,
    event.is_streamed as is_streamed,
    event.input_tokens as input_tokens,
    event.cache_read_tokens as cache_read_tokens,
    event.cache_write_5m_tokens as cache_write_5m_tokens,
    event.cache_write_1h_tokens as cache_write_1h_tokens,
    event.output_tokens as output_tokens,
    event.reasoning_tokens as reasoning_tokens,
    event.web_search_requests as web_search_requests,
    event.reported_cost_usd as reported_cost_usd
from (from _request_events anti join _repeats using (run_no, place)) as event
union all
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    message_key as message_key,
    message_id as message_id,
    request_id as request_id,
    agent_key as agent_key,
    agent_id as agent_id,
    model as model,
    native_model as native_model,
    started_at as started_at,
    ended_at as ended_at,
    stop_reason as stop_reason,
    is_final as is_final,
    is_streamed as is_streamed,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests,
    reported_cost_usd as reported_cost_usd
from _folded
