r"""Three runs as tables with the names and columns of the views, small enough to add up by hand.

| run | project | began (UTC) | model: input, cache read, cache write, output, cost |
|---|---|---|---|
| r1 `alpha` | /home/a/shop | 2026-05-01 21:30 | opus: 10, 100, 20, 5, 0.50 at 21:30 and 20, 300, 0, 7, 0.25 at 22:30; haiku: 1, 0, 0, 1, 0.001 without a time |
| r2 `beta` | C:\work\\site | 2026-05-03 10:00 | opus: 30, 0, 60, 9, 1.50 at 10:00; nested haiku: 2, 4, 0, 3, no cost, at 10:00 |
| r3 `=gamma` | none | never | nothing |
"""

from __future__ import annotations

import duckdb

SQL = r"""
set TimeZone = 'UTC';

create table usage as
select
    *,
    if(cost_usd is null, null, 'reported') as cost_basis,
    cost_usd is not null as is_cost_complete,
    model as native_model,
    cache_write_tokens as cache_write_5m_tokens,
    0::hugeint as cache_write_1h_tokens,
    null::hugeint as reasoning_tokens,
    0 as web_search_requests,
    (input_tokens + cache_read_tokens + cache_write_tokens + output_tokens)::hugeint as total_tokens
from (values
    ('r1', 'request', timestamptz '2026-05-01 21:30:00+00', 'opus', null, 1, 10::hugeint, 100::hugeint, 20::hugeint, 5::hugeint, 0.5::double),
    ('r1', 'request', timestamptz '2026-05-01 22:30:00+00', 'opus', null, 2, 20, 300, 0, 7, 0.25),
    ('r1', 'remainder', null, 'haiku', null, null, 1, 0, 0, 1, 0.001),
    ('r2', 'request', timestamptz '2026-05-03 10:00:00+00', 'opus', null, 1, 30, 0, 60, 9, 1.5),
    ('r2', 'nested', timestamptz '2026-05-03 10:00:00+00', 'haiku', null, 1, 2, 4, 0, 3, null)
) as entry(run_id, entry, occurred_at, model, agent_id, turn_no, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, cost_usd);

create table runs as
select run.*, ledger.* exclude (run_id)
from (values
    ('r1', 'alpha', 's-1', '/home/a/shop', 'main', 'claude', '2.1.0', 'opus', 'success', 7200000, 2, 3, 1, 3, 1, 1, 0,
        timestamptz '2026-05-01 21:30:00+00', timestamptz '2026-05-01 23:30:00+00'),
    ('r2', 'beta', 's-2', 'C:\work\site', null, 'claude', '2.1.0', 'opus', 'error', 1500, 1, 1, 0, 0, 0, 0, 1,
        timestamptz '2026-05-03 10:00:00+00', timestamptz '2026-05-03 10:00:01.5+00'),
    ('r3', '=gamma', null, null, null, 'codex', null, null, null, null, 0, 0, 0, null, null, 0, 0, null, null)
) as run(run_id, name, session_id, project, git_branch, harness, harness_version, model, outcome, duration_ms, turns, tool_calls, tool_errors,
    api_retries, compactions, subagents, unreadable_lines, started_at, ended_at)
left join (
    select
        run_id,
        sum(input_tokens) as input_tokens,
        sum(cache_read_tokens) as cache_read_tokens,
        sum(cache_write_tokens) as cache_write_tokens,
        sum(output_tokens) as output_tokens,
        sum(total_tokens) as total_tokens,
        sum(cost_usd) as cost_usd,
        bool_and(is_cost_complete) as is_cost_complete
    from usage
    group by run_id
) as ledger using (run_id);

create table requests as
select run_id, agent_id, model, occurred_at as started_at from usage where entry = 'request';

create table turns as
select
    run_id, turn_no, model, occurred_at as started_at, 1000 as duration_ms, input_tokens::bigint as input_tokens,
    cache_read_tokens::bigint as cache_read_tokens, cache_write_tokens::bigint as cache_write_tokens, output_tokens::bigint as output_tokens,
    (input_tokens + cache_read_tokens + cache_write_tokens)::bigint as context_tokens, cost_usd, 1 as tool_calls, 0 as tool_errors, 0 as api_retries,
    'end_turn' as stop_reason, false as follows_compaction
from usage where entry = 'request';

create table tool_calls as
select * from (values
    ('r1', 1, 1, null, 'Bash', 'execute', null, 'error', timestamptz '2026-05-01 21:31:00+00', 100, 40, null, false),
    ('r1', 2, 1, null, 'Bash', 'execute', null, 'ok', timestamptz '2026-05-01 21:32:00+00', 300, 60, 1, true),
    ('r1', 3, 2, null, 'mcp__db__query', 'mcp', 'db', 'pending', timestamptz '2026-05-01 22:31:00+00', null, null, null, false),
    ('r2', 1, 1, null, 'Bash', 'execute', null, 'rejected', null, null, 10, null, false)
) as call(run_id, call_no, turn_no, agent_id, tool_name, tool_kind, mcp_server, status, started_at, duration_ms, result_chars, retry_of,
    is_blind_retry);

create table api_retries as
select * from (values
    ('r1', 1, 1, null, 1, 529, 'overloaded', 500.5::double, timestamptz '2026-05-01 21:29:00+00'),
    ('r1', 2, 1, null, 1, 529, 'overloaded', 1000, timestamptz '2026-05-01 21:29:30+00'),
    ('r1', 3, 2, null, 2, null, 'unknown', 250, timestamptz '2026-05-01 22:29:00+00')
) as retry(run_id, retry_no, episode_no, agent_id, turn_no, error_status, error_type, delay_ms, occurred_at);

create table compactions as
select * from (values
    ('r1', 1, 2, null, 'auto', 'completed', 150000, 12000, 300, 0.25::double, timestamptz '2026-05-01 22:00:00+00'),
    ('r1', 2, 2, null, 'manual', 'failed', 150000, null, null, null, timestamptz '2026-05-01 22:01:00+00')
) as compaction(run_id, compaction_no, turn_no, agent_id, trigger, status, tokens_before, tokens_after, refill_tokens, refill_cost_usd, occurred_at);

create table subagents as
select * from (values
    ('r1', 'a1', 't1', 'Explore', 'haiku', 'completed', 3, 4, 10, 20, 30, 40, 100, 0.01::double, null::bigint, timestamptz '2026-05-01 21:40:00+00',
        timestamptz '2026-05-01 21:41:00+00')
) as subagent(run_id, agent_id, tool_call_id, subagent_type, model, status, turns, tool_calls, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, total_tokens, cost_usd, duration_ms, started_at, ended_at);

create table sources as
select * from (values
    ('/runs/alpha.jsonl', 'ok', 'claude', 'stream-json', 1000, 9, 0, 9, 0, 0, 12, timestamptz '2026-06-01 00:00:00+00', null),
    ('/runs/beta.jsonl.gz', 'ok', 'claude', 'stream-json', 500, 5, 1, 3, 1, 1, 4, timestamptz '2026-06-01 00:00:00+00', null),
    ('/runs/gamma.jsonl', 'ok', 'codex', 'exec', 50, 1, 0, 1, 0, 0, 1, timestamptz '2026-06-01 00:00:00+00', null),
    ('/runs/notes.txt', 'unsupported', null, null, 10, 1, 0, 0, 1, 0, 0, timestamptz '2026-06-01 00:00:00+00', 'no known record')
) as source(source_path, status, harness, format, source_bytes, lines, blank_lines, readable_lines, unreadable_lines, repaired_lines, events,
    modified_at, error);

create table _run_sources as
select * from (values ('r1', '/runs/alpha.jsonl'), ('r2', '/runs/beta.jsonl.gz'), ('r3', '/runs/gamma.jsonl')) as link(run_id, source_path);

create table unreadable as
select * from (values
    ('r2', '/runs/beta.jsonl.gz', 3, 17, 'cut', 'ends early', '{"secret', false),
    ('r2', '/runs/beta.jsonl.gz', 4, 20, 'bad_utf8', null, '{"secret2"}', true),
    (null, '/runs/notes.txt', 1, 10, 'not_json', 'no JSON', 'secret note', false)
) as line(run_id, source_path, line_no, byte_length, reason, detail, raw, is_repaired);

create table _events as
select * from (values
    ('r1', '/runs/alpha.jsonl', 7, 'unmodelled', 'system/later'),
    ('r1', '/runs/alpha.jsonl', 5, 'unmodelled', 'system/later'),
    ('r2', '/runs/beta.jsonl.gz', 2, 'unmodelled', 'odd'),
    ('r2', '/runs/beta.jsonl.gz', 1, 'prompt', 'user')
) as event(run_id, source_path, line_no, kind, native_type);

create table reconciliation as
select * from (values
    ('r1', 0.751::double, 0.7::double, 464, 463, 0.051::double, 0.0679::double, 'requests that the stream does not show'),
    ('r2', 1.5, null, 99, 108, null, null, null)
) as gap(run_id, reported_cost_usd, computed_cost_usd, reported_total_tokens, folded_total_tokens, gap_usd, gap_share, likely_reason);
"""


def connect() -> duckdb.DuckDBPyConnection:
    """A connection that has these tables where a store's would have its views."""
    connection = duckdb.connect(":memory:")
    connection.execute(SQL)
    return connection
