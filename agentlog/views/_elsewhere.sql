-- grain: one row per response that another run counts, though the totals that this run's process reports hold it
-- kept: where _request_copies has rows
-- run_no: number of this run
-- process_place: position that stands for its process
-- model: canonical model name
-- native_model: the model name as written
-- is_streamed_turn: a streamed response of the main loop: what a result's own usage counts
-- input_tokens: uncached input
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: input written to the 5-minute cache
-- cache_write_1h_tokens: input written to the 1-hour cache
-- output_tokens: output
-- reasoning_tokens: reasoning, a part of the output
select
    event.run_no as run_no,
    result.opening_place as process_place,
    min(event.model) as model,
    min(event.native_model) as native_model,
    bool_and(event.agent_id is null and coalesce(event.is_streamed, true)) as is_streamed_turn,
    max(event.input_tokens)::hugeint as input_tokens,
    max(event.cache_read_tokens)::hugeint as cache_read_tokens,
    max(event.cache_write_5m_tokens)::hugeint as cache_write_5m_tokens,
    max(event.cache_write_1h_tokens)::hugeint as cache_write_1h_tokens,
    max(event.output_tokens)::hugeint as output_tokens,
    max(event.reasoning_tokens)::hugeint as reasoning_tokens
from _placed as event
join (from _request_copies where is_copy) as copy using (run_no, place)
asof join _results as result on event.run_no = result.run_no and event.source_no = result.source_no and event.place < result.place
group by event.run_no, result.opening_place, copy.home_run_no, copy.home_place
