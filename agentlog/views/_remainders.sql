-- grain: one row per remainder: what a process reports beyond its entries, by model
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for the process
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
-- Remainder = reported − covered entries, column by column; a column that the report leaves out has none, and may be negative. Where a report does not
-- split cache writes but the entries do, the split is theirs and what is left over is 5-minute.
with covered as (
    select
        entry.run_no as run_no,
        counted.process_place as process_place,
        entry.model as model,
        entry.is_streamed_turn as is_streamed_turn,
        min(entry.native_model) as native_model,
        count(*) as entries,
        count(*) filter (where counted.has_reported_tokens) as token_entries,
        count(*) filter (where counted.has_reported_cost) as cost_entries,
        sum(entry.input_tokens) filter (where counted.has_reported_tokens) as input_tokens,
        sum(entry.cache_read_tokens) filter (where counted.has_reported_tokens) as cache_read_tokens,
        sum(entry.cache_write_5m_tokens) filter (where counted.has_reported_tokens) as cache_write_5m_tokens,
        sum(entry.cache_write_1h_tokens) filter (where counted.has_reported_tokens) as cache_write_1h_tokens,
        sum(entry.output_tokens) filter (where counted.has_reported_tokens) as output_tokens,
        sum(entry.reasoning_tokens) filter (where counted.has_reported_tokens) as reasoning_tokens,
        sum(entry.web_search_requests) filter (where counted.has_reported_tokens) as web_search_requests,
        sum(entry.reported_cost_usd) filter (where counted.has_reported_cost) as cost_usd
    from _entries as entry
    join _counted as counted using (run_no, place)
    group by entry.run_no, counted.process_place, entry.model, entry.is_streamed_turn
),
process as (
    select
        process.run_no as run_no,
        process.process_place as process_place,
        process.tokens_from as tokens_from,
        process.tokens_place as tokens_place,
        process.cost_usd as cost_usd,
        coalesce(sum(covered.entries), 0) as entries,
        case when count(*) filter (where covered.is_streamed_turn and covered.token_entries > 0) = 1
            then min(covered.model) filter (where covered.is_streamed_turn and covered.token_entries > 0)
        end as turns_model
    from _processes as process
    left join covered using (run_no, process_place)
    where process.tokens_from is not null or process.cost_usd is not null
    group by process.run_no, process.process_place, process.tokens_from, process.tokens_place, process.cost_usd
),
signed as (
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
        case when process.cost_usd is not null then reported.cost_usd end as cost_usd,
        reported.has_tokens and reported.cost_usd = 0 as is_costless
    from process
    join _reported as reported on process.run_no = reported.run_no and process.tokens_place = reported.place
    where process.tokens_from = 'models'
    union all
    select
        process.run_no as run_no,
        process.process_place as process_place,
        'report' as side,
        process.turns_model as model,
        null as native_model,
        total.input_tokens as input_tokens,
        total.cache_read_tokens as cache_read_tokens,
        total.cache_write_5m_tokens as cache_write_5m_tokens,
        total.cache_write_1h_tokens as cache_write_1h_tokens,
        total.output_tokens as output_tokens,
        total.reasoning_tokens as reasoning_tokens,
        total.web_search_requests as web_search_requests,
        null as cost_usd,
        false as is_costless
    from process
    join _processes as total using (run_no, process_place)
    where process.tokens_from = 'usage'
    union all
    select
        process.run_no as run_no,
        process.process_place as process_place,
        'entries' as side,
        case when process.tokens_from = 'usage' and covered.is_streamed_turn then process.turns_model else covered.model end as model,
        covered.native_model as native_model,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.input_tokens end as input_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.cache_read_tokens end as cache_read_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.cache_write_5m_tokens end as cache_write_5m_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.cache_write_1h_tokens end as cache_write_1h_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.output_tokens end as output_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.reasoning_tokens end as reasoning_tokens,
        case when process.tokens_from = 'models' or covered.is_streamed_turn then covered.web_search_requests end as web_search_requests,
        case when process.cost_usd is not null then covered.cost_usd end as cost_usd,
        false as is_costless
    from process
    join covered using (run_no, process_place)
    where covered.token_entries + covered.cost_entries > 0
),
by_model as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        coalesce(min(native_model) filter (where side = 'report'), min(native_model)) as native_model,
        count(*) filter (where side = 'report') > 0 as is_reported,
        bool_or(is_costless) as is_costless,
        sum(input_tokens) filter (where side = 'report') as reported_input_tokens,
        sum(input_tokens) filter (where side = 'entries') as entry_input_tokens,
        sum(cache_read_tokens) filter (where side = 'report') as reported_cache_read_tokens,
        sum(cache_read_tokens) filter (where side = 'entries') as entry_cache_read_tokens,
        sum(cache_write_5m_tokens) filter (where side = 'report') as reported_cache_write_5m_tokens,
        sum(cache_write_5m_tokens) filter (where side = 'entries') as entry_cache_write_5m_tokens,
        sum(cache_write_1h_tokens) filter (where side = 'report') as reported_cache_write_1h_tokens,
        sum(cache_write_1h_tokens) filter (where side = 'entries') as entry_cache_write_1h_tokens,
        sum(output_tokens) filter (where side = 'report') as reported_output_tokens,
        sum(output_tokens) filter (where side = 'entries') as entry_output_tokens,
        sum(reasoning_tokens) filter (where side = 'report') as reported_reasoning_tokens,
        sum(reasoning_tokens) filter (where side = 'entries') as entry_reasoning_tokens,
        sum(web_search_requests) filter (where side = 'report') as reported_web_search_requests,
        sum(web_search_requests) filter (where side = 'entries') as entry_web_search_requests,
        sum(case when not is_costless then cost_usd end) filter (where side = 'report') as reported_cost_usd,
        sum(cost_usd) filter (where side = 'entries') as entry_cost_usd
    from signed
    group by run_no, process_place, model
),
unexplained as (
    select
        process.run_no as run_no,
        process.process_place as process_place,
        process.tokens_from as tokens_from,
        process.entries as entries,
        process.cost_usd as process_cost_usd,
        case when count(by_model.reported_cost_usd) = 0 and count(*) = 1 then any_value(by_model.model) end as model,
        process.cost_usd - coalesce(sum(by_model.reported_cost_usd), 0) as cost_usd,
        count(by_model.reported_input_tokens) > 0 as says_input_tokens,
        count(by_model.reported_cache_read_tokens) > 0 as says_cache_read_tokens,
        count(by_model.reported_cache_write_5m_tokens) > 0 as says_cache_write_5m_tokens,
        count(by_model.reported_cache_write_1h_tokens) > 0 as says_cache_write_1h_tokens,
        count(by_model.reported_output_tokens) > 0 as says_output_tokens,
        count(by_model.reported_reasoning_tokens) > 0 as says_reasoning_tokens,
        count(by_model.reported_web_search_requests) > 0 as says_web_search_requests,
        count(by_model.run_no) as models
    from process
    left join by_model using (run_no, process_place)
    group by process.run_no, process.process_place, process.tokens_from, process.entries, process.cost_usd
),
cost_row as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        cost_usd as cost_usd
    from unexplained
    where abs(cost_usd) > 1e-12 * greatest(1, abs(process_cost_usd)) or models = 0
),
remainder as (
    select
        coalesce(by_model.run_no, cost_row.run_no) as run_no,
        coalesce(by_model.process_place, cost_row.process_place) as process_place,
        coalesce(by_model.model, cost_row.model) as model,
        by_model.native_model as native_model,
        by_model.is_reported as is_reported,
        coalesce(by_model.is_costless, false) as is_costless,
        coalesce(by_model.entry_cache_write_1h_tokens > 0 and coalesce(by_model.reported_cache_write_1h_tokens, 0) = 0, false) as is_unsplit,
        by_model.reported_input_tokens as reported_input_tokens,
        coalesce(by_model.entry_input_tokens, 0) as entry_input_tokens,
        by_model.reported_cache_read_tokens as reported_cache_read_tokens,
        coalesce(by_model.entry_cache_read_tokens, 0) as entry_cache_read_tokens,
        by_model.reported_cache_write_5m_tokens as reported_cache_write_5m_tokens,
        coalesce(by_model.entry_cache_write_5m_tokens, 0) as entry_cache_write_5m_tokens,
        by_model.reported_cache_write_1h_tokens as reported_cache_write_1h_tokens,
        coalesce(by_model.entry_cache_write_1h_tokens, 0) as entry_cache_write_1h_tokens,
        by_model.reported_output_tokens as reported_output_tokens,
        coalesce(by_model.entry_output_tokens, 0) as entry_output_tokens,
        by_model.reported_reasoning_tokens as reported_reasoning_tokens,
        coalesce(by_model.entry_reasoning_tokens, 0) as entry_reasoning_tokens,
        by_model.reported_web_search_requests as reported_web_search_requests,
        coalesce(by_model.entry_web_search_requests, 0) as entry_web_search_requests,
        case
            when coalesce(by_model.reported_cost_usd, by_model.entry_cost_usd, cost_row.cost_usd) is not null
            then coalesce(by_model.reported_cost_usd, 0) - coalesce(by_model.entry_cost_usd, 0) + coalesce(cost_row.cost_usd, 0)
        end as cost_usd
    from by_model
    full join cost_row
        on by_model.run_no = cost_row.run_no and by_model.process_place = cost_row.process_place and by_model.model is not distinct from cost_row.model
),
figured as (
    select
        remainder.run_no as run_no,
        remainder.process_place as process_place,
        remainder.model as model,
        remainder.native_model as native_model,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when process.says_input_tokens and (not remainder.is_reported or remainder.reported_input_tokens is not null)
            then coalesce(remainder.reported_input_tokens, 0) - remainder.entry_input_tokens
        end as input_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when process.says_cache_read_tokens and (not remainder.is_reported or remainder.reported_cache_read_tokens is not null)
            then coalesce(remainder.reported_cache_read_tokens, 0) - remainder.entry_cache_read_tokens
        end as cache_read_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when remainder.is_unsplit and process.says_cache_write_5m_tokens
            then coalesce(remainder.reported_cache_write_5m_tokens, 0) - remainder.entry_cache_write_5m_tokens - remainder.entry_cache_write_1h_tokens
            when process.says_cache_write_5m_tokens and (not remainder.is_reported or remainder.reported_cache_write_5m_tokens is not null)
            then coalesce(remainder.reported_cache_write_5m_tokens, 0) - remainder.entry_cache_write_5m_tokens
        end as cache_write_5m_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when remainder.is_unsplit and process.says_cache_write_5m_tokens then 0
            when process.says_cache_write_1h_tokens and (not remainder.is_reported or remainder.reported_cache_write_1h_tokens is not null)
            then coalesce(remainder.reported_cache_write_1h_tokens, 0) - remainder.entry_cache_write_1h_tokens
        end as cache_write_1h_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when process.says_output_tokens and (not remainder.is_reported or remainder.reported_output_tokens is not null)
            then coalesce(remainder.reported_output_tokens, 0) - remainder.entry_output_tokens
        end as output_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when process.says_reasoning_tokens and (not remainder.is_reported or remainder.reported_reasoning_tokens is not null)
            then coalesce(remainder.reported_reasoning_tokens, 0) - remainder.entry_reasoning_tokens
        end as reasoning_tokens,
        case
            when remainder.is_reported is null and process.tokens_from is not null then 0
            when process.says_web_search_requests and (not remainder.is_reported or remainder.reported_web_search_requests is not null)
            then coalesce(remainder.reported_web_search_requests, 0) - remainder.entry_web_search_requests
        end as web_search_requests,
        remainder.cost_usd as cost_usd,
        process.process_cost_usd is not null
        and not (remainder.is_costless and abs(process.cost_usd) <= 1e-12 * greatest(1, abs(process.process_cost_usd))) as has_reported_cost,
        process.process_cost_usd is not null as has_process_cost,
        process.entries as entries
    from remainder
    join unexplained as process using (run_no, process_place)
),
weighed as (
    select
        figured.*,
        coalesce(cost_usd, 0) <> 0
        or not has_reported_cost and has_process_cost
        or coalesce(
            greatest(
                abs(input_tokens), abs(cache_read_tokens), abs(cache_write_5m_tokens), abs(cache_write_1h_tokens), abs(output_tokens),
                abs(reasoning_tokens), abs(web_search_requests)
            ),
            0
        ) > 0
        as is_something
    from figured
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
    has_reported_cost as has_reported_cost
from weighed
qualify
    is_something
    or (
        entries = 0
        and not bool_or(is_something) over (partition by run_no, process_place)
        and row_number() over (partition by run_no, process_place order by model nulls first) = 1
    )
