-- grain: one row per response whose context is that of the last of several messages
-- kept: yes
-- run_no: number of its run
-- place: position of the response within the run
-- context_tokens: size of its context
select
    run_no as run_no,
    place as place,
    arg_max(context_tokens, iteration_no) as context_tokens
from _iterations
where entry = 'message'
group by run_no, place
