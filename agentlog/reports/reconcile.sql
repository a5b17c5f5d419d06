-- What was reported against what the tokens come to.
--
-- One row a run, with the likely reason of a gap. gap_usd = reported − computed, empty where one of them is unknown. --since and --until go by the
-- run.
-- example: agentlog reconcile --sort -gap_usd
-- by: likely_reason, run_id, name, session_id, project, harness, harness_version, outcome, git_branch, hour, day, week, month
-- key: run_id
-- undated: runs
-- reads: reconciliation
create temp view candidates as from chosen_reconciliation;

select
    run_id,
    name,
    reported_cost_usd,
    computed_cost_usd,
    gap_usd,
    gap_share,
    reported_total_tokens,
    folded_total_tokens,
    likely_reason
from selected
order by happened_at nulls last, run_id;

select
    columns(getvariable('sel_by')),
    count(*) as runs,
    fsum(reported_cost_usd) as reported_cost_usd,
    fsum(computed_cost_usd) as computed_cost_usd,
    fsum(gap_usd) as gap_usd,
    sum(reported_total_tokens) as reported_total_tokens,
    sum(folded_total_tokens) as folded_total_tokens
from selected
group by all
order by all;
