-- grain: one row per source
-- source_path: absolute path
-- source_bytes: size of the file
-- modified_at: the file's modification time
-- content_hash: SHA-256 of the decompressed content
-- harness: the program that wrote it
-- format: the shape of the file
-- status: `ok`, `duplicate`, `unsupported`, `failed` or `missing`
-- error: why it is unsupported or failed; of a duplicate, whose content it has
-- lines: physical lines; NULL where the source was not read
-- blank_lines: blank lines
-- readable_lines: lines that gave an event or were folded into one
-- unreadable_lines: lines that could not be read
-- repaired_lines: readable lines that were repaired
-- events: events
-- ingested_at: when agentlog read it
select
    source_path as source_path,
    source_bytes as source_bytes,
    modified_at as modified_at,
    content_hash as content_hash,
    harness as harness,
    format as format,
    status as status,
    error as error,
    lines as lines,
    blank_lines as blank_lines,
    readable_lines as readable_lines,
    unreadable_lines as unreadable_lines,
    repaired_lines as repaired_lines,
    events as events,
    ingested_at as ingested_at
from _sources
