-- grain: one row per invocation of the harness within a run
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for it: of its first terminal record, or of the beginning of a source without one
-- process_no: 1-based number within the run
-- tokens_from: what its reported tokens are: `models` (its last modelUsage), `usage` (its results' usage, summed), `zeros`; NULL where none count
-- tokens_place: position of the terminal record up to which they count
-- cost_usd: its last reported cost (of its models where no total is given); NULL where none counts
-- cost_place: position of the terminal record that reports it
-- last_place: position of its last terminal record
-- api_duration_ms: its last time spent in the API
-- input_tokens: usage of its results, summed: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- An all-zero record beside responses with usage reports no tokens, and a cost of 0 beside tokens is no cost.
with with_tokens as (
    select
        run_no as run_no,
        place as place,
        sum(cost_usd) as cost_usd
    from _reported
    group by run_no, place
    having bool_or(has_tokens)
),
ended as (
    select
        result.run_no as run_no,
        result.opening_place as process_place,
        max(result.place) as last_place,
        max(result.place) filter (where with_tokens.place is not null) as models_place,
        bool_or(result.has_models) as has_models,
        bool_or(result.has_usage) as has_usage,
        coalesce(arg_max(result.reported_cost_usd, result.place), arg_max(with_tokens.cost_usd, result.place)) as cost_usd,
        coalesce(
            max(result.place) filter (where result.reported_cost_usd is not null), max(result.place) filter (where with_tokens.cost_usd is not null)
        ) as cost_place,
        arg_max(result.api_duration_ms, result.place) as api_duration_ms,
        sum(result.input_tokens) as input_tokens,
        sum(result.cache_read_tokens) as cache_read_tokens,
        sum(result.cache_write_5m_tokens) as cache_write_5m_tokens,
        sum(result.cache_write_1h_tokens) as cache_write_1h_tokens,
        sum(result.output_tokens) as output_tokens,
        sum(result.reasoning_tokens) as reasoning_tokens,
        sum(result.web_search_requests) as web_search_requests
    from _results as result
    left join with_tokens using (run_no, place)
    group by result.run_no, result.opening_place
),
busy as (
    select distinct
        response.run_no as run_no,
        response.process_place as process_place
    from _attributed as response
    join _entries as entry using (run_no, place)
    where response.result_place is not null
    and greatest(entry.input_tokens, entry.cache_read_tokens, entry.cache_write_5m_tokens, entry.cache_write_1h_tokens, entry.output_tokens) > 0
),
judged as (
    select
        ended.run_no as run_no,
        ended.process_place as process_place,
        ended.last_place as last_place,
        ended.cost_usd as cost_usd,
        ended.cost_place as cost_place,
        case
            when ended.models_place is not null then 'models'
            when coalesce(greatest(ended.input_tokens, ended.cache_read_tokens, ended.cache_write_5m_tokens, ended.cache_write_1h_tokens, ended.output_tokens), 0) > 0
            then 'usage'
            when busy.run_no is not null and coalesce(ended.cost_usd, 0) = 0 then null
            when ended.has_usage then 'usage'
            when ended.has_models then 'zeros'
        end as tokens_from,
        coalesce(ended.models_place, ended.last_place) as tokens_place,
        busy.run_no is not null as is_busy,
        ended.api_duration_ms as api_duration_ms,
        ended.input_tokens as input_tokens,
        ended.cache_read_tokens as cache_read_tokens,
        ended.cache_write_5m_tokens as cache_write_5m_tokens,
        ended.cache_write_1h_tokens as cache_write_1h_tokens,
        ended.output_tokens as output_tokens,
        ended.reasoning_tokens as reasoning_tokens,
        ended.web_search_requests as web_search_requests
    from ended
    left join busy using (run_no, process_place)
),
process as (
    select
        run_no as run_no,
        process_place as process_place,
        tokens_from as tokens_from,
        tokens_place as tokens_place,
        case
            when cost_usd <> 0 then cost_usd
            when not is_busy
            and tokens_from is distinct from 'models'
            and coalesce(greatest(input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens), 0) = 0 then cost_usd
        end as cost_usd,
        cost_place as cost_place,
        last_place as last_place,
        api_duration_ms as api_duration_ms,
        input_tokens as input_tokens,
        cache_read_tokens as cache_read_tokens,
        cache_write_5m_tokens as cache_write_5m_tokens,
        cache_write_1h_tokens as cache_write_1h_tokens,
        output_tokens as output_tokens,
        reasoning_tokens as reasoning_tokens,
        web_search_requests as web_search_requests
    from judged
    union all by name
    select
        run_no as run_no,
        source_no::hugeint << 96 as process_place
    from _run_sources
    anti join _results using (run_no, source_no)
)
select
    run_no as run_no,
    process_place as process_place,
    row_number() over (partition by run_no order by process_place) as process_no,
    tokens_from as tokens_from,
    tokens_place as tokens_place,
    cost_usd as cost_usd,
    cost_place as cost_place,
    last_place as last_place,
    api_duration_ms as api_duration_ms,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests
from process
