-- grain: one row per line that could not be read, or was repaired
-- run_id: the run of the record before it, else of the one after
-- source_path: absolute path of the source
-- line_no: line of the source, from 1
-- byte_offset: where the line begins in the decompressed source
-- byte_length: length of the line, its newline left out
-- reason: one word for what is wrong
-- detail: the decode error with its JSON path
-- raw: the line's first 65,536 bytes; bytes that are no UTF-8 as escapes
-- is_repaired: its records were recovered and count
select
    run_id as run_id,
    source_path as source_path,
    line_no as line_no,
    byte_offset as byte_offset,
    byte_length as byte_length,
    reason as reason,
    detail as detail,
    raw as raw,
    is_repaired as is_repaired
from _unreadable
