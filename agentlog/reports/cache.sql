-- How much input came from the cache.
--
-- cache_hit_share = cache reads / (uncached input + cache reads + cache writes), of the sums.
-- example: agentlog cache --by project,model
-- by: model, native_model, project, harness, harness_version, run_id, name, session_id, agent_id, turn_no, entry, outcome, git_branch, cost_basis, hour, day, week, month
-- default by: model
-- sort: -cache_read_tokens
-- undated: ledger entries
-- reads: usage
create temp view candidates as from chosen_usage;

select
    columns(getvariable('sel_by')),
    count(distinct run_id) as runs,
    count(*) filter (entry = 'request') as requests,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_5m_tokens)::bigint as cache_write_5m_tokens,
    sum(cache_write_1h_tokens)::bigint as cache_write_1h_tokens,
    sum(cache_write_tokens) as cache_write_tokens,
    sum(cache_read_tokens) / nullif(sum(coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0)), 0) as cache_hit_share
from selected
group by all
order by all;
