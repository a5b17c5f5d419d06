-- grain: one row per subagent: one per call of the agent tool, and one per agent id that no call explains
-- kept: yes
-- run_no: number of its run
-- call_place: position of the call; NULL where none is seen
-- agent_key: hash of the id under which its events stand
-- task_key: hash of the id under which its start and end stand
with task as (
    select
        run_no as run_no,
        agent_key as agent_key,
        case when tool_call_id is not null then hash(tool_call_id) end as call_key,
        coalesce(agent_id, tool_call_id) is not null as has_key,
        agent_id is not null as has_agent_id
    from _ordered
    where kind in ('subagent_start', 'subagent_end')
),
call as (
    select
        run_no as run_no,
        place as place,
        agent_key as caller_key,
        call_key as call_key,
        nth as nth
    from _calls
    where is_agent_call
),
named as (
    select distinct
        call.run_no as run_no,
        call.call_key as call_key,
        task.agent_key as agent_key
    from call
    join task on call.run_no = task.run_no and call.call_key = task.call_key
    where task.has_agent_id and task.agent_key <> call.caller_key
),
active as (
    select
        run_no as run_no,
        agent_key as agent_key
    from _request_keys
    where not is_main_loop
    union
    select
        run_no as run_no,
        agent_key as agent_key
    from _calls
    where agent_key <> hash(null::varchar)
),
of_call as (
    select
        call.run_no as run_no,
        call.place as call_place,
        case
            when call.nth = 1
            then coalesce(
                min(itself.agent_key), min(active.agent_key), min(named.agent_key) filter (where named.agent_key <> call.call_key), call.call_key
            )
        end as agent_key,
        case when call.nth = 1 then call.call_key end as task_key
    from call
    left join named using (run_no, call_key)
    left join active on named.run_no = active.run_no and named.agent_key = active.agent_key
    left join active as itself on call.run_no = itself.run_no and call.call_key = itself.agent_key
    group by call.run_no, call.place, call.call_key, call.nth
),
seen as (
    select
        run_no as run_no,
        agent_key as agent_key
    from active
    union
    select
        task.run_no as run_no,
        coalesce(task.call_key, task.agent_key) as agent_key
    from (from task anti join (from _call_keys where is_agent_call) using (run_no, call_key)) as task
    where task.has_key
)
select
    run_no as run_no,
    call_place as call_place,
    agent_key as agent_key,
    task_key as task_key
from of_call
union all
select
    run_no as run_no,
    null as call_place,
    agent_key as agent_key,
    agent_key as task_key
from seen
anti join of_call using (run_no, agent_key)
anti join named using (run_no, agent_key)
anti join (select run_no, task_key as agent_key from of_call) using (run_no, agent_key)
