-- grain: one row per event of a record that others repeat, where something follows from that
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- is_copy: it counts elsewhere
-- occurred_at: a time that only a copy of it has
-- home_run_no: of a copied request: the run in which it counts
-- home_source_no: number of the source within that run
-- home_place: position in that run, right behind the original
-- A record is a copy when id and content agree with another's, and so are the blocks of a copied response and the results of its calls, whose ids may be new.
with response as (
    select
        run_no as run_no,
        message_key as message_key,
        bool_and(is_copy) as is_copy
    from _request_copies
    where has_message_id
    group by run_no, message_key
),
call as (
    select
        event.run_no as run_no,
        hash(event.tool_call_id) as call_key,
        bool_and(response.is_copy) as is_copy
    from (from _placed where kind = 'tool_call' and tool_call_id is not null and message_id is not null) as event
    join response on event.run_no = response.run_no and hash(event.message_id) = response.message_key
    group by event.run_no, hash(event.tool_call_id)
),
suspect as (
    select
        event.run_no as run_no,
        event.place as place,
        coalesce(response.message_key, call.call_key, uuid.uuid_key) as origin_key,
        hash(event.kind, event.text, event.tool_call_id, event.tool_input_hash, event.is_error, event.subtype, event.reported_cost_usd) as content_key,
        event.source_path as source_path,
        event.line_no as line_no,
        event.agent_id is not null as is_subagents,
        event.occurred_at as occurred_at,
        event.copy_mark is not null as is_marked,
        response.message_key is null and call.call_key is null as is_by_id,
        coalesce(response.is_copy, call.is_copy, false) as is_of_copy
    from (from _placed where kind not in ('request', 'session')) as event
    left join _repeated_uuids as uuid on hash(event.uuid) = uuid.uuid_key
    left join response
        on event.run_no = response.run_no and event.message_id is not null and hash(event.message_id) = response.message_key
    left join call
        on event.run_no = call.run_no and event.kind = 'tool_result' and hash(event.tool_call_id) = call.call_key
    where uuid.uuid_key is not null or response.message_key is not null or call.call_key is not null
),
numbered as (
    select
        *,
        row_number() over (partition by run_no, source_path, case when is_by_id then line_no end, origin_key, content_key order by place) as nth
    from suspect
),
timed as (
    select
        *,
        coalesce(occurred_at, min(occurred_at) over (partition by origin_key, content_key, nth)) as first_told_at
    from numbered
),
ranked as (
    select
        *,
        row_number() over (
            partition by origin_key, content_key, nth order by is_of_copy, is_subagents, first_told_at nulls last, is_marked, source_path, place
        ) > 1 as is_copy
    from timed
)
select
    run_no as run_no,
    place as place,
    is_copy as is_copy,
    first_told_at as occurred_at,
    null::integer as home_run_no,
    null::integer as home_source_no,
    null::hugeint as home_place
from ranked
where is_copy or occurred_at is null and first_told_at is not null
union all
select
    run_no as run_no,
    place as place,
    true as is_copy,
    null as occurred_at,
    home_run_no as home_run_no,
    home_source_no as home_source_no,
    home_place + (1::hugeint << 31) + row_number() over (partition by home_run_no, home_place order by run_no, place) as home_place
from _request_copies
where is_copy
