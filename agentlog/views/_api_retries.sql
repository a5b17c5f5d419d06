-- grain: one row per attempt to send a request again
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- retry_no: 1-based number within the run
-- episode_no: 1-based number of its episode within the run; one begins where the attempt counter of an agent restarts
-- attempt: number of the attempt within its episode, as the harness counts
-- max_attempts: attempts allowed
-- delay_ms: wait before the attempt
-- error_status: HTTP status of the error
-- error_type: category of the error
-- occurred_at: when it happened
-- turn_no: the turn that it led to; NULL where none followed, and for subagents
-- agent_id: the subagent; NULL is the main loop
with attempt as (
    select
        run_no as run_no,
        place as place,
        agent_key as agent_key,
        agent_id as agent_id,
        attempt as attempt,
        max_attempts as max_attempts,
        delay_ms as delay_ms,
        error_status as error_status,
        error_type as error_type,
        occurred_at as occurred_at,
        coalesce(
            attempt <= last_value(attempt ignore nulls) over (
                partition by run_no, agent_key order by place rows between unbounded preceding and 1 preceding
            ),
            row_number() over (partition by run_no, agent_key order by place) = 1
        ) as is_first
    from _ordered
    where kind = 'api_retry'
),
agents_own as (
    select
        run_no as run_no,
        place as place,
        max(case when is_first then place end) over (partition by run_no, agent_key order by place) as episode_place
    from attempt
),
numbered as (
    select
        run_no as run_no,
        place as place,
        row_number() over (partition by run_no order by place) as retry_no,
        dense_rank() over (partition by run_no order by episode_place) as episode_no
    from agents_own
)
select
    attempt.run_no as run_no,
    attempt.place as place,
    numbered.retry_no as retry_no,
    numbered.episode_no as episode_no,
    attempt.attempt as attempt,
    attempt.max_attempts as max_attempts,
    attempt.delay_ms as delay_ms,
    attempt.error_status as error_status,
    attempt.error_type as error_type,
    attempt.occurred_at as occurred_at,
    case when attempt.agent_id is null then turn.turn_no end as turn_no,
    attempt.agent_id as agent_id
from attempt
join numbered using (run_no, place)
asof left join (from (from _counted semi join attempt using (run_no)) where turn_no is not null) as turn
    on attempt.run_no = turn.run_no and attempt.place < turn.place
