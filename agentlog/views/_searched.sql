-- grain: one row per run in which responses left over from an aborted stream can matter
-- kept: yes
-- run_no: the run
-- It has several terminal records, or its responses used more of a model than is reported.
with nested as (
    select
        iteration.run_no as run_no,
        coalesce(iteration.model, event.model) as model,
        iteration.input_tokens as input_tokens,
        iteration.cache_read_tokens as cache_read_tokens,
        iteration.cache_write_5m_tokens as cache_write_5m_tokens,
        iteration.cache_write_1h_tokens as cache_write_1h_tokens
    from (from _iterations where entry <> 'message') as iteration
    join _request_events as event using (run_no, place)
),
entry as (
    select
        run_no as run_no,
        model as model,
        input_tokens as input_tokens,
        cache_read_tokens as cache_read_tokens,
        cache_write_5m_tokens as cache_write_5m_tokens,
        cache_write_1h_tokens as cache_write_1h_tokens
    from _request_events
    union all
    from nested
),
used as (
    select
        run_no as run_no,
        model as model,
        sum(input_tokens) as input,
        sum(cache_read_tokens) as cache_read,
        sum(coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0)) as cache_write
    from entry
    group by run_no, model
),
reported as (
    select
        run_no as run_no,
        model as model,
        max(input_tokens) as input,
        max(cache_read_tokens) as cache_read,
        max(coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0)) as cache_write
    from _reported
    group by run_no, model
)
select
    run_no as run_no
from _several_results
union
select
    used.run_no as run_no
from (from used semi join _result_events using (run_no)) as used
left join reported on used.run_no = reported.run_no and used.model is not distinct from reported.model
where used.input > coalesce(reported.input, 0)
or used.cache_read > coalesce(reported.cache_read, 0)
or used.cache_write > coalesce(reported.cache_write, 0)
