create temp view selected as
select
    candidate.*,
    'total' as all_rows,
    happened_at - (local_time(happened_at) - date_trunc('hour', local_time(happened_at))) as hour,
    local_time(happened_at)::date as day,
    date_trunc('week', local_time(happened_at))::date as week,
    strftime(local_time(happened_at), '%Y-%m') as month
from candidates as candidate
where is_selected;
