create temp table chosen_requests as
select
    run.* exclude (happened_at, is_selected, undated),
    request.agent_id as agent_id,
    request.model as model,
    request.started_at as happened_at,
    is_in_window(request.started_at, request.started_at) as is_selected,
    (request.started_at is null)::integer as undated
from requests as request
join chosen_runs as run using (run_id)
where is_chosen_model(request.model);
