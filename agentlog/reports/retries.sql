-- API retries: requests that had to be sent again.
--
-- Every retry is an attempt; an episode begins when the attempts count anew. retry_share = attempts / (requests + attempts). An error belongs to
-- attempts only, so by error the requests are all that were selected. Calls that the agent repeated are in `agentlog tools`.
-- example: agentlog retries --by project,day
-- by: error_status, error_type, run_id, name, session_id, project, harness, harness_version, outcome, git_branch, agent_id, hour, day, week, month
-- default by: error_status, error_type
-- sort: -attempts
-- undated: requests and attempts
-- reads: api_retries, requests
create temp view candidates as
select
    *,
    true as is_attempt
from chosen_api_retries
union all by name
select
    *,
    false as is_attempt
from chosen_requests;

with counted as (
    select
        columns(getvariable('sel_by')),
        count(distinct run_id) filter (is_attempt) as runs,
        count(*) filter (is_attempt) as attempts,
        count(*) filter (is_episode_start) as episodes,
        if(
            list_has_any(getvariable('sel_by'), ['error_status', 'error_type']),
            sum(count(*) filter (not is_attempt)) over (),
            count(*) filter (not is_attempt)
        ) as requests,
        fsum(delay_ms) as delay_ms
    from selected
    group by all
)
select
    columns(getvariable('sel_by')),
    runs,
    attempts,
    episodes,
    requests,
    attempts / nullif(attempts + requests, 0) as retry_share,
    delay_ms
from counted
where attempts > 0 or not list_has_any(getvariable('sel_by'), ['error_status', 'error_type'])
order by all;
