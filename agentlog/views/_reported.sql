-- grain: one row per terminal record with a modelUsage, and model in it
-- kept: yes
-- run_no: number of its run
-- place: position of the record within the run
-- model: canonical model name; two spellings of one model are summed
-- native_model: the model name as written
-- input_tokens: uncached input, a running total of the process
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- cost_usd: cost
-- has_tokens: a token figure is above 0
with entry as (
    select
        run_no as run_no,
        place as place,
        unnest(usage_parts) as part
    from _result_events
)
select
    run_no as run_no,
    place as place,
    part.model as model,
    min(part.native_model) as native_model,
    sum(part.input_tokens) as input_tokens,
    sum(part.cache_read_tokens) as cache_read_tokens,
    sum(part.cache_write_5m_tokens) as cache_write_5m_tokens,
    sum(part.cache_write_1h_tokens) as cache_write_1h_tokens,
    sum(part.output_tokens) as output_tokens,
    sum(part.reasoning_tokens) as reasoning_tokens,
    sum(part.web_search_requests) as web_search_requests,
    sum(part.cost_usd) as cost_usd,
    bool_or(
        greatest(part.input_tokens, part.cache_read_tokens, part.cache_write_5m_tokens, part.cache_write_1h_tokens, part.output_tokens) > 0
    ) as has_tokens
from entry
group by run_no, place, part.model
