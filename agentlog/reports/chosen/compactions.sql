create temp table chosen_compactions as
select
    run.* exclude (happened_at, is_selected, undated),
    compaction.compaction_no as compaction_no,
    compaction.turn_no as turn_no,
    compaction.agent_id as agent_id,
    compaction.trigger as trigger,
    compaction.status as status,
    compaction.tokens_before as tokens_before,
    compaction.tokens_after as tokens_after,
    compaction.refill_tokens as refill_tokens,
    compaction.refill_cost_usd as refill_cost_usd,
    compaction.occurred_at as happened_at,
    is_in_window(compaction.occurred_at, compaction.occurred_at) as is_selected,
    (compaction.occurred_at is null)::integer as undated
from compactions as compaction
join chosen_runs as run using (run_id)
where
    getvariable('selection').model is null
    or (compaction.run_id, compaction.turn_no) in (from chosen_turn_nos)
    or (compaction.run_id, compaction.agent_id) in (from chosen_agent_ids);
