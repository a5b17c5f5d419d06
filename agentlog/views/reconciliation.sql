-- grain: one row per run
-- run_id: the run
-- reported_cost_usd: cost as the harness reports it
-- computed_cost_usd: the ledger's tokens, remainders too, priced
-- reported_total_tokens: total of the tokens that its processes report
-- folded_total_tokens: total of its requests' folded tokens
-- gap_usd: reported − computed
-- gap_share: the gap as a share of the reported cost
-- likely_reason: what may explain the gap
with total as (
    select
        run_no as run_no,
        sum(cost_usd) as cost_usd,
        sum(tokens) filter (where has_reported_tokens) as reported_tokens,
        sum(tokens) filter (where entry <> 'remainder') as folded_tokens
    from (
        select
            run_no as run_no,
            entry as entry,
            has_reported_tokens as has_reported_tokens,
            cost_usd as cost_usd,
            case
                when coalesce(input_tokens, cache_read_tokens, cache_write_5m_tokens, cache_write_1h_tokens, output_tokens) is not null
                then coalesce(input_tokens, 0) + coalesce(cache_read_tokens, 0) + coalesce(cache_write_5m_tokens, 0)
                    + coalesce(cache_write_1h_tokens, 0) + coalesce(output_tokens, 0)
            end as tokens
        from _ledger
    )
    group by run_no
)
select
    run.run_id as run_id,
    total.cost_usd as reported_cost_usd,
    null::double as computed_cost_usd,
    try_cast(total.reported_tokens as bigint) as reported_total_tokens,
    try_cast(total.folded_tokens as bigint) as folded_total_tokens,
    null::double as gap_usd,
    null::double as gap_share,
    null::varchar as likely_reason
from _run_sources as run
left join total using (run_no)
where run.source_no = 1
