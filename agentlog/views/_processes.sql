-- grain: one row per invocation of the harness within a run
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for it: of its first terminal record, or of the beginning of a source without one
-- process_no: 1-based number within the run
-- tokens_from: what its reported tokens are: `models` (its last modelUsage), `usage` (its results' usage, summed), `zeros`; NULL where none count
-- tokens_place: position of the terminal record up to which they count
-- cost_usd: its last reported cost (of its models where no total is given); NULL where none counts
-- cost_place: position of the terminal record that reports it
-- api_duration_ms: its last time spent in the API
-- An all-zero record beside responses with usage reports no tokens, and a cost of 0 beside tokens is no cost.
with models as (
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
        max(models.place) as models_place,
        max(event.place) filter (where event.has_usage) as usage_place,
        bool_or(
            greatest(event.input_tokens, event.cache_read_tokens, event.cache_write_5m_tokens, event.cache_write_1h_tokens, event.output_tokens) > 0
        ) as has_usage_tokens,
        bool_or(event.usage_parts is not null) as has_models,
        coalesce(arg_max(event.reported_cost_usd, event.place), arg_max(models.cost_usd, models.place)) as cost_usd,
        coalesce(
            max(event.place) filter (where event.reported_cost_usd is not null), max(models.place) filter (where models.cost_usd is not null)
        ) as cost_place,
        arg_max(event.api_duration_ms, event.place) as api_duration_ms
    from _results as result
    join _result_events as event using (run_no, place)
    left join models using (run_no, place)
    group by result.run_no, result.opening_place
),
busy as (
    select distinct
        attributed.run_no as run_no,
        attributed.process_place as process_place
    from (from _attributed semi join (from ended where models_place is null or cost_usd = 0) using (run_no, process_place)) as attributed
    join _responses as response using (run_no, place)
    where attributed.result_place is not null
    and greatest(
        response.input_tokens, response.cache_read_tokens, response.cache_write_5m_tokens, response.cache_write_1h_tokens, response.output_tokens
    ) > 0
),
process as (
    select
        ended.run_no as run_no,
        ended.process_place as process_place,
        case
            when ended.models_place is not null then 'models'
            when ended.has_usage_tokens then 'usage'
            when busy.run_no is not null and coalesce(ended.cost_usd, 0) = 0 then null
            when ended.usage_place is not null then 'usage'
            when ended.has_models then 'zeros'
        end as tokens_from,
        coalesce(ended.models_place, ended.usage_place, ended.last_place) as tokens_place,
        case
            when ended.cost_usd <> 0 then ended.cost_usd
            when ended.models_place is null and not coalesce(ended.has_usage_tokens, false) and busy.run_no is null then ended.cost_usd
        end as cost_usd,
        ended.cost_place as cost_place,
        ended.api_duration_ms as api_duration_ms
    from ended
    left join busy using (run_no, process_place)
    union all
    select
        run_no as run_no,
        stream_no::hugeint << 96 as process_place,
        null as tokens_from,
        null as tokens_place,
        null as cost_usd,
        null as cost_place,
        null as api_duration_ms
    from (from _run_sources anti join _result_events using (run_no, source_no)) as source
    where not is_session
    or source_no = stream_no
    and (
        source_no = 1
        or (run_no, stream_no::hugeint << 96) in (select (run_no, process_place) from _attributed)
    )
)
select
    run_no as run_no,
    process_place as process_place,
    row_number() over (partition by run_no order by process_place) as process_no,
    tokens_from as tokens_from,
    tokens_place as tokens_place,
    cost_usd as cost_usd,
    cost_place as cost_place,
    api_duration_ms as api_duration_ms
from process
