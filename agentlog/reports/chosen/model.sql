-- Which turns and subagents are of the chosen model: what they did has no model of its own.
create temp view chosen_turn_nos as
select
    run_id,
    turn_no
from turns
where getvariable('selection').model is not null and is_chosen_model(model);

create temp view chosen_agent_ids as
select
    run_id,
    agent_id
from subagents
where getvariable('selection').model is not null and is_chosen_model(model);
