-- grain: one row per `request` event of a response that several runs tell
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- message_key: hash of its message id
-- has_message_id: it has one
-- is_copy: another run made it
-- home_run_no: the run that made it
-- home_source_no: number of the source within that run
-- home_place: position of its first event there
-- The same response = the same message id with the same input and cache figures; where those are all zero or unknown, with the same record id.
-- The main loop's goes before a subagent's, then the earliest, then the one without a copy mark, then the smallest path.
with told as (
    select
        run_no as run_no,
        source_no as source_no,
        place as place,
        hash(message_id) as message_key,
        message_id is not null as has_message_id,
        case
            when message_id is not null and greatest(input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens) > 0
            then hash(
                message_id, coalesce(input_tokens, 0), coalesce(cache_read_tokens, 0),
                coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0)
            )
            when uuid is not null then hash(message_id, uuid)
        end as response_key,
        agent_id is not null as is_subagents,
        occurred_at as occurred_at,
        copy_mark is not null as is_marked,
        source_path as source_path
    from _placed
    where kind = 'request'
),
several as (
    select response_key as response_key
    from told
    where response_key is not null
    group by response_key
    having min(run_no) <> max(run_no)
),
timed as (
    select
        *,
        coalesce(occurred_at, min(occurred_at) over (partition by response_key)) as first_told_at
    from (from told semi join several using (response_key))
),
homed as (
    select
        *,
        first(run_no) over ranked as home_run_no,
        first(source_no) over ranked as home_source_no,
        first(place) over ranked as home_place
    from timed
    window ranked as (
        partition by response_key
        order by is_subagents, first_told_at nulls last, is_marked, source_path, place
        rows between unbounded preceding and unbounded following
    )
)
select
    run_no as run_no,
    place as place,
    message_key as message_key,
    has_message_id as has_message_id,
    run_no <> home_run_no as is_copy,
    home_run_no as home_run_no,
    home_source_no as home_source_no,
    home_place as home_place
from homed
