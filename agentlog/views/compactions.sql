-- grain: one row per compaction
-- run_id: the run
-- compaction_no: 1-based number within the run
-- turn_no: the latest turn before it; NULL before the first, and for subagents
-- occurred_at: when it happened
-- agent_id: the subagent; NULL is the main loop
-- trigger: what set it off: `auto`, `manual`, …
-- status: `completed`; `failed` and `micro` are in no count
-- tokens_before: context before
-- tokens_after: context after
-- refill_tokens: uncached part of the prompt of the agent's first request after a completed one: input and cache writes
-- refill_cost_usd: its cost
select
    run.run_id as run_id,
    compaction.compaction_no as compaction_no,
    compaction.turn_no as turn_no,
    compaction.occurred_at as occurred_at,
    compaction.agent_id as agent_id,
    compaction.trigger as trigger,
    compaction.status as status,
    compaction.tokens_before as tokens_before,
    compaction.tokens_after as tokens_after,
    try_cast(compaction.refill_tokens as bigint) as refill_tokens,
    null::double as refill_cost_usd
from _compactions as compaction
join _run_sources as run on compaction.run_no = run.run_no and run.source_no = 1
