-- grain: one row per subagent: one per call of the agent tool, and one per agent id that no call explains
-- run_id: the run
-- agent_id: the id under which its events stand
-- tool_call_id: the call that started it; NULL where none is seen
-- subagent_type: its type
-- description: the task it was given, in the harness's short form
-- model: model it was asked to use, else that of its first request
-- status: its end as the harness says; else `completed`, `failed` or `rejected` by the result of its call; else `running`
-- started_at: when it started
-- ended_at: when it ended
-- duration_ms: as the harness states
-- turns: its own requests
-- tool_calls: its own tool calls
-- input_tokens: uncached input, of its own requests; NULL where none is seen
-- cache_read_tokens: input read from the cache
-- cache_write_tokens: input written to the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- total_tokens: input, cache reads, cache writes and output
-- cost_usd: cost of its own requests
-- reported_total_tokens: a total its harness states
-- reported_tool_calls: tool calls its harness states
select
    run.run_id as run_id,
    subagent.agent_id as agent_id,
    subagent.tool_call_id as tool_call_id,
    subagent.subagent_type as subagent_type,
    subagent.description as description,
    subagent.model as model,
    subagent.status as status,
    subagent.started_at as started_at,
    subagent.ended_at as ended_at,
    subagent.duration_ms as duration_ms,
    subagent.turns as turns,
    subagent.tool_calls as tool_calls,
    try_cast(subagent.input_tokens as bigint) as input_tokens,
    try_cast(subagent.cache_read_tokens as bigint) as cache_read_tokens,
    try_cast(
        case
            when coalesce(subagent.cache_write_5m_tokens, subagent.cache_write_1h_tokens) is not null
            then coalesce(subagent.cache_write_5m_tokens, 0) + coalesce(subagent.cache_write_1h_tokens, 0)
        end as bigint
    ) as cache_write_tokens,
    try_cast(subagent.cache_write_5m_tokens as bigint) as cache_write_5m_tokens,
    try_cast(subagent.cache_write_1h_tokens as bigint) as cache_write_1h_tokens,
    try_cast(subagent.output_tokens as bigint) as output_tokens,
    try_cast(subagent.reasoning_tokens as bigint) as reasoning_tokens,
    try_cast(
        case
            when coalesce(
                subagent.input_tokens, subagent.cache_read_tokens, subagent.cache_write_5m_tokens, subagent.cache_write_1h_tokens, subagent.output_tokens
            ) is not null
            then coalesce(subagent.input_tokens, 0) + coalesce(subagent.cache_read_tokens, 0) + coalesce(subagent.cache_write_5m_tokens, 0)
                + coalesce(subagent.cache_write_1h_tokens, 0) + coalesce(subagent.output_tokens, 0)
        end as bigint
    ) as total_tokens,
    subagent.cost_usd as cost_usd,
    try_cast(subagent.reported_total_tokens as bigint) as reported_total_tokens,
    subagent.reported_tool_calls as reported_tool_calls
from _subagents as subagent
join _run_sources as run on subagent.run_no = run.run_no and run.source_no = 1
