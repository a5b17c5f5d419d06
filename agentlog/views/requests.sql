-- grain: one row per request, the folded usage of one model response; what was left over from an aborted stream is not among them
-- run_id: the run
-- request_no: 1-based number within the run
-- turn_no: the turn; NULL for a subagent's
-- agent_id: the subagent; NULL is the main loop
-- message_id: its message id
-- request_id: the API's request id
-- model: canonical model name
-- native_model: the model name as written
-- started_at: time of its first line
-- ended_at: time of its last line
-- stop_reason: why it stopped
-- is_final: its output figure is final, not the placeholder of a started stream
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_tokens: input written to the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- total_tokens: input, cache reads, cache writes and output
-- context_tokens: size of its context: input, cache reads and cache writes; with iterations, of the last message
-- computed_cost_usd: its tokens, priced
select
    run.run_id as run_id,
    request.request_no as request_no,
    request.turn_no as turn_no,
    request.agent_id as agent_id,
    request.message_id as message_id,
    request.request_id as request_id,
    request.model as model,
    request.native_model as native_model,
    request.started_at as started_at,
    request.ended_at as ended_at,
    request.stop_reason as stop_reason,
    request.is_final as is_final,
    try_cast(request.input_tokens as bigint) as input_tokens,
    try_cast(request.cache_read_tokens as bigint) as cache_read_tokens,
    try_cast(
        case
            when coalesce(request.cache_write_5m_tokens, request.cache_write_1h_tokens) is not null
            then coalesce(request.cache_write_5m_tokens, 0) + coalesce(request.cache_write_1h_tokens, 0)
        end as bigint
    ) as cache_write_tokens,
    try_cast(request.cache_write_5m_tokens as bigint) as cache_write_5m_tokens,
    try_cast(request.cache_write_1h_tokens as bigint) as cache_write_1h_tokens,
    try_cast(request.output_tokens as bigint) as output_tokens,
    try_cast(request.reasoning_tokens as bigint) as reasoning_tokens,
    try_cast(
        case
            when coalesce(
                request.input_tokens, request.cache_read_tokens, request.cache_write_5m_tokens, request.cache_write_1h_tokens, request.output_tokens
            ) is not null
            then coalesce(request.input_tokens, 0) + coalesce(request.cache_read_tokens, 0) + coalesce(request.cache_write_5m_tokens, 0)
                + coalesce(request.cache_write_1h_tokens, 0) + coalesce(request.output_tokens, 0)
        end as bigint
    ) as total_tokens,
    try_cast(request.context_tokens as bigint) as context_tokens,
    null::double as computed_cost_usd
from _requests as request
join _run_sources as run on request.run_no = run.run_no and run.source_no = 1
