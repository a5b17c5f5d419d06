-- grain: one row per terminal record that opens a process though it is not the first of its run
-- kept: where _several_results has rows
-- run_no: number of its run
-- place: position within the run
-- It does if its cost or a figure of its modelUsage fell, or if that modelUsage lies nearer to what the responses since the last record of its
-- source used than its growth does: by input and cache tokens of each model, responses that may be orphans all counted or none.
with result as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        reported_cost_usd as cost_usd,
        usage_parts is not null as has_models,
        last_value(reported_cost_usd ignore nulls) over before as cost_before_usd,
        last_value(case when usage_parts is not null then place end ignore nulls) over before as place_before
    from (from _result_events semi join _several_results using (run_no))
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
used as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        model as model,
        input_tokens as input,
        cache_read_tokens as cache_read,
        coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0) as cache_write
    from (from _responses semi join _several_results using (run_no))
    union all
    select
        response.run_no as run_no,
        response.source_no as source_no,
        response.place as place,
        coalesce(iteration.model, response.model) as model,
        iteration.input_tokens as input,
        iteration.cache_read_tokens as cache_read,
        coalesce(iteration.cache_write_5m_tokens, 0) + coalesce(iteration.cache_write_1h_tokens, 0) as cache_write
    from (from _iterations semi join _several_results using (run_no)) as iteration
    join _responses as response using (run_no, place)
    where iteration.entry <> 'message'
),
figure as (
    select
        later.run_no as run_no,
        later.place as place,
        'now' as side,
        reported.model as model,
        reported.input_tokens as input,
        reported.cache_read_tokens as cache_read,
        coalesce(reported.cache_write_5m_tokens, 0) + coalesce(reported.cache_write_1h_tokens, 0) as cache_write,
        reported.output_tokens as output,
        reported.web_search_requests as web_searches,
        try_cast(reported.cost_usd * 1e12 as hugeint) as cost
    from later
    join _reported as reported on later.run_no = reported.run_no and later.place = reported.place
    union all
    select
        later.run_no as run_no,
        later.place as place,
        'before' as side,
        reported.model as model,
        reported.input_tokens as input,
        reported.cache_read_tokens as cache_read,
        coalesce(reported.cache_write_5m_tokens, 0) + coalesce(reported.cache_write_1h_tokens, 0) as cache_write,
        reported.output_tokens as output,
        reported.web_search_requests as web_searches,
        try_cast(reported.cost_usd * 1e12 as hugeint) as cost
    from later
    join _reported as reported on later.run_no = reported.run_no and later.place_before = reported.place
    union all
    select
        result.run_no as run_no,
        result.place as place,
        case when unanswered.place is null then 'used' else 'perhaps' end as side,
        used.model as model,
        used.input as input,
        used.cache_read as cache_read,
        used.cache_write as cache_write,
        null as output,
        null as web_searches,
        null as cost
    from used
    asof join result
        on used.run_no = result.run_no and used.source_no = result.source_no and used.place < result.place
    left join _unanswered as unanswered on used.run_no = unanswered.run_no and used.place = unanswered.place
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
        coalesce(sum(value) filter (where side = 'perhaps'), 0) as perhaps,
        sum(count(*) filter (where side = 'now')) over (partition by run_no, place, model) as model_says
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
    from by_name
    group by run_no, place
)
select
    result.run_no as run_no,
    result.place as place
from result
left join (from compared semi join later using (run_no, place)) as compared using (run_no, place)
where result.cost_usd < result.cost_before_usd
or compared.has_fallen
or compared.distance_afresh < compared.distance_on
