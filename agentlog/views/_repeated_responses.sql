-- grain: one row per tool call of a response whose message id repeats
-- kept: where _repeats has rows
-- run_no: number of its run
-- place: position of the call within the run
-- response_place: position of its response: the latest with that id before it in its source
select
    call.run_no as run_no,
    call.place as place,
    repeat.response_place as response_place
from (from _call_keys semi join _repeats using (run_no, message_key)) as call
asof join _repeats as repeat
    on call.run_no = repeat.run_no and call.source_no = repeat.source_no and call.message_key = repeat.message_key and call.place >= repeat.place
