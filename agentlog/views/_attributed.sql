-- grain: one row per model response, orphans included
-- run_no: number of its run
-- place: position within the run
-- message_key: hash of what its blocks share with it
-- agent_key: hash of the agent id
-- is_main_loop: the main loop made it
-- result_place: position of the next terminal record of its source; NULL after the last one
-- process_place: position that stands for its process: of the terminal record that opened it, or of the beginning of a source without one
select
    response.run_no as run_no,
    response.place as place,
    response.message_key as message_key,
    response.agent_key as agent_key,
    response.is_main_loop as is_main_loop,
    coalesce(attribution.result_place, case when response.place < result.place then result.place end) as result_place,
    coalesce(attribution.opening_place, result.opening_place, response.source_no::hugeint << 96) as process_place
from _response_keys as response
left join (from _results where is_last_of_source) as result
    on response.run_no = result.run_no and response.source_no = result.source_no
left join _attributions as attribution
    on response.run_no = attribution.run_no and response.place = attribution.place
