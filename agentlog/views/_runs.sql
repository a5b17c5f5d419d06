-- grain: one row per run, without what depends on prices
-- kept: yes
-- run_no: number of the run
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
-- duration_ms: from the earliest to the latest time; where there are not two, the durations of its results, summed; NULL where there are none
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
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- tokens_basis: `reported`, `folded` (from its requests), `partial` (folded, some output not final) or `mixed`
-- peak_context_tokens: largest context of a turn
-- web_search_requests: web searches
-- reported_cost_usd: cost as the harness reports it
-- is_cost_reported: no part is without a reported cost
-- lines: physical lines
-- unreadable_lines: lines that could not be read
-- unmodelled_events: events of types that agentlog does not model
with copied as (
    select run_no as run_no
    from _placed
    left join _copies as copy using (run_no, place)
    group by run_no
    having bool_or(copy.is_copy) and bool_and(coalesce(copy.is_copy, false) or kind in ('session', 'notice'))
),
source as (
    select
        share.run_no as run_no,
        arg_min(share.source_path, share.source_no) as source_path,
        arg_min(source.harness, share.source_no) as harness,
        arg_min(source.format, share.source_no) as format,
        bool_or(source.format = 'stream-json') as has_terminal_records,
        try_cast(sum(share.lines) as bigint) as lines,
        try_cast(sum(share.unreadable_lines) as bigint) as unreadable_lines
    from _run_sources as share
    join _sources as source using (source_path)
    anti join copied using (run_no)
    group by share.run_no
),
session as (
    select
        run_no as run_no,
        arg_min(session_id, place) as session_id,
        arg_min(harness_version, place) as harness_version,
        arg_min(cwd, place) as cwd,
        arg_min(git_branch, place) as git_branch,
        arg_max(title, (native_type = 'custom-title', native_type = 'ai-title', place)) as title,
        arg_min(model, place) as model
    from _ordered
    where kind = 'session'
    group by run_no
),
unopened as (
    select
        run_no as run_no,
        min(session_id) as session_id,
        min(harness_version) as harness_version
    from (from _ordered semi join (from source anti join session using (run_no)) using (run_no))
    group by run_no
),
moment as (
    select distinct
        run_no as run_no,
        occurred_at as occurred_at
    from _ordered
    where occurred_at is not null
),
gap as (
    select
        run_no as run_no,
        occurred_at as occurred_at,
        epoch_ms(occurred_at) - lag(epoch_ms(occurred_at)) over (partition by run_no order by occurred_at) as ms
    from moment
),
time as (
    select
        run_no as run_no,
        min(occurred_at) as started_at,
        max(occurred_at) as ended_at,
        try_cast(coalesce(sum(least(ms, 300000)) filter (where ms is not null), 0) as bigint) as active_ms
    from gap
    group by run_no
),
prompt as (
    select
        run_no as run_no,
        count(distinct coalesce(uuid, place::varchar)) as prompts
    from _ordered
    where kind = 'prompt' and agent_id is null
    group by run_no
),
unmodelled_event as (
    select
        run_no as run_no,
        count(*) as unmodelled_events
    from _ordered
    where kind = 'unmodelled'
    group by run_no
),
used as (
    select
        run_no as run_no,
        model as model,
        try_cast(sum(requests) as bigint) as requests,
        try_cast(coalesce(sum(requests) filter (where is_turn), 0) as bigint) as turns,
        min(first_place) filter (where is_turn) as first_place,
        max(last_place) filter (where is_turn) as last_turn_place,
        max(ended_at) as ended_at,
        bool_or(not has_reported_tokens) as has_folded_tokens,
        bool_or(not has_reported_tokens and not is_final) as has_partial_tokens,
        max(context_tokens) filter (where is_turn) as peak_context_tokens
    from _used
    group by run_no, model
),
request as (
    select
        run_no as run_no,
        arg_max(model, (turns, -first_place)) filter (where model is not null and turns > 0) as model,
        try_cast(sum(requests) as bigint) as requests,
        try_cast(sum(turns) as bigint) as turns,
        max(last_turn_place) as last_turn_place,
        max(ended_at) as ended_at,
        bool_or(has_folded_tokens) as has_folded_tokens,
        bool_or(has_partial_tokens) as has_partial_tokens,
        max(peak_context_tokens) as peak_context_tokens
    from used
    group by run_no
),
model as (
    select
        run_no as run_no,
        model as model,
        sum(
            coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0)
            + coalesce(output_tokens, 0)
        ) as tokens,
        sum(input_tokens) as input_tokens,
        sum(cache_read_tokens) as cache_read_tokens,
        sum(cache_write_5m_tokens) as cache_write_5m_tokens,
        sum(cache_write_1h_tokens) as cache_write_1h_tokens,
        sum(output_tokens) as output_tokens,
        sum(reasoning_tokens) as reasoning_tokens,
        sum(web_search_requests) as web_search_requests
    from (
        select
            run_no as run_no,
            model as model,
            input_tokens as input_tokens,
            cache_read_tokens as cache_read_tokens,
            cache_write_5m_tokens as cache_write_5m_tokens,
            cache_write_1h_tokens as cache_write_1h_tokens,
            output_tokens as output_tokens,
            reasoning_tokens as reasoning_tokens,
            web_search_requests as web_search_requests
        from _used
        union all
        select
            run_no as run_no,
            model as model,
            input_tokens as input_tokens,
            cache_read_tokens as cache_read_tokens,
            cache_write_5m_tokens as cache_write_5m_tokens,
            cache_write_1h_tokens as cache_write_1h_tokens,
            output_tokens as output_tokens,
            reasoning_tokens as reasoning_tokens,
            web_search_requests as web_search_requests
        from _remainders
    )
    group by run_no, model
),
ledger as (
    select
        run_no as run_no,
        list(model order by model) filter (where model is not null) as models,
        arg_max(model, tokens) as largest_model,
        sum(input_tokens) as input_tokens,
        sum(cache_read_tokens) as cache_read_tokens,
        sum(cache_write_5m_tokens) as cache_write_5m_tokens,
        sum(cache_write_1h_tokens) as cache_write_1h_tokens,
        sum(output_tokens) as output_tokens,
        sum(reasoning_tokens) as reasoning_tokens,
        sum(web_search_requests) as web_search_requests
    from model
    group by run_no
),
entry as (
    select
        used.run_no as run_no,
        used.cost_usd as cost_usd,
        used.has_own_cost or used.has_reported_cost and costless.run_no is null as is_cost_complete
    from _used as used
    left join (from _remainders where not has_reported_cost) as costless
        on used.run_no = costless.run_no and used.process_place = costless.process_place and used.model is not distinct from costless.model
    union all
    select
        run_no as run_no,
        cost_usd as cost_usd,
        is_cost_complete as is_cost_complete
    from _remainders
),
cost as (
    select
        run_no as run_no,
        sum(cost_usd) as cost_usd,
        bool_and(is_cost_complete) as is_cost_complete
    from entry
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
    where is_terminal
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
        source.run_no as run_no,
        case
            when request.last_turn_place > greatest(result.place, cut_result.place) then 'incomplete'
            when cut_result.place > coalesce(result.place, 0) then 'unreadable'
            when result.outcome is not null then result.outcome
            when source.has_terminal_records then 'incomplete'
        end as outcome,
        nullif(regexp_replace(parse_filename(source.source_path), '(\.(jsonl|ndjson|json|log|txt|out|gz|zst|zstd))+$', '', 'i'), '') as file_name,
        time.started_at as started_at,
        greatest(time.ended_at, request.ended_at) as ended_at
    from source
    left join request using (run_no)
    left join result using (run_no)
    left join cut_result using (run_no)
    left join time using (run_no)
)
select
    run.run_no as run_no,
    coalesce(session.title, run.file_name, parse_filename(source.source_path)) as name,
    coalesce(session.session_id, unopened.session_id) as session_id,
    source.source_path as source_path,
    source.harness as harness,
    source.format as format,
    coalesce(session.harness_version, unopened.harness_version) as harness_version,
    coalesce(request.model, ledger.largest_model, session.model) as model,
    coalesce(ledger.models, case when session.model is not null then [session.model] end, []) as models,
    case
        when regexp_matches(session.cwd, '^[A-Za-z]:([/\\]|$)')
        then upper(session.cwd[1]) || rtrim(replace(session.cwd[2:], '/', '\'), '\')
        else session.cwd
    end as project,
    session.git_branch as git_branch,
    run.started_at as started_at,
    run.ended_at as ended_at,
    coalesce(nullif(epoch_ms(run.ended_at) - epoch_ms(run.started_at), 0), result.duration_ms) as duration_ms,
    process.api_duration_ms as api_duration_ms,
    time.active_ms as active_ms,
    run.outcome as outcome,
    case when run.outcome = 'error' then result.error_type end as error_type,
    coalesce(request.turns, 0) as turns,
    result.reported_turns as reported_turns,
    coalesce(request.requests - request.turns, 0) as subagent_turns,
    coalesce(prompt.prompts, 0) as prompts,
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
    ledger.input_tokens as input_tokens,
    ledger.cache_read_tokens as cache_read_tokens,
    ledger.cache_write_5m_tokens as cache_write_5m_tokens,
    ledger.cache_write_1h_tokens as cache_write_1h_tokens,
    ledger.output_tokens as output_tokens,
    ledger.reasoning_tokens as reasoning_tokens,
    case
        when process.has_reported_tokens and coalesce(request.has_folded_tokens, false) then 'mixed'
        when process.has_reported_tokens then 'reported'
        when request.has_partial_tokens then 'partial'
        when request.has_folded_tokens then 'folded'
    end as tokens_basis,
    request.peak_context_tokens as peak_context_tokens,
    ledger.web_search_requests as web_search_requests,
    cost.cost_usd as reported_cost_usd,
    coalesce(cost.is_cost_complete, true) as is_cost_reported,
    source.lines as lines,
    source.unreadable_lines as unreadable_lines,
    coalesce(unmodelled_event.unmodelled_events, 0) as unmodelled_events
from run
join source using (run_no)
left join session using (run_no)
left join unopened using (run_no)
left join time using (run_no)
left join prompt using (run_no)
left join unmodelled_event using (run_no)
left join request using (run_no)
left join ledger using (run_no)
left join cost using (run_no)
left join call using (run_no)
left join tool_retry using (run_no)
left join retry using (run_no)
left join compaction using (run_no)
left join subagent using (run_no)
left join process using (run_no)
left join result using (run_no)
