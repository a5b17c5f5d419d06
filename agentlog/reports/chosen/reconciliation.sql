create temp table chosen_reconciliation as
select
    run.*,
    gap.reported_cost_usd as reported_cost_usd,
    gap.computed_cost_usd as computed_cost_usd,
    gap.gap_usd as gap_usd,
    gap.gap_share as gap_share,
    gap.reported_total_tokens as reported_total_tokens,
    gap.folded_total_tokens as folded_total_tokens,
    gap.likely_reason as likely_reason
from reconciliation as gap
join chosen_runs as run using (run_id);
