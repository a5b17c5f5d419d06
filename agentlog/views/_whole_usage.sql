-- grain: one row per process whose results' usage holds its main-loop responses that came whole, too
-- kept: where _usage_only has rows
-- run_no: number of its run
-- process_place: position that stands for it
-- Newer versions leave them out of it (they are fallbacks after a broken stream), old ones send every response whole. What the usage lies nearer to tells.
with covered as (
    select
        counted.run_no as run_no,
        counted.process_place as process_place,
        sum(
            coalesce(response.input_tokens, 0) + coalesce(response.cache_read_tokens, 0) + coalesce(response.cache_write_5m_tokens, 0)
            + coalesce(response.cache_write_1h_tokens, 0)
        ) as prompt_tokens,
        coalesce(
            sum(
                coalesce(response.input_tokens, 0) + coalesce(response.cache_read_tokens, 0) + coalesce(response.cache_write_5m_tokens, 0)
                + coalesce(response.cache_write_1h_tokens, 0)
            ) filter (where response.is_streamed),
            0
        ) as streamed_prompt_tokens
    from (from _counted semi join _usage_only using (run_no, process_place)) as counted
    join _responses as response using (run_no, place)
    where counted.has_reported_tokens and response.agent_id is null
    group by counted.run_no, counted.process_place
),
reported as (
    select
        result.run_no as run_no,
        result.opening_place as process_place,
        sum(
            coalesce(event.input_tokens, 0) + coalesce(event.cache_read_tokens, 0) + coalesce(event.cache_write_5m_tokens, 0)
            + coalesce(event.cache_write_1h_tokens, 0)
        ) as prompt_tokens
    from _results as result
    join _result_events as event using (run_no, place)
    group by result.run_no, result.opening_place
)
select
    covered.run_no as run_no,
    covered.process_place as process_place
from covered
join reported using (run_no, process_place)
where abs(reported.prompt_tokens - covered.prompt_tokens) < abs(reported.prompt_tokens - covered.streamed_prompt_tokens)
