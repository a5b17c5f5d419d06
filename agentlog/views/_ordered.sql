-- grain: one row per stored event
-- source_no: order of the source within the run
-- place: position within the run as one number: source, line, part
select
    event.*,
    source.source_no as source_no,
    (source.source_no::hugeint << 96) + (event.line_no::hugeint << 32) + event.part_no as place
from _events as event
join _run_sources as source using (run_id, source_path)
