-- grain: one row per attempt to send a request again
-- run_id: the run
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
select
    run.run_id as run_id,
    retry.retry_no as retry_no,
    retry.episode_no as episode_no,
    retry.attempt as attempt,
    retry.max_attempts as max_attempts,
    retry.delay_ms as delay_ms,
    retry.error_status as error_status,
    retry.error_type as error_type,
    retry.occurred_at as occurred_at,
    retry.turn_no as turn_no,
    retry.agent_id as agent_id
from _api_retries as retry
join _run_sources as run on retry.run_no = run.run_no and run.source_no = 1
