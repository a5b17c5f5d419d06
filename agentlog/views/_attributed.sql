-- grain: one row per model response, orphans included
-- run_no: number of its run
-- place: position within the run
-- message_key: hash of what its blocks share with it
-- agent_key: hash of the agent id
-- is_main_loop: the main loop made it
-- result_place: position of the next terminal record of its source; NULL after the last one. Session files have none; what the session has cost covers all of it
-- process_place: position that stands for its process: of the terminal record that opened it, or of the beginning of a source without one
select
    response.run_no as run_no,
    response.place as place,
    response.message_key as message_key,
    response.agent_key as agent_key,
    response.is_main_loop as is_main_loop,
    coalesce(attribution.result_place, case when response.place < result.place then result.place end, state.place) as result_place,
    coalesce(attribution.opening_place, result.opening_place, state.opening_place, source.stream_no::hugeint << 96) as process_place
from _response_keys as response
join _run_sources as source using (run_no, source_no)
left join (from _results where is_last_of_source) as result
    on response.run_no = result.run_no and response.source_no = result.source_no
left join (
    select
        result.run_no as run_no,
        max(result.place) as place,
        arg_max(result.opening_place, result.place) as opening_place
    from _results as result
    join _run_sources as source using (run_no, source_no)
    where source.is_session
    group by result.run_no
) as state on response.run_no = state.run_no and source.is_session and result.run_no is null
left join _attributions as attribution
    on response.run_no = attribution.run_no and response.place = attribution.place
