-- Subagents: how many, what they did, what they cost.
--
-- Their requests, tokens and cost are part of their runs' totals.
-- example: agentlog subagents --by project,subagent_type
-- by: subagent_type, status, model, agent_id, tool_call_id, run_id, name, session_id, project, harness, harness_version, outcome, git_branch, hour, day, week, month
-- default by: subagent_type
-- sort: -subagents
-- undated: subagents
-- reads: subagents
create temp view candidates as from chosen_subagents;

select
    columns(getvariable('sel_by')),
    count(distinct run_id) as runs,
    count(*) as subagents,
    count(*) filter (status = 'completed') as completed,
    sum(turns) as turns,
    sum(tool_calls) as tool_calls,
    sum(input_tokens) as input_tokens,
    sum(cache_read_tokens) as cache_read_tokens,
    sum(cache_write_tokens) as cache_write_tokens,
    sum(output_tokens) as output_tokens,
    sum(total_tokens) as total_tokens,
    fsum(cost_usd) as cost_usd,
    median(duration_ms) as median_duration_ms
from selected
group by all
order by all;
