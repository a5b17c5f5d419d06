-- grain: one row per `request` event
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
-- Figures are HUGEINT from here to the public views: one file with figures near 2^63 must not make every sum fail.
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    case when message_id is null then hash(source_no, line_no) else hash(message_id) end as message_key,
    message_id as message_id,
    request_id as request_id,
    agent_key as agent_key,
    agent_id as agent_id,
    model as model,
    native_model as native_model,
    occurred_at as started_at,
    ended_at as ended_at,
    stop_reason as stop_reason,
    coalesce(is_final, false) as is_final,
    coalesce(is_streamed, true) as is_streamed,
    input_tokens::hugeint as input_tokens,
    cache_read_tokens::hugeint as cache_read_tokens,
    cache_write_5m_tokens::hugeint as cache_write_5m_tokens,
    cache_write_1h_tokens::hugeint as cache_write_1h_tokens,
    output_tokens::hugeint as output_tokens,
    reasoning_tokens::hugeint as reasoning_tokens,
    web_search_requests::hugeint as web_search_requests,
    reported_cost_usd as reported_cost_usd
from _ordered
where kind = 'request'
