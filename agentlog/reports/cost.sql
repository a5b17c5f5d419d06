-- What was spent, by model or by what --by says.
--
-- The figures are sums over the ledger, so they add up to what the harnesses reported wherever they reported something. Where a part has no cost,
-- cost_usd leaves it out and is_cost_complete is false.
-- example: agentlog cost --by day,model --since 7d
-- by: model, native_model, project, harness, harness_version, run_id, name, session_id, agent_id, turn_no, entry, outcome, git_branch, cost_basis, hour, day, week, month
-- default by: model
-- sort: -cost_usd
-- undated: ledger entries
-- reads: usage
create temp view candidates as from chosen_usage;

select
    columns(getvariable('sel_by')),
    fsum(cost_usd) as cost_usd,
    fsum(cost_usd) / nullif(fsum(fsum(cost_usd)) over (), 0) as cost_share,
    count(distinct run_id) as runs,
    count(*) filter (entry = 'request') as requests,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_tokens) as cache_write_tokens,
    sum(output_tokens) as output_tokens,
    bool_and(is_cost_complete) as is_cost_complete
from selected
group by all
order by all;
