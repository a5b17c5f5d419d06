-- grain: one row per iteration of a response that tells more than the response itself: of several, or no `message`
-- kept: yes
-- run_no: number of its run
-- place: position of the response within the run
-- iteration_no: 1-based number within the response
-- entry: its type: `message`, `compaction`, …
-- model: canonical model name, where it has one of its own
-- native_model: the model name as written
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- cost_usd: its own reported cost
-- context_tokens: size of its context
with iteration as (
    select
        event.run_no as run_no,
        coalesce(repeat.response_place, event.place) as place,
        unnest(event.usage_parts) as part,
        generate_subscripts(event.usage_parts, 1) as iteration_no
    from (from _ordered where kind = 'request' and (len(usage_parts) > 1 or usage_parts[1].entry <> 'message')) as event
    left join _repeats as repeat using (run_no, place)
    qualify event.place = max(event.place) over (partition by event.run_no, coalesce(repeat.response_place, event.place))
)
select
    run_no as run_no,
    place as place,
    iteration_no as iteration_no,
    part.entry as entry,
    part.model as model,
    part.native_model as native_model,
    part.input_tokens::hugeint as input_tokens,
    part.cache_read_tokens::hugeint as cache_read_tokens,
    part.cache_write_5m_tokens::hugeint as cache_write_5m_tokens,
    part.cache_write_1h_tokens::hugeint as cache_write_1h_tokens,
    part.output_tokens::hugeint as output_tokens,
    part.reasoning_tokens::hugeint as reasoning_tokens,
    part.web_search_requests::hugeint as web_search_requests,
    part.cost_usd as cost_usd,
    coalesce(part.input_tokens, 0)::hugeint + coalesce(part.cache_read_tokens, 0) + coalesce(part.cache_write_5m_tokens, 0)
    + coalesce(part.cache_write_1h_tokens, 0) as context_tokens
from iteration
