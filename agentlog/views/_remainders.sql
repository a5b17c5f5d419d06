-- grain: one row per remainder: what a process reports beyond its entries, by model
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for its process
-- model: canonical model name; NULL for cost that no model explains
-- native_model: the model name as written
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- cost_usd: cost
-- has_reported_cost: a reported total covers the cost of this model, its entries included (a cost of 0 beside tokens is no report)
-- is_cost_complete: it does, or there is nothing to pay for
-- Remainder = reported − covered entries, figure by figure; a figure that the report leaves out has none. Where a report does not split cache
-- writes but the entries do, the split is theirs, and what is left over is 5-minute. One row without a model holds cost that no model explains.
with busy as (
    select
        run_no as run_no,
        process_place as process_place,
        sum(entries) as entries
    from _used
    group by run_no, process_place
),
process as (
    select
        process.run_no as run_no,
        process.process_place as process_place,
        process.tokens_from as tokens_from,
        process.tokens_place as tokens_place,
        process.cost_usd as cost_usd,
        coalesce(busy.entries, 0) as entries
    from _processes as process
    left join busy using (run_no, process_place)
    where process.tokens_from is not null or process.cost_usd is not null
),
covered as (
    select
        process.run_no as run_no,
        process.process_place as process_place,
        case when process.tokens_from = 'usage' and used.is_streamed_turn then total.model else used.model end as model,
        used.native_model as native_model,
        used.has_reported_tokens and (process.tokens_from = 'models' or used.is_streamed_turn) as has_tokens,
        used.input_tokens as input_tokens,
        used.cache_read_tokens as cache_read_tokens,
        used.cache_write_5m_tokens as cache_write_5m_tokens,
        used.cache_write_1h_tokens as cache_write_1h_tokens,
        used.output_tokens as output_tokens,
        used.reasoning_tokens as reasoning_tokens,
        used.web_search_requests as web_search_requests,
        case when used.has_reported_cost then used.cost_usd end as cost_usd
    from process
    join _used as used using (run_no, process_place)
    left join _usage_totals as total using (run_no, process_place)
    where used.has_reported_tokens or used.has_reported_cost
),
part as (
    select
        run_no as run_no,
        process_place as process_place,
        'entries' as side,
        model as model,
        native_model as native_model,
        case when has_tokens then input_tokens end as input_tokens,
        case when has_tokens then cache_read_tokens end as cache_read_tokens,
        case when has_tokens then cache_write_5m_tokens end as cache_write_5m_tokens,
        case when has_tokens then cache_write_1h_tokens end as cache_write_1h_tokens,
        case when has_tokens then output_tokens end as output_tokens,
        case when has_tokens then reasoning_tokens end as reasoning_tokens,
        case when has_tokens then web_search_requests end as web_search_requests,
        cost_usd as cost_usd,
        false as is_costless
    from covered
    union all
    select
        elsewhere.run_no as run_no,
        elsewhere.process_place as process_place,
        'entries' as side,
        case when process.tokens_from = 'usage' then total.model else elsewhere.model end as model,
        elsewhere.native_model as native_model,
        elsewhere.input_tokens as input_tokens,
        elsewhere.cache_read_tokens as cache_read_tokens,
        elsewhere.cache_write_5m_tokens as cache_write_5m_tokens,
        elsewhere.cache_write_1h_tokens as cache_write_1h_tokens,
        elsewhere.output_tokens as output_tokens,
        elsewhere.reasoning_tokens as reasoning_tokens,
        null as web_search_requests,
        null as cost_usd,
        false as is_costless
    from _elsewhere as elsewhere
    join process using (run_no, process_place)
    left join _usage_totals as total using (run_no, process_place)
    where process.tokens_from = 'models' or process.tokens_from = 'usage' and elsewhere.is_streamed_turn
    union all
    select
        process.run_no as run_no,
        process.process_place as process_place,
        'report' as side,
        reported.model as model,
        reported.native_model as native_model,
        reported.input_tokens as input_tokens,
        reported.cache_read_tokens as cache_read_tokens,
        reported.cache_write_5m_tokens as cache_write_5m_tokens,
        reported.cache_write_1h_tokens as cache_write_1h_tokens,
        reported.output_tokens as output_tokens,
        reported.reasoning_tokens as reasoning_tokens,
        reported.web_search_requests as web_search_requests,
        case when process.cost_usd is not null and (reported.cost_usd <> 0 or not reported.has_tokens) then reported.cost_usd end as cost_usd,
        coalesce(reported.has_tokens and reported.cost_usd = 0, false) as is_costless
    from process
    join _reported as reported on process.run_no = reported.run_no and process.tokens_place = reported.place
    where process.tokens_from = 'models'
    union all
    select
        run_no as run_no,
        process_place as process_place,
        'report' as side,
        model as model,
        null as native_model,
        input_tokens as input_tokens,
        cache_read_tokens as cache_read_tokens,
        cache_write_5m_tokens as cache_write_5m_tokens,
        cache_write_1h_tokens as cache_write_1h_tokens,
        output_tokens as output_tokens,
        reasoning_tokens as reasoning_tokens,
        web_search_requests as web_search_requests,
        null as cost_usd,
        false as is_costless
    from _usage_totals
),
by_model as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        coalesce(min(native_model) filter (where side = 'report'), min(native_model)) as native_model,
        sum(cost_usd) filter (where side = 'report') as reported_cost_usd,
        sum(cost_usd) filter (where side = 'entries') as own_cost_usd,
        bool_or(is_costless) as is_costless,
        bool_or(side = 'report') as is_reported,
        bool_or(side = 'report' and cache_write_5m_tokens is not null) as has_reported_writes
    from part
    group by run_no, process_place, model
),
unexplained as (
    select
        process.run_no as run_no,
        process.process_place as process_place,
        case when count(by_model.reported_cost_usd) = 0 and count(*) = 1 then min(by_model.model) end as model,
        process.cost_usd - coalesce(sum(by_model.reported_cost_usd), 0) as cost_usd,
        abs(process.cost_usd - coalesce(sum(by_model.reported_cost_usd), 0)) > 1e-12 * greatest(1, abs(process.cost_usd)) as is_cost,
        count(by_model.run_no) = 0 as is_only
    from process
    left join by_model using (run_no, process_place)
    group by process.run_no, process.process_place, process.cost_usd
),
costed as (
    select
        coalesce(by_model.run_no, cost.run_no) as run_no,
        coalesce(by_model.process_place, cost.process_place) as process_place,
        coalesce(by_model.model, cost.model) as model,
        by_model.native_model as native_model,
        case
            when coalesce(by_model.reported_cost_usd, by_model.own_cost_usd, cost.cost_usd) is not null
            then coalesce(by_model.reported_cost_usd, 0) - coalesce(by_model.own_cost_usd, 0) + coalesce(cost.cost_usd, 0)
        end as cost_usd,
        coalesce(by_model.is_costless, false) as is_costless
    from by_model
    full join (from unexplained where is_cost or is_only) as cost
        on by_model.run_no = cost.run_no and by_model.process_place = cost.process_place and by_model.model is not distinct from cost.model
),
figure as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        name as name,
        sum(value) filter (where side = 'report') as reported,
        coalesce(sum(value) filter (where side = 'entries'), 0) as own
    from (
        unpivot part
        on input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens, reasoning_tokens, web_search_requests
        into name name value value
    )
    group by run_no, process_place, model, name
),
said as (
    select
        run_no as run_no,
        process_place as process_place,
        list(distinct name) as names
    from figure
    where reported is not null
    group by run_no, process_place
),
weighed as (
    select
        figure.run_no as run_no,
        figure.process_place as process_place,
        figure.model as model,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'input_tokens') as input_tokens,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'cache_read_tokens') as cache_read_tokens,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'output_tokens') as output_tokens,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'reasoning_tokens') as reasoning_tokens,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'web_search_requests') as web_search_requests,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'cache_write_5m_tokens') as cache_write_5m_tokens,
        sum(coalesce(figure.reported, 0) - figure.own) filter (where figure.name = 'cache_write_1h_tokens') as cache_write_1h_tokens,
        coalesce(sum(figure.reported) filter (where figure.name = 'cache_write_1h_tokens'), 0) = 0 as is_unsplit
    from figure
    join said using (run_no, process_place)
    join by_model
        on figure.run_no = by_model.run_no and figure.process_place = by_model.process_place and figure.model is not distinct from by_model.model
    where figure.reported is not null
    or not by_model.is_reported and list_contains(said.names, figure.name)
    or by_model.has_reported_writes and figure.name = 'cache_write_1h_tokens'
    group by figure.run_no, figure.process_place, figure.model
),
remainder as (
    select
        costed.run_no as run_no,
        costed.process_place as process_place,
        costed.model as model,
        costed.native_model as native_model,
        weighed.input_tokens as input_tokens,
        weighed.cache_read_tokens as cache_read_tokens,
        case
            when weighed.is_unsplit and weighed.cache_write_1h_tokens < 0 then weighed.cache_write_5m_tokens + weighed.cache_write_1h_tokens
            else weighed.cache_write_5m_tokens
        end as cache_write_5m_tokens,
        case when weighed.is_unsplit and weighed.cache_write_1h_tokens < 0 then 0 else weighed.cache_write_1h_tokens end as cache_write_1h_tokens,
        weighed.output_tokens as output_tokens,
        weighed.reasoning_tokens as reasoning_tokens,
        weighed.web_search_requests as web_search_requests,
        costed.cost_usd as cost_usd,
        process.cost_usd is not null and not (costed.is_costless and not unexplained.is_cost) as has_reported_cost,
        process.cost_usd is not null as is_process_costed
    from costed
    join process using (run_no, process_place)
    join unexplained using (run_no, process_place)
    left join weighed
        on costed.run_no = weighed.run_no and costed.process_place = weighed.process_place and costed.model is not distinct from weighed.model
),
telling as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        native_model as native_model,
        input_tokens as input_tokens,
        cache_read_tokens as cache_read_tokens,
        cache_write_5m_tokens as cache_write_5m_tokens,
        cache_write_1h_tokens as cache_write_1h_tokens,
        output_tokens as output_tokens,
        reasoning_tokens as reasoning_tokens,
        web_search_requests as web_search_requests,
        cost_usd as cost_usd,
        has_reported_cost as has_reported_cost
    from remainder
    where cost_usd <> 0
    or is_process_costed and not has_reported_cost
    or greatest(
        abs(input_tokens), abs(cache_read_tokens), abs(cache_write_5m_tokens), abs(cache_write_1h_tokens), abs(output_tokens), abs(reasoning_tokens),
        abs(web_search_requests)
    ) > 0
),
zero as (
    select
        run_no as run_no,
        process_place as process_place,
        tokens_from as tokens_from,
        cost_usd as cost_usd
    from (from process anti join telling using (run_no, process_place))
    where entries = 0
)
select
    run_no as run_no,
    process_place as process_place,
    model as model,
    native_model as native_model,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests,
    cost_usd as cost_usd,
    has_reported_cost as has_reported_cost,
    has_reported_cost
    or coalesce(
        greatest(
            abs(input_tokens), abs(cache_read_tokens), abs(cache_write_5m_tokens), abs(cache_write_1h_tokens), abs(output_tokens),
            abs(web_search_requests)
        ),
        0
    ) = 0 as is_cost_complete
from telling
union all
select
    run_no as run_no,
    process_place as process_place,
    null as model,
    null as native_model,
    case when tokens_from is not null then 0 end as input_tokens,
    case when tokens_from is not null then 0 end as cache_read_tokens,
    case when tokens_from is not null then 0 end as cache_write_5m_tokens,
    case when tokens_from is not null then 0 end as cache_write_1h_tokens,
    case when tokens_from is not null then 0 end as output_tokens,
    case when tokens_from is not null then 0 end as reasoning_tokens,
    case when tokens_from is not null then 0 end as web_search_requests,
    cost_usd as cost_usd,
    cost_usd is not null as has_reported_cost,
    true as is_cost_complete
from zero
