-- Tokens of every kind, by model or by what --by says.
--
-- Input is uncached input; cache reads and writes are apart. Reasoning is part of the output. total_tokens is input, cache reads, cache writes and
-- output.
-- example: agentlog tokens --by project --since 2026-05
-- by: model, native_model, project, harness, harness_version, run_id, name, session_id, agent_id, turn_no, entry, outcome, git_branch, cost_basis, hour, day, week, month
-- default by: model
-- sort: -total_tokens
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
    sum(output_tokens) as output_tokens,
    sum(reasoning_tokens) as reasoning_tokens,
    sum(total_tokens) as total_tokens
from selected
group by all
order by all;
