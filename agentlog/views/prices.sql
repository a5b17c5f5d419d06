-- grain: one row per model, period, tier and mode
-- model: canonical model name
-- provider: who sells it at this price
-- valid_from: first instant the price holds
-- valid_to: first instant it no longer holds; NULL is open
-- above_prompt_tokens: it holds for requests whose whole prompt is above this; NULL for all
-- mode: what it holds for: `speed=fast`, a service tier, a region; NULL is the standard
-- input_usd: USD per million tokens of uncached input
-- cache_read_usd: of cache reads
-- cache_write_5m_usd: of writes to the 5-minute cache
-- cache_write_1h_usd: of writes to the 1-hour cache
-- output_usd: of output
-- web_search_usd: USD per web search
-- source: where the price is from
select
    null::varchar as model,
    null::varchar as provider,
    null::timestamptz as valid_from,
    null::timestamptz as valid_to,
    null::bigint as above_prompt_tokens,
    null::varchar as mode,
    null::double as input_usd,
    null::double as cache_read_usd,
    null::double as cache_write_5m_usd,
    null::double as cache_write_1h_usd,
    null::double as output_usd,
    null::double as web_search_usd,
    null::varchar as source
where false
