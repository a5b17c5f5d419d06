-- grain: one row per response with several `request` events
-- kept: where _repeats has rows
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
-- Of several events of one response each figure is the largest; the rest is the first event's, the main loop's before a subagent's.
select
    event.run_no as run_no,
    arg_min(event.source_no, event.place) as source_no,
    repeat.response_place as place,
    any_value(event.message_key) as message_key,
    any_value(event.message_id) as message_id,
    arg_min(event.request_id, event.place) as request_id,
    arg_min(event.agent_key, (event.agent_id is not null, event.place)) as agent_key,
    case when count(event.agent_id) = count(*) then arg_min(event.agent_id, event.place) end as agent_id,
    arg_min(event.model, event.place) as model,
    arg_min(event.native_model, event.place) as native_model,
    arg_min(event.started_at, event.place) as started_at,
    max(event.ended_at) as ended_at,
    arg_max(event.stop_reason, event.place) as stop_reason,
    bool_or(event.is_final) as is_final,
    arg_min(event.is_streamed, event.place) as is_streamed,
    max(event.input_tokens) as input_tokens,
    max(event.cache_read_tokens) as cache_read_tokens,
    max(event.cache_write_5m_tokens) as cache_write_5m_tokens,
    max(event.cache_write_1h_tokens) as cache_write_1h_tokens,
    max(event.output_tokens) as output_tokens,
    max(event.reasoning_tokens) as reasoning_tokens,
    max(event.web_search_requests) as web_search_requests,
    max(event.reported_cost_usd) as reported_cost_usd
from _request_events as event
join _repeats as repeat using (run_no, place)
group by event.run_no, repeat.response_place
