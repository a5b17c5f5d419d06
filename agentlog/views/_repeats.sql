-- grain: one row per `request` event whose message id has several in its run (a late line, a second source, a gateway that repeats ids)
-- kept: yes
-- run_no: number of its run
-- source_no: number of its source within the run
-- message_key: hash of its message id
-- place: position within the run
-- response_place: position of the first event of the same response
-- One response = one message id with input and cache figures that agree where both are given. Sorted by figures, those that agree are neighbours.
with repeated as (
    select
        run_no as run_no,
        message_key as message_key
    from _request_keys
    where has_message_id
    group by run_no, message_key
    having count(*) > 1
),
figures as (
    select
        run_no as run_no,
        source_no as source_no,
        message_key as message_key,
        place as place,
        coalesce(input_tokens, 0) as input,
        coalesce(cache_read_tokens, 0) as cache_read,
        coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0) as cache_write
    from (from _request_events semi join repeated using (run_no, message_key))
    where message_id is not null
),
compared as (
    select
        run_no as run_no,
        source_no as source_no,
        message_key as message_key,
        place as place,
        input as input,
        cache_read as cache_read,
        cache_write as cache_write,
        (input <> 0 and lag(input) over same_id not in (0, input))
        or (cache_read <> 0 and lag(cache_read) over same_id not in (0, cache_read))
        or (cache_write <> 0 and lag(cache_write) over same_id not in (0, cache_write)) as is_another
    from figures
    window same_id as (partition by run_no, message_key order by input, cache_read, cache_write, place)
),
numbered as (
    select
        run_no as run_no,
        source_no as source_no,
        message_key as message_key,
        place as place,
        count(*) filter (where is_another) over (partition by run_no, message_key order by input, cache_read, cache_write, place) as response_no
    from compared
)
select
    run_no as run_no,
    source_no as source_no,
    message_key as message_key,
    place as place,
    min(place) over (partition by run_no, message_key, response_no) as response_place
from numbered
