-- grain: one row per entry of the ledger
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for its process
-- entry: `request`, `nested` or `remainder`
-- request_no: number of the request; NULL for a remainder
-- turn_no: number of its turn
-- occurred_at: its time
-- model: canonical model name
-- native_model: the model name as written
-- agent_id: the subagent
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
-- cost_usd: cost
-- is_cost_complete: its cost is in a reported total, or there is nothing to pay for
-- web_search_requests: web searches
-- has_reported_tokens: its tokens are in a reported total
select
    entry.run_no as run_no,
    entry.process_place as process_place,
    case when entry.nested_no = 0 then 'request' else 'nested' end as entry,
    entry.request_no as request_no,
    entry.turn_no as turn_no,
    entry.started_at as occurred_at,
    entry.model as model,
    entry.native_model as native_model,
    entry.agent_id as agent_id,
    entry.input_tokens as input_tokens,
    entry.cache_read_tokens as cache_read_tokens,
    entry.cache_write_5m_tokens as cache_write_5m_tokens,
    entry.cache_write_1h_tokens as cache_write_1h_tokens,
    entry.output_tokens as output_tokens,
    entry.reasoning_tokens as reasoning_tokens,
    entry.cost_usd as cost_usd,
    entry.cost_usd is not null or entry.has_reported_cost and costless.run_no is null as is_cost_complete,
    entry.web_search_requests as web_search_requests,
    entry.has_reported_tokens as has_reported_tokens
from _entries as entry
left join (from _remainders where not has_reported_cost) as costless
    on entry.run_no = costless.run_no and entry.process_place = costless.process_place and entry.model is not distinct from costless.model
union all
select
    remainder.run_no as run_no,
    remainder.process_place as process_place,
    'remainder' as entry,
    null as request_no,
    null as turn_no,
    coalesce(result.occurred_at, times.last_at) as occurred_at,
    remainder.model as model,
    remainder.native_model as native_model,
    null as agent_id,
    remainder.input_tokens as input_tokens,
    remainder.cache_read_tokens as cache_read_tokens,
    remainder.cache_write_5m_tokens as cache_write_5m_tokens,
    remainder.cache_write_1h_tokens as cache_write_1h_tokens,
    remainder.output_tokens as output_tokens,
    remainder.reasoning_tokens as reasoning_tokens,
    remainder.cost_usd as cost_usd,
    remainder.is_cost_complete as is_cost_complete,
    remainder.web_search_requests as web_search_requests,
    process.tokens_from is not null as has_reported_tokens
from _remainders as remainder
join _processes as process using (run_no, process_place)
left join _result_events as result on process.run_no = result.run_no and process.tokens_place = result.place
left join _process_times as times on remainder.run_no = times.run_no and remainder.process_place = times.process_place
