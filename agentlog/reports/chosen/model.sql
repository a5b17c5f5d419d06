-- What is of the chosen model: runs that used it, and turns and subagents, for what they did has no model of its own.
insert into chosen_model_runs
select distinct
    run_id
from usage
where is_chosen_model(model);

insert into chosen_turn_nos
select
    run_id,
    turn_no
from turns
where is_chosen_model(model);

insert into chosen_agent_ids
select
    run_id,
    agent_id
from subagents
where is_chosen_model(model);
