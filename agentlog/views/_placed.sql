-- grain: one row per stored event
-- *: the stored columns
-- run_no: number of its run
-- source_no: number of its source within the run
-- place: position within the run as one number: source, line, part
-- agent_key: hash of its agent id; the main loop has one too
select
    event.*,
    source.run_no as run_no,
    source.source_no as source_no,
    (source.source_no::hugeint << 96) + (event.line_no::hugeint << 32) + event.part_no as place,
    hash(event.agent_id) as agent_key
from _events as event
join _run_sources as source using (run_id, source_path)
