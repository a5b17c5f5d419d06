-- grain: one row per model response, and one per iteration of it that was billed apart (any that is no `message`)
-- run_no: number of its run
-- source_no: number of its source
-- place: position of the response within the run
-- agent_key: hash of the agent id
-- is_streamed_turn: a streamed response of the main loop: what a result's own usage counts
-- nested_no: 0 is the response, 1 and more its nested iterations
-- model: canonical model name; an iteration that names none has its response's
-- native_model: the model name as written
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- web_search_requests: web searches
-- reported_cost_usd: its own reported cost
with iteration as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        agent_key as agent_key,
        model as model,
        native_model as native_model,
        unnest(usage_parts) as part,
        generate_subscripts(usage_parts, 1) as part_no
    from _responses
    where usage_parts is not null
)
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    agent_key as agent_key,
    agent_id is null and is_streamed as is_streamed_turn,
    0::bigint as nested_no,
    model as model,
    native_model as native_model,
    input_tokens as input_tokens,
    cache_read_tokens as cache_read_tokens,
    cache_write_5m_tokens as cache_write_5m_tokens,
    cache_write_1h_tokens as cache_write_1h_tokens,
    output_tokens as output_tokens,
    reasoning_tokens as reasoning_tokens,
    web_search_requests as web_search_requests,
    reported_cost_usd as reported_cost_usd
from _responses
union all
select
    run_no as run_no,
    source_no as source_no,
    place as place,
    agent_key as agent_key,
    false as is_streamed_turn,
    part_no as nested_no,
    coalesce(part.model, model) as model,
    coalesce(part.native_model, native_model) as native_model,
    part.input_tokens as input_tokens,
    part.cache_read_tokens as cache_read_tokens,
    part.cache_write_5m_tokens as cache_write_5m_tokens,
    part.cache_write_1h_tokens as cache_write_1h_tokens,
    part.output_tokens as output_tokens,
    part.reasoning_tokens as reasoning_tokens,
    part.web_search_requests as web_search_requests,
    part.cost_usd as reported_cost_usd
from iteration
where part.entry <> 'message'
