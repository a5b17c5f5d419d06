-- grain: one row per process whose tokens are reported by its results' usage only: their sum
-- kept: where _usage_only has rows
-- run_no: number of its run
-- process_place: position that stands for it
-- model: the one model of the turns that it covers; NULL where they differ
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
with model as (
    select
        run_no as run_no,
        process_place as process_place,
        case when count(model) = count(*) and min(model) = max(model) then min(model) end as model
    from (from _requests semi join _usage_only using (run_no, process_place))
    where has_reported_tokens and agent_id is null and is_streamed
    group by run_no, process_place
)
select
    result.run_no as run_no,
    result.opening_place as process_place,
    any_value(model.model) as model,
    sum(event.input_tokens) as input_tokens,
    sum(event.cache_read_tokens) as cache_read_tokens,
    sum(event.cache_write_5m_tokens) as cache_write_5m_tokens,
    sum(event.cache_write_1h_tokens) as cache_write_1h_tokens,
    sum(event.output_tokens) as output_tokens,
    sum(event.reasoning_tokens) as reasoning_tokens,
    sum(event.web_search_requests) as web_search_requests
from _results as result
join _result_events as event using (run_no, place)
join _usage_only as process on result.run_no = process.run_no and result.opening_place = process.process_place
left join model on result.run_no = model.run_no and result.opening_place = model.process_place
group by result.run_no, result.opening_place
