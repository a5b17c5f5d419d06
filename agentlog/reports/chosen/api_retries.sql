create temp table chosen_api_retries as
select
    run.* exclude (happened_at, is_selected, undated),
    retry.agent_id as agent_id,
    retry.error_status as error_status,
    retry.error_type as error_type,
    retry.delay_ms as delay_ms,
    retry.retry_no = min(retry.retry_no) over (partition by retry.run_id, retry.agent_id, retry.episode_no) as is_episode_start,
    retry.occurred_at as happened_at,
    is_in_window(retry.occurred_at, retry.occurred_at) as is_selected,
    (retry.occurred_at is null)::integer as undated
from api_retries as retry
join chosen_runs as run using (run_id)
where
    getvariable('selection').model is null
    or (retry.run_id, retry.turn_no) in (from chosen_turn_nos)
    or (retry.run_id, retry.agent_id) in (from chosen_agent_ids);
