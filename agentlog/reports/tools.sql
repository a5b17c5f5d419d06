-- Tool calls: failures, refusals, retries, durations.
--
-- A rejected call (by a person, a rule or a hook) is no error; a pending one has no result. A retry is the same call again after it failed; a blind
-- one came with no other call in between. result_chars is the length of what the tools returned.
-- example: agentlog tools --by tool_name,project --sort -errors
-- by: tool_name, tool_kind, mcp_server, status, run_id, name, session_id, project, harness, harness_version, outcome, git_branch, agent_id, turn_no, hour, day, week, month
-- default by: tool_name
-- sort: -calls
-- undated: tool calls
-- reads: tool_calls
create temp view candidates as from chosen_tool_calls;

select
    columns(getvariable('sel_by')),
    count(*) as calls,
    count(*) filter (status = 'error') as errors,
    count(*) filter (status = 'error') / count(*) as error_share,
    count(*) filter (status = 'rejected') as rejections,
    count(*) filter (status = 'pending') as pending,
    count(*) filter (is_retry) as retries,
    count(*) filter (is_blind_retry) as blind_retries,
    median(duration_ms) as median_duration_ms,
    quantile_cont(duration_ms, 0.95) as p95_duration_ms,
    sum(result_chars) as result_chars,
    count(distinct run_id) as runs
from selected
group by all
order by all;
