-- grain: one row per process whose tokens are reported by its results' usage only
-- kept: yes
-- run_no: number of its run
-- process_place: position that stands for it
select
    run_no as run_no,
    process_place as process_place
from _processes
where tokens_from = 'usage'
