-- grain: one row per entry of the ledger; every report's tokens and dollars are sums over it
-- run_id: the run
-- entry: `request` (its folded tokens), `nested` (an iteration billed apart) or `remainder` (what a process reports beyond its entries)
-- request_no: the request; NULL for a remainder
-- occurred_at: time of the request; of a remainder its terminal record's, else the last of its process
-- model: canonical model name; NULL for cost that no model explains
-- native_model: the model name as written
-- agent_id: the subagent; NULL for the main loop and for remainders
-- turn_no: the turn; NULL for subagents and remainders
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_tokens: input written to the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- total_tokens: input, cache reads, cache writes and output
-- cost_usd: cost: as reported, else from tokens and price
-- input_cost_usd: of it, uncached input; NULL where a cost is reported as a whole
-- cache_read_cost_usd: of it, cache reads
-- cache_write_cost_usd: of it, cache writes
-- output_cost_usd: of it, output
-- fees_cost_usd: of it, per-use fees
-- cost_basis: `reported` or `computed`; NULL where there is no cost
-- is_cost_complete: its cost is in a reported total, or priced
-- web_search_requests: web searches
select
    run.run_id as run_id,
    entry.entry as entry,
    entry.request_no as request_no,
    entry.occurred_at as occurred_at,
    entry.model as model,
    entry.native_model as native_model,
    entry.agent_id as agent_id,
    entry.turn_no as turn_no,
    try_cast(entry.input_tokens as bigint) as input_tokens,
    try_cast(entry.cache_read_tokens as bigint) as cache_read_tokens,
    try_cast(
        case
            when coalesce(entry.cache_write_5m_tokens, entry.cache_write_1h_tokens) is not null
            then coalesce(entry.cache_write_5m_tokens, 0) + coalesce(entry.cache_write_1h_tokens, 0)
        end as bigint
    ) as cache_write_tokens,
    try_cast(entry.cache_write_5m_tokens as bigint) as cache_write_5m_tokens,
    try_cast(entry.cache_write_1h_tokens as bigint) as cache_write_1h_tokens,
    try_cast(entry.output_tokens as bigint) as output_tokens,
    try_cast(entry.reasoning_tokens as bigint) as reasoning_tokens,
    try_cast(
        case
            when coalesce(
                entry.input_tokens, entry.cache_read_tokens, entry.cache_write_5m_tokens, entry.cache_write_1h_tokens, entry.output_tokens
            ) is not null
            then coalesce(entry.input_tokens, 0) + coalesce(entry.cache_read_tokens, 0) + coalesce(entry.cache_write_5m_tokens, 0)
                + coalesce(entry.cache_write_1h_tokens, 0) + coalesce(entry.output_tokens, 0)
        end as bigint
    ) as total_tokens,
    entry.cost_usd as cost_usd,
    null::double as input_cost_usd,
    null::double as cache_read_cost_usd,
    null::double as cache_write_cost_usd,
    null::double as output_cost_usd,
    null::double as fees_cost_usd,
    case when entry.cost_usd is not null then 'reported' end as cost_basis,
    entry.is_cost_complete as is_cost_complete,
    try_cast(entry.web_search_requests as bigint) as web_search_requests
from _ledger as entry
join _run_sources as run on entry.run_no = run.run_no and run.source_no = 1
