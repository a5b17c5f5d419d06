-- grain: one row per run
-- run_id: the run
-- name: its title if the harness gave one, else its first source's file name without endings
-- session_id: the harness's session id
-- source_path: its first source
-- harness: the program that wrote it
-- format: the shape of its first source
-- harness_version: version of the harness
-- model: the model of most of its turns, the earlier one on a tie; where there are no turns the one that reports name or that was asked for
-- models: every model of its ledger, sorted
-- project: its first working directory; with a drive letter as `C:\Users\x`
-- git_branch: git branch
-- started_at: earliest time
-- ended_at: latest time
-- duration_ms: from the earliest to the latest time; where there are not two, the durations of its results, summed
-- api_duration_ms: time spent in the API, the last figure of each process, summed
-- active_ms: gaps between consecutive events, each capped at five minutes
-- outcome: `success`, `error`, `incomplete` (no terminal record, or turns after the last one) or `unreadable`; NULL where the format has no terminal records
-- error_type: what went wrong, where the outcome is `error`
-- turns: requests of the main loop
-- reported_turns: the harness's own count, of all its results
-- subagent_turns: requests of subagents
-- prompts: what a person or a caller typed, each once
-- requests: turns and subagent turns
-- tool_calls: tool calls
-- tool_errors: those that failed
-- tool_rejections: those that were refused
-- pending_tool_calls: those without a result
-- tool_retries: calls that repeat a failed one
-- blind_tool_retries: those of them with no other call between
-- api_retries: attempts to send a request again
-- api_retry_episodes: requests that needed any
-- compactions: completed compactions of the main loop
-- subagent_compactions: completed compactions of subagents
-- subagents: subagents
-- results: terminal records
-- processes: invocations of the harness
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_tokens: input written to the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- total_tokens: input, cache reads, cache writes and output
-- tokens_basis: `reported`, `folded` (from its requests), `partial` (folded, some output not final) or `mixed`
-- peak_context_tokens: largest context of a turn
-- cost_usd: cost
-- cost_basis: `reported` (reported totals cover all of it), `computed` or `mixed`
-- is_cost_complete: no part is neither priced nor in a reported total
-- reported_cost_usd: cost as the harness reports it
-- computed_cost_usd: the ledger's tokens, priced
-- web_search_requests: web searches
-- lines: physical lines
-- unreadable_lines: lines that could not be read
-- unmodelled_events: events of types that agentlog does not model
select
    share.run_id as run_id,
    run.name as name,
    run.session_id as session_id,
    run.source_path as source_path,
    run.harness as harness,
    run.format as format,
    run.harness_version as harness_version,
    run.model as model,
    run.models as models,
    run.project as project,
    run.git_branch as git_branch,
    run.started_at as started_at,
    run.ended_at as ended_at,
    run.duration_ms as duration_ms,
    run.api_duration_ms as api_duration_ms,
    run.active_ms as active_ms,
    run.outcome as outcome,
    run.error_type as error_type,
    run.turns as turns,
    run.reported_turns as reported_turns,
    run.subagent_turns as subagent_turns,
    run.prompts as prompts,
    run.requests as requests,
    run.tool_calls as tool_calls,
    run.tool_errors as tool_errors,
    run.tool_rejections as tool_rejections,
    run.pending_tool_calls as pending_tool_calls,
    run.tool_retries as tool_retries,
    run.blind_tool_retries as blind_tool_retries,
    run.api_retries as api_retries,
    run.api_retry_episodes as api_retry_episodes,
    run.compactions as compactions,
    run.subagent_compactions as subagent_compactions,
    run.subagents as subagents,
    run.results as results,
    run.processes as processes,
    try_cast(run.input_tokens as bigint) as input_tokens,
    try_cast(run.cache_read_tokens as bigint) as cache_read_tokens,
    try_cast(
        case
            when coalesce(run.cache_write_5m_tokens, run.cache_write_1h_tokens) is not null
            then coalesce(run.cache_write_5m_tokens, 0) + coalesce(run.cache_write_1h_tokens, 0)
        end as bigint
    ) as cache_write_tokens,
    try_cast(run.cache_write_5m_tokens as bigint) as cache_write_5m_tokens,
    try_cast(run.cache_write_1h_tokens as bigint) as cache_write_1h_tokens,
    try_cast(run.output_tokens as bigint) as output_tokens,
    try_cast(run.reasoning_tokens as bigint) as reasoning_tokens,
    try_cast(
        case
            when coalesce(
                run.input_tokens, run.cache_read_tokens, run.cache_write_5m_tokens, run.cache_write_1h_tokens, run.output_tokens
            ) is not null
            then coalesce(run.input_tokens, 0) + coalesce(run.cache_read_tokens, 0) + coalesce(run.cache_write_5m_tokens, 0)
                + coalesce(run.cache_write_1h_tokens, 0) + coalesce(run.output_tokens, 0)
        end as bigint
    ) as total_tokens,
    run.tokens_basis as tokens_basis,
    try_cast(run.peak_context_tokens as bigint) as peak_context_tokens,
    run.reported_cost_usd as cost_usd,
    case when run.reported_cost_usd is not null then case when run.is_cost_reported then 'reported' else 'mixed' end end as cost_basis,
    run.is_cost_reported as is_cost_complete,
    run.reported_cost_usd as reported_cost_usd,
    null::double as computed_cost_usd,
    try_cast(run.web_search_requests as bigint) as web_search_requests,
    run.lines as lines,
    run.unreadable_lines as unreadable_lines,
    run.unmodelled_events as unmodelled_events
from _runs as run
join _run_sources as share on run.run_no = share.run_no and share.source_no = 1
