-- grain: one row per subagent
-- kept: where _subagent_keys has rows
-- run_no: number of its run
-- agent_id: the id under which its events stand
-- tool_call_id: the call that started it; NULL where none is seen
-- subagent_type: its type
-- description: the task it was given, in the harness's short form
-- model: model it was asked to use, else that of its first request
-- status: its end as the harness says; else `completed`, `failed` or `rejected` by the result of its call; else `running`
-- started_at: when it started
-- ended_at: when it ended
-- duration_ms: as the harness states
-- turns: its own requests
-- tool_calls: its own tool calls
-- input_tokens: uncached input, of its own requests; NULL where none is seen
-- cache_read_tokens: input read from the cache
-- cache_write_5m_tokens: of it, to the 5-minute cache
-- cache_write_1h_tokens: of it, to the 1-hour cache
-- output_tokens: output, reasoning included
-- reasoning_tokens: of it, reasoning
-- cost_usd: cost of its own requests
-- reported_total_tokens: a total its harness states
-- reported_tool_calls: tool calls its harness states
with task as (
    select
        run_no as run_no,
        coalesce(case when tool_call_id is not null then hash(tool_call_id) end, agent_key) as task_key,
        arg_min(coalesce(agent_id, tool_call_id), place) as agent_id,
        arg_min(tool_call_id, place) as tool_call_id,
        arg_min(subagent_type, place) as subagent_type,
        arg_min(description, place) as description,
        arg_min(model, place) filter (where kind = 'subagent_start') as model,
        arg_min(occurred_at, place) filter (where kind = 'subagent_start') as started_at,
        arg_max(occurred_at, place) filter (where kind = 'subagent_end') as ended_at,
        arg_max(status, place) filter (where kind = 'subagent_end') as status,
        arg_max(duration_ms, place) filter (where kind = 'subagent_end') as duration_ms,
        max(total_tokens) as total_tokens,
        max(tool_uses) as tool_uses
    from _ordered
    where kind in ('subagent_start', 'subagent_end')
    group by run_no, coalesce(case when tool_call_id is not null then hash(tool_call_id) end, agent_key)
),
call as (
    select
        call.run_no as run_no,
        call.place as call_place,
        event.tool_call_id as tool_call_id,
        call.status as status,
        event.occurred_at as started_at,
        answer.occurred_at as ended_at
    from _calls as call
    join (from _ordered where kind = 'tool_call' and tool_kind = 'agent') as event using (run_no, place)
    left join (from _ordered where kind = 'tool_result') as answer on call.run_no = answer.run_no and call.result_place = answer.place
    where call.is_agent_call
),
request as (
    select
        run_no as run_no,
        hash(agent_id) as agent_key,
        agent_id as agent_id,
        arg_min(model, place) filter (where nested_no = 0) as model,
        min(started_at) as started_at,
        count(*) filter (where nested_no = 0) as turns,
        sum(input_tokens) as input_tokens,
        sum(cache_read_tokens) as cache_read_tokens,
        sum(cache_write_5m_tokens) as cache_write_5m_tokens,
        sum(cache_write_1h_tokens) as cache_write_1h_tokens,
        sum(output_tokens) as output_tokens,
        sum(reasoning_tokens) as reasoning_tokens,
        sum(cost_usd) as cost_usd
    from _entries
    where agent_id is not null
    group by run_no, agent_id
),
agents_call as (
    select
        call.run_no as run_no,
        call.agent_key as agent_key,
        any_value(event.agent_id) as agent_id,
        count(*) as tool_calls
    from (from _calls where agent_key <> hash(null::varchar)) as call
    join (from _ordered where kind = 'tool_call') as event using (run_no, place)
    group by call.run_no, call.agent_key
)
select
    subagent.run_no as run_no,
    coalesce(request.agent_id, agents_call.agent_id, task.agent_id, call.tool_call_id) as agent_id,
    coalesce(call.tool_call_id, task.tool_call_id) as tool_call_id,
    task.subagent_type as subagent_type,
    task.description as description,
    coalesce(task.model, request.model) as model,
    coalesce(
        task.status,
        case call.status when 'ok' then 'completed' when 'error' then 'failed' when 'rejected' then 'rejected' end,
        'running'
    ) as status,
    coalesce(task.started_at, call.started_at, request.started_at) as started_at,
    coalesce(task.ended_at, call.ended_at) as ended_at,
    task.duration_ms as duration_ms,
    coalesce(request.turns, 0) as turns,
    coalesce(agents_call.tool_calls, 0) as tool_calls,
    request.input_tokens as input_tokens,
    request.cache_read_tokens as cache_read_tokens,
    request.cache_write_5m_tokens as cache_write_5m_tokens,
    request.cache_write_1h_tokens as cache_write_1h_tokens,
    request.output_tokens as output_tokens,
    request.reasoning_tokens as reasoning_tokens,
    request.cost_usd as cost_usd,
    task.total_tokens::hugeint as reported_total_tokens,
    task.tool_uses as reported_tool_calls
from _subagent_keys as subagent
left join call using (run_no, call_place)
left join task on subagent.run_no = task.run_no and subagent.task_key = task.task_key
left join request on subagent.run_no = request.run_no and subagent.agent_key = request.agent_key
left join agents_call on subagent.run_no = agents_call.run_no and subagent.agent_key = agents_call.agent_key
