-- Compactions: when the context was summarised.
--
-- One row each, with the context's size before and after. Those whose status is failed or micro are listed, and in no count. refill_tokens and
-- refill_cost_usd are those of the next request.
-- example: agentlog compactions --by project,trigger
-- by: run_id, name, session_id, project, harness, harness_version, outcome, git_branch, agent_id, trigger, status, hour, day, week, month
-- key: run_id, compaction_no
-- undated: compactions
-- reads: compactions
create temp view candidates as from chosen_compactions;

select
    run_id,
    compaction_no,
    happened_at as occurred_at,
    agent_id,
    turn_no,
    trigger,
    status,
    tokens_before,
    tokens_after,
    refill_tokens,
    refill_cost_usd
from selected
order by min(happened_at) over (partition by run_id) nulls last, run_id, compaction_no;

select
    columns(getvariable('sel_by')),
    count(*) filter (status = 'completed') as compactions,
    count(*) filter (status = 'failed') as failed,
    count(*) filter (status = 'micro') as micro,
    median(tokens_before) filter (status = 'completed') as median_tokens_before,
    median(tokens_after) filter (status = 'completed') as median_tokens_after,
    sum(refill_tokens) as refill_tokens,
    fsum(refill_cost_usd) as refill_cost_usd
from selected
group by all
order by all;
