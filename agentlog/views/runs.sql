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
with source as (
    select
        run_no as run_no,
        sum(lines)::bigint as lines,
        sum(unreadable_lines)::bigint as unreadable_lines
    from _run_sources
    group by run_no
),
event as (
    select
        run_no as run_no,
        any_value(harness) as harness,
        arg_min(format, source_no) as format,
        bool_or(format = 'stream-json') as has_terminal_records,
        min(harness_version) as harness_version,
        min(session_id) as session_id,
        min(occurred_at) as started_at,
        max(greatest(occurred_at, ended_at)) as ended_at,
        count(distinct coalesce(uuid, place::varchar)) filter (where kind = 'prompt' and agent_id is null) as prompts,
        count(*) filter (where kind = 'unmodelled') as unmodelled_events
    from _ordered
    group by run_no
),
session as (
    select
        run_no as run_no,
        arg_min(cwd, place) as cwd,
        arg_min(git_branch, place) as git_branch,
        arg_max(title, place) as title,
        arg_min(model, place) as model,
        arg_min(session_id, place) as session_id,
        arg_min(harness_version, place) as harness_version
    from _ordered
    where kind = 'session'
    group by run_no
),
gap as (
    select
        run_no as run_no,
        epoch_ms(occurred_at) - lag(epoch_ms(occurred_at)) over (partition by run_no order by occurred_at) as ms
    from (select distinct run_no, occurred_at from _ordered where occurred_at is not null)
),
active as (
    select
        run_no as run_no,
        coalesce(sum(least(ms, 300000)), 0)::bigint as active_ms
    from gap
    group by run_no
),
request as (
    select
        run_no as run_no,
        count(*) as requests,
        count(*) filter (where agent_id is null) as turns,
        max(place) filter (where agent_id is null) as last_turn_place,
        bool_or(not has_reported_tokens) as has_folded_tokens,
        bool_or(not has_reported_tokens and not is_final) as has_partial_tokens,
        max(
            case
                when agent_id is not null then null
                when context.context_tokens is not null then context.context_tokens
                when coalesce(input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens) is not null
                then coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0)
            end
        ) as peak_context_tokens
    from _requests
    left join _contexts as context using (run_no, place)
    group by run_no
),
turns_model as (
    select
        run_no as run_no,
        arg_max(model, (turns, -first_place)) as model
    from (
        select
            run_no as run_no,
            model as model,
            count(*) as turns,
            min(place) as first_place
        from _requests
        where agent_id is null and model is not null
        group by run_no, model
    )
    group by run_no
),
ledger as (
    select
        run_no as run_no,
        list_sort(list(distinct model) filter (where model is not null)) as models,
        arg_max(model, coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0) + coalesce(output_tokens, 0)) as largest_model,
        sum(input_tokens) as input_tokens,
        sum(cache_read_tokens) as cache_read_tokens,
        sum(cache_write_5m_tokens) as cache_write_5m_tokens,
        sum(cache_write_1h_tokens) as cache_write_1h_tokens,
        sum(output_tokens) as output_tokens,
        sum(reasoning_tokens) as reasoning_tokens,
        sum(web_search_requests) as web_search_requests,
        sum(cost_usd) as cost_usd,
        bool_and(is_cost_complete) as is_cost_complete
    from _ledger
    group by run_no
),
call as (
    select
        run_no as run_no,
        count(*) as tool_calls,
        count(*) filter (where status = 'error') as tool_errors,
        count(*) filter (where status = 'rejected') as tool_rejections,
        count(*) filter (where status = 'pending') as pending_tool_calls
    from _calls
    group by run_no
),
tool_retry as (
    select
        run_no as run_no,
        count(*) as tool_retries,
        count(*) filter (where is_blind) as blind_tool_retries
    from _retries
    group by run_no
),
retry as (
    select
        run_no as run_no,
        count(*) as api_retries,
        count(distinct episode_no) as api_retry_episodes
    from _api_retries
    group by run_no
),
compaction as (
    select
        run_no as run_no,
        count(*) filter (where agent_id is null) as compactions,
        count(agent_id) as subagent_compactions
    from _compactions
    where status = 'completed'
    group by run_no
),
subagent as (
    select
        run_no as run_no,
        count(*) as subagents
    from _subagents
    group by run_no
),
process as (
    select
        run_no as run_no,
        count(*) as processes,
        count(tokens_from) > 0 as has_reported_tokens,
        try_cast(sum(api_duration_ms) as bigint) as api_duration_ms
    from _processes
    group by run_no
),
result as (
    select
        run_no as run_no,
        count(*) as results,
        try_cast(sum(duration_ms) as bigint) as duration_ms,
        try_cast(sum(reported_turns) as bigint) as reported_turns,
        max(place) as place,
        arg_max(outcome, place) as outcome,
        arg_max_null(error_type, place) as error_type
    from _result_events
    group by run_no
),
cut_result as (
    select
        source.run_no as run_no,
        max((source.source_no::hugeint << 96) + (line.line_no::hugeint << 32)) as place
    from _unreadable as line
    join _run_sources as source using (run_id, source_path)
    where line.native_type = 'result' and not line.is_repaired
    group by source.run_no
),
run as (
    select
        run.run_no as run_no,
        case
            when request.last_turn_place > greatest(result.place, cut_result.place) then 'incomplete'
            when cut_result.place > coalesce(result.place, 0) then 'unreadable'
            when result.outcome is not null then result.outcome
            when event.has_terminal_records then 'incomplete'
        end as outcome,
        nullif(regexp_replace(parse_filename(run.source_path), '(\.(jsonl|ndjson|json|log|txt|out|gz|zst|zstd))+$', '', 'i'), '') as file_name
    from _run_sources as run
    join event using (run_no)
    left join request using (run_no)
    left join result using (run_no)
    left join cut_result using (run_no)
    where run.source_no = 1
)
select
    source_one.run_id as run_id,
    coalesce(session.title, run.file_name, parse_filename(source_one.source_path)) as name,
    coalesce(session.session_id, event.session_id) as session_id,
    source_one.source_path as source_path,
    event.harness as harness,
    event.format as format,
    coalesce(session.harness_version, event.harness_version) as harness_version,
    coalesce(turns_model.model, ledger.largest_model, session.model) as model,
    coalesce(ledger.models, case when session.model is not null then [session.model] end, []) as models,
    case
        when regexp_matches(session.cwd, '^[A-Za-z]:([/\\]|$)')
        then upper(session.cwd[1]) || rtrim(replace(session.cwd[2:], '/', '\'), '\')
        else session.cwd
    end as project,
    session.git_branch as git_branch,
    event.started_at as started_at,
    event.ended_at as ended_at,
    coalesce(
        nullif(epoch_ms(event.ended_at) - epoch_ms(event.started_at), 0), result.duration_ms, epoch_ms(event.ended_at) - epoch_ms(event.started_at)
    ) as duration_ms,
    process.api_duration_ms as api_duration_ms,
    active.active_ms as active_ms,
    run.outcome as outcome,
    case when run.outcome = 'error' then result.error_type end as error_type,
    coalesce(request.turns, 0) as turns,
    result.reported_turns as reported_turns,
    coalesce(request.requests - request.turns, 0) as subagent_turns,
    event.prompts as prompts,
    coalesce(request.requests, 0) as requests,
    coalesce(call.tool_calls, 0) as tool_calls,
    coalesce(call.tool_errors, 0) as tool_errors,
    coalesce(call.tool_rejections, 0) as tool_rejections,
    coalesce(call.pending_tool_calls, 0) as pending_tool_calls,
    coalesce(tool_retry.tool_retries, 0) as tool_retries,
    coalesce(tool_retry.blind_tool_retries, 0) as blind_tool_retries,
    coalesce(retry.api_retries, 0) as api_retries,
    coalesce(retry.api_retry_episodes, 0) as api_retry_episodes,
    coalesce(compaction.compactions, 0) as compactions,
    coalesce(compaction.subagent_compactions, 0) as subagent_compactions,
    coalesce(subagent.subagents, 0) as subagents,
    coalesce(result.results, 0) as results,
    coalesce(process.processes, 0) as processes,
    try_cast(ledger.input_tokens as bigint) as input_tokens,
    try_cast(ledger.cache_read_tokens as bigint) as cache_read_tokens,
    try_cast(
        case
            when coalesce(ledger.cache_write_5m_tokens, ledger.cache_write_1h_tokens) is not null
            then coalesce(ledger.cache_write_5m_tokens, 0) + coalesce(ledger.cache_write_1h_tokens, 0)
        end as bigint
    ) as cache_write_tokens,
    try_cast(ledger.cache_write_5m_tokens as bigint) as cache_write_5m_tokens,
    try_cast(ledger.cache_write_1h_tokens as bigint) as cache_write_1h_tokens,
    try_cast(ledger.output_tokens as bigint) as output_tokens,
    try_cast(ledger.reasoning_tokens as bigint) as reasoning_tokens,
    try_cast(
        case
            when coalesce(ledger.input_tokens, ledger.cache_read_tokens, ledger.cache_write_5m_tokens, ledger.cache_write_1h_tokens, ledger.output_tokens) is not null
            then coalesce(ledger.input_tokens, 0) + coalesce(ledger.cache_read_tokens, 0) + coalesce(ledger.cache_write_5m_tokens, 0)
                + coalesce(ledger.cache_write_1h_tokens, 0) + coalesce(ledger.output_tokens, 0)
        end as bigint
    ) as total_tokens,
    case
        when process.has_reported_tokens and coalesce(request.has_folded_tokens, false) then 'mixed'
        when process.has_reported_tokens then 'reported'
        when request.has_partial_tokens then 'partial'
        when request.has_folded_tokens then 'folded'
    end as tokens_basis,
    try_cast(request.peak_context_tokens as bigint) as peak_context_tokens,
    ledger.cost_usd as cost_usd,
    case when ledger.cost_usd is not null then case when ledger.is_cost_complete then 'reported' else 'mixed' end end as cost_basis,
    coalesce(ledger.is_cost_complete, true) as is_cost_complete,
    ledger.cost_usd as reported_cost_usd,
    null::double as computed_cost_usd,
    try_cast(ledger.web_search_requests as bigint) as web_search_requests,
    source.lines as lines,
    source.unreadable_lines as unreadable_lines,
    event.unmodelled_events as unmodelled_events
from run
join (from _run_sources where source_no = 1) as source_one using (run_no)
join source using (run_no)
join event using (run_no)
left join session using (run_no)
left join active using (run_no)
left join request using (run_no)
left join turns_model using (run_no)
left join ledger using (run_no)
left join call using (run_no)
left join tool_retry using (run_no)
left join retry using (run_no)
left join compaction using (run_no)
left join subagent using (run_no)
left join process using (run_no)
left join result using (run_no)
