-- grain: one row per turn: one request of the main loop with the tool calls it made
-- run_id: the run
-- turn_no: 1-based number within the run
-- model: canonical model name
-- started_at: time of the request's first line
-- ended_at: the latest of the request's last line and its calls' results
-- duration_ms: from the one to the other
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_tokens: input written to the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- total_tokens: input, cache reads, cache writes and output
-- context_tokens: size of its context: input, cache reads and cache writes
-- cost_usd: cost of the request and its nested iterations
-- tool_calls: tool calls it made
-- tool_errors: those that failed
-- api_retries: attempts to send the request again
-- stop_reason: why the response stopped
-- follows_compaction: it is the first turn after a completed compaction
with answer as (
    select
        run_no as run_no,
        place as place,
        occurred_at as occurred_at
    from _ordered
    where kind = 'tool_result' and occurred_at is not null
),
call as (
    select
        call.run_no as run_no,
        call.turn_no as turn_no,
        count(*) as tool_calls,
        count(*) filter (where call.status = 'error') as tool_errors,
        max(answer.occurred_at) as ended_at
    from _calls as call
    left join answer on call.run_no = answer.run_no and call.result_place = answer.place
    where call.turn_no is not null
    group by call.run_no, call.turn_no
),
retry as (
    select
        run_no as run_no,
        turn_no as turn_no,
        count(*) as api_retries
    from _api_retries
    where turn_no is not null
    group by run_no, turn_no
),
refill as (
    select distinct
        run_no as run_no,
        next_place as place
    from _compactions
    where agent_id is null and next_place is not null
),
cost as (
    select
        run_no as run_no,
        turn_no as turn_no,
        sum(cost_usd) as cost_usd
    from _ledger
    where turn_no is not null and cost_usd is not null
    group by run_no, turn_no
)
select
    run.run_id as run_id,
    request.turn_no as turn_no,
    request.model as model,
    request.started_at as started_at,
    greatest(request.started_at, request.ended_at, call.ended_at) as ended_at,
    epoch_ms(greatest(request.started_at, request.ended_at, call.ended_at)) - epoch_ms(request.started_at) as duration_ms,
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
    cost.cost_usd as cost_usd,
    coalesce(call.tool_calls, 0) as tool_calls,
    coalesce(call.tool_errors, 0) as tool_errors,
    coalesce(retry.api_retries, 0) as api_retries,
    request.stop_reason as stop_reason,
    refill.place is not null as follows_compaction
from (from _requests where turn_no is not null) as request
left join call using (run_no, turn_no)
left join retry using (run_no, turn_no)
left join refill on request.run_no = refill.run_no and request.place = refill.place
left join cost on request.run_no = cost.run_no and request.turn_no = cost.turn_no
join _run_sources as run on request.run_no = run.run_no and run.source_no = 1
