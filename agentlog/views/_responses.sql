-- grain: one row per `request` event
-- run_id: the run
-- source_path: the source
-- place: position of the event within the run
-- message_key: its message id, or its line where it has none: what the blocks of the response share with it
-- folded_place: place of the first event of the same response: the response's own
-- is_repeated: the response has several `request` events (a late line, a second source)
-- One response = one message id with figures that agree wherever both are given. In the order of their figures, those that agree are neighbours.
with response as (
    select
        run_id as run_id,
        source_path as source_path,
        place as place,
        coalesce(message_id, 'line ' || line_no) as message_key,
        coalesce(message_id, concat_ws(' ', source_path, line_no, part_no)) as response_key,
        coalesce(input_tokens, 0) as input,
        coalesce(cache_read_tokens, 0) as cache_read,
        coalesce(cache_write_5m_tokens, 0) + coalesce(cache_write_1h_tokens, 0) as cache_write
    from _ordered
    where kind = 'request'
),
repeated as (
    select
        run_id as run_id,
        response_key as response_key
    from response
    group by run_id, response_key
    having count(*) > 1
),
compared as (
    select
        response.*,
        (input <> 0 and lag(input) over same_id not in (0, input))
        or (cache_read <> 0 and lag(cache_read) over same_id not in (0, cache_read))
        or (cache_write <> 0 and lag(cache_write) over same_id not in (0, cache_write)) as is_other
    from response
    semi join repeated using (run_id, response_key)
    window same_id as (partition by run_id, response_key order by input, cache_read, cache_write, place)
),
numbered as (
    select
        compared.*,
        count(*) filter (where is_other) over (partition by run_id, response_key order by input, cache_read, cache_write, place) as response_no
    from compared
)
select
    run_id as run_id,
    source_path as source_path,
    place as place,
    message_key as message_key,
    place as folded_place,
    false as is_repeated
from response
anti join repeated using (run_id, response_key)
union all
select
    run_id as run_id,
    source_path as source_path,
    place as place,
    message_key as message_key,
    min(place) over (partition by run_id, response_key, response_no) as folded_place,
    true as is_repeated
from numbered
