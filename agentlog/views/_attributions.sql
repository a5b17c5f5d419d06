-- grain: one row per response of a source with several terminal records, up to the last of them
-- kept: where _several_results has rows
-- run_no: number of its run
-- place: position within the run
-- result_place: position of the next terminal record of its source
-- opening_place: position of the terminal record that opened its process
select
    response.run_no as run_no,
    response.place as place,
    result.place as result_place,
    result.opening_place as opening_place
from (
    select
        run_no as run_no,
        source_no as source_no,
        place as place
    from _response_keys
    semi join (from _results where not is_last_of_source) using (run_no, source_no)
) as response
asof join _results as result
    on response.run_no = result.run_no and response.source_no = result.source_no and response.place < result.place
