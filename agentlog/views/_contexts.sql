-- grain: one row per response
-- run_no: number of its run
-- place: position within the run
-- context_tokens: input, cache reads and cache writes of the response; with iterations, of the last message among them
with iteration as (
    select
        run_no as run_no,
        place as place,
        unnest(usage_parts) as part,
        generate_subscripts(usage_parts, 1) as part_no
    from _responses
    where usage_parts is not null
),
last_message as (
    select
        run_no as run_no,
        place as place,
        arg_max(part, part_no) as part
    from iteration
    where part.entry = 'message'
    group by run_no, place
)
select
    response.run_no as run_no,
    response.place as place,
    case
        when message.part is not null
        then coalesce(message.part.input_tokens, 0)::hugeint + coalesce(message.part.cache_read_tokens, 0)
            + coalesce(message.part.cache_write_5m_tokens, 0) + coalesce(message.part.cache_write_1h_tokens, 0)
        when coalesce(response.input_tokens, response.cache_read_tokens, response.cache_write_5m_tokens, response.cache_write_1h_tokens) is not null
        then coalesce(response.input_tokens, 0) + coalesce(response.cache_read_tokens, 0) + coalesce(response.cache_write_5m_tokens, 0)
            + coalesce(response.cache_write_1h_tokens, 0)
    end as context_tokens
from _responses as response
left join last_message as message using (run_no, place)
