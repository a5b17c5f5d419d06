-- grain: one row per terminal record
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source
-- place: position within the run
-- opening_place: position of the terminal record that opened its process, the first of the process
-- A terminal record opens a process if its cost or a figure of its modelUsage fell, or if that modelUsage lies nearer to what the responses since the
-- last record of its source used than its growth does: by input and cache tokens of each model, responses that may be orphans all counted or none.
with result as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        reported_cost_usd as cost_usd,
        usage_parts is not null as has_models,
        min(place) over (partition by run_no) as place_first,
        last_value(reported_cost_usd ignore nulls) over before as cost_before_usd,
        last_value(case when usage_parts is not null then place end ignore nulls) over before as place_before
    from _result_events
    window before as (partition by run_no order by place rows between unbounded preceding and 1 preceding)
),
later as (
    select
        run_no as run_no,
        place as place,
        place_before as place_before
    from result
    where has_models and place_before is not null
),
figure as (
    select
        later.run_no as run_no,
        later.place as place,
        case when reported.place = later.place then 'now' else 'before' end as side,
        reported.model as model,
        reported.input_tokens as input,
        reported.cache_read_tokens as cache_read,
        coalesce(reported.cache_write_5m_tokens, 0) + coalesce(reported.cache_write_1h_tokens, 0) as cache_write,
        reported.output_tokens as output,
        reported.web_search_requests as web_searches,
        try_cast(reported.cost_usd * 1e12 as hugeint) as cost
    from later
    join _reported as reported on later.run_no = reported.run_no and reported.place in (later.place, later.place_before)
    union all
    select
        result.run_no as run_no,
        result.place as place,
        case when unanswered.place is null then 'used' else 'perhaps' end as side,
        entry.model as model,
        entry.input_tokens as input,
        entry.cache_read_tokens as cache_read,
        coalesce(entry.cache_write_5m_tokens, 0) + coalesce(entry.cache_write_1h_tokens, 0) as cache_write,
        null as output,
        null as web_searches,
        null as cost
    from (from _entries semi join later using (run_no)) as entry
    asof join result
        on entry.run_no = result.run_no and entry.source_no = result.source_no and entry.place < result.place
    left join _unanswered as unanswered on entry.run_no = unanswered.run_no and entry.place = unanswered.place
),
by_name as (
    select
        run_no as run_no,
        place as place,
        model as model,
        name in ('input', 'cache_read', 'cache_write') as is_prompt,
        count(*) filter (where side = 'now') as says,
        coalesce(sum(value) filter (where side = 'now'), 0) as now,
        coalesce(sum(value) filter (where side = 'before'), 0) as before,
        coalesce(sum(value) filter (where side = 'used'), 0) as used,
        coalesce(sum(value) filter (where side = 'perhaps'), 0) as perhaps
    from (unpivot figure on input, cache_read, cache_write, output, web_searches, cost into name name value value)
    group by run_no, place, model, name
),
compared as (
    select
        run_no as run_no,
        place as place,
        bool_or(now < before and (says > 0 or model_says = 0)) as has_fallen,
        least(
            sum(abs(now - used)) filter (where is_prompt),
            sum(abs(now - used - perhaps)) filter (where is_prompt)
        ) as distance_afresh,
        least(
            sum(abs(now - before - used)) filter (where is_prompt),
            sum(abs(now - before - used - perhaps)) filter (where is_prompt)
        ) as distance_on
    from (select *, sum(says) over (partition by run_no, place, model) as model_says from by_name)
    group by run_no, place
)
select
    result.run_no as run_no,
    result.source_no as source_no,
    result.place as place,
    last_value(
        case
            when result.place_first = result.place
            or result.cost_usd < result.cost_before_usd
            or compared.has_fallen
            or compared.distance_afresh < compared.distance_on
            then result.place
        end ignore nulls
    ) over (partition by result.run_no order by result.place) as opening_place
from result
left join compared using (run_no, place)
