-- grain: one row per record that reports a running total: terminal records, and what a session has cost so far
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source
-- place: position within the run
-- result_no: 1-based number within the run, of those that are terminal records
-- is_terminal: it is a terminal record, and not what a session has cost so far
-- occurred_at: when it was written
-- duration_ms: time it states
-- api_duration_ms: time spent in the API, a running total of the process
-- reported_cost_usd: cost as written, a running total of the process
-- reported_turns: the harness's own count of turns
-- subtype: as written
-- is_error: as written
-- outcome: success, error or unreadable
-- error_type: what went wrong
-- has_usage: it has a usage of its own
-- input_tokens: its uncached input
-- cache_read_tokens: its input read from the cache
-- cache_write_5m_tokens: its input written to the 5-minute cache
-- cache_write_1h_tokens: its input written to the 1-hour cache
-- output_tokens: its output
-- reasoning_tokens: its reasoning
-- web_search_requests: its web searches
-- usage_parts: its modelUsage, a running total of the process
-- Success needs positive evidence: a record that says nothing either way cannot be read.
with judged as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        occurred_at as occurred_at,
        duration_ms as duration_ms,
        api_duration_ms as api_duration_ms,
        reported_cost_usd as reported_cost_usd,
        reported_turns as reported_turns,
        subtype as subtype,
        is_error as is_error,
        terminal_reason as terminal_reason,
        error_type as error_type,
        error_status as error_status,
        case
            when not coalesce(is_verdict_readable, true) then 'unreadable'
            when is_error or subtype <> 'success' or terminal_reason <> 'completed' then 'error'
            when subtype = 'success' or not is_error or terminal_reason = 'completed' then 'success'
            else 'unreadable'
        end as outcome,
        input_tokens as input_tokens,
        cache_read_tokens as cache_read_tokens,
        cache_write_5m_tokens as cache_write_5m_tokens,
        cache_write_1h_tokens as cache_write_1h_tokens,
        output_tokens as output_tokens,
        reasoning_tokens as reasoning_tokens,
        web_search_requests as web_search_requests,
        usage_parts as usage_parts,
        kind = 'result' as is_terminal
    from _ordered
    where kind = 'result' or native_type = 'cost-state'
)
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    row_number() over (partition by run_no, is_terminal order by place) as result_no,
    is_terminal as is_terminal,
    occurred_at as occurred_at,
    duration_ms as duration_ms,
    api_duration_ms as api_duration_ms,
    reported_cost_usd as reported_cost_usd,
    reported_turns as reported_turns,
    subtype as subtype,
    is_error as is_error,
    outcome as outcome,
    case
        when outcome <> 'error' then null
        when subtype <> 'success' then subtype
        when terminal_reason <> 'completed' then terminal_reason
        when error_type is not null then error_type
        when error_status is not null then 'http_' || error_status
    end as error_type,
    coalesce(input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens) is not null as has_usage,
    input_tokens::hugeint as input_tokens,
    cache_read_tokens::hugeint as cache_read_tokens,
    cache_write_5m_tokens::hugeint as cache_write_5m_tokens,
    cache_write_1h_tokens::hugeint as cache_write_1h_tokens,
    output_tokens::hugeint as output_tokens,
    reasoning_tokens::hugeint as reasoning_tokens,
    web_search_requests::hugeint as web_search_requests,
    usage_parts as usage_parts
from judged
