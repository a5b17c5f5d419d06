create temp table chosen_tool_calls as
select
    run.* exclude (happened_at, is_selected, undated),
    call.call_no as call_no,
    call.turn_no as turn_no,
    call.agent_id as agent_id,
    call.tool_name as tool_name,
    call.tool_kind as tool_kind,
    call.mcp_server as mcp_server,
    call.status as status,
    call.duration_ms as duration_ms,
    call.result_chars as result_chars,
    call.retry_of is not null as is_retry,
    call.is_blind_retry as is_blind_retry,
    call.started_at as happened_at,
    is_in_window(call.started_at, call.started_at) as is_selected,
    (call.started_at is null)::integer as undated
from tool_calls as call
join chosen_runs as run using (run_id)
where
    getvariable('selection').model is null
    or (call.run_id, call.turn_no) in (from chosen_turn_nos)
    or (call.run_id, call.agent_id) in (from chosen_agent_ids);
