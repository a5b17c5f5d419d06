-- grain: one row per tool call that repeats a failed one
-- kept: yes
-- run_no: number of its run
-- place: position within the run
-- retried_place: position of the failed call: same agent, tool and input, the latest such call
-- is_blind: no other call of that agent came between
with failed as (
    select distinct
        run_no as run_no,
        agent_key as agent_key,
        input_key as input_key
    from _calls
    where status = 'error' and input_key is not null
),
same as (
    select
        run_no as run_no,
        agent_key as agent_key,
        place as place,
        lag(place) over earlier as earlier_place,
        lag(status) over earlier as earlier_status,
        lag(coalesce(result_place, place)) over earlier as earlier_result_place
    from (from _calls semi join failed using (run_no, agent_key, input_key))
    window earlier as (partition by run_no, agent_key, input_key order by place)
),
retry as (
    select
        run_no as run_no,
        agent_key as agent_key,
        place as place,
        earlier_place as retried_place
    from same
    where earlier_status = 'error' and earlier_result_place < place
),
previous as (
    select
        run_no as run_no,
        place as place,
        lag(place) over (partition by run_no, agent_key order by place) as previous_place
    from (from _calls semi join retry using (run_no, agent_key))
)
select
    retry.run_no as run_no,
    retry.place as place,
    retry.retried_place as retried_place,
    retry.retried_place = previous.previous_place as is_blind
from retry
join previous using (run_no, place)
