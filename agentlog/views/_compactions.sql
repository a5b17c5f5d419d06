-- grain: one row per compaction
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- compaction_no: 1-based number within the run
-- turn_no: the latest turn before it; NULL before the first, and for subagents
-- next_place: position of the agent's first request after it, where it is completed
-- refill_tokens: input and cache writes of that request
-- agent_id: the subagent; NULL is the main loop
-- occurred_at: when it happened
-- trigger: what set it off
-- status: completed, failed or micro
-- tokens_before: context before
-- tokens_after: context after
with compaction as (
    select
        run_no as run_no,
        place as place,
        agent_key as agent_key,
        agent_id as agent_id,
        row_number() over (partition by run_no order by place) as compaction_no,
        occurred_at as occurred_at,
        trigger as trigger,
        status as status,
        tokens_before as tokens_before,
        tokens_after as tokens_after
    from _ordered
    where kind = 'compaction'
),
request as (
    select
        run_no as run_no,
        place as place,
        turn_no as turn_no,
        agent_key as agent_key
    from (from _counted semi join compaction using (run_no))
),
neighbours as (
    select
        compaction.run_no as run_no,
        compaction.place as place,
        before.turn_no as turn_no,
        case when compaction.status = 'completed' then after.place end as next_place
    from compaction
    asof left join request as before
        on compaction.run_no = before.run_no and compaction.agent_key = before.agent_key and compaction.place > before.place
    asof left join request as after
        on compaction.run_no = after.run_no and compaction.agent_key = after.agent_key and compaction.place < after.place
),
refill as (
    select
        response.run_no as run_no,
        response.place as next_place,
        case
            when coalesce(response.input_tokens, response.cache_write_5m_tokens, response.cache_write_1h_tokens) is not null
            then coalesce(response.input_tokens, 0) + coalesce(response.cache_write_5m_tokens, 0) + coalesce(response.cache_write_1h_tokens, 0)
        end as refill_tokens
    from _responses as response
    semi join neighbours on response.run_no = neighbours.run_no and response.place = neighbours.next_place
)
select
    compaction.run_no as run_no,
    compaction.place as place,
    compaction.compaction_no as compaction_no,
    neighbours.turn_no as turn_no,
    neighbours.next_place as next_place,
    refill.refill_tokens as refill_tokens,
    compaction.agent_id as agent_id,
    compaction.occurred_at as occurred_at,
    compaction.trigger as trigger,
    compaction.status as status,
    compaction.tokens_before as tokens_before,
    compaction.tokens_after as tokens_after
from compaction
join neighbours using (run_no, place)
left join refill on compaction.run_no = refill.run_no and neighbours.next_place = refill.next_place
