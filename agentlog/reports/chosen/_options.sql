-- What every report chooses from, defined once: the rows that the options name, and whether the window of time holds them.
--
-- The session variable `selection` carries the options: since (inclusive), until (exclusive), tz, run, run_path, project, model and harness.
-- Dollars are added with `fsum`, whose result does not depend on the order of rows. The tables `chosen_…` hold rows with
--   happened_at  the row's time, by which it is grouped into hours, days, weeks and months
--   is_selected  the window holds it
--   undated      how many rows without a time it stands for, which a window leaves out
-- A run, and what has no time of its own (an unreadable line, a source), is in the window if the run was going on in it.

create temp macro is_like(value, pattern) as
    pattern is null or value = pattern::varchar or value glob pattern::varchar;

create temp macro is_chosen_model(model) as
    is_like(model, getvariable('selection').model);

create temp macro is_chosen_source(source_path) as
    is_like(source_path, getvariable('selection').run)
    or is_like(source_path, getvariable('selection').run_path)
    or is_like(parse_filename(source_path), getvariable('selection').run);

create temp macro is_in_window(start, finish) as
    (getvariable('selection').since is null or coalesce(finish >= getvariable('selection').since, false))
    and (getvariable('selection').until is null or coalesce(start < getvariable('selection').until, false));

create temp macro local_time(moment) as
    moment at time zone getvariable('selection').tz;

-- What belongs to no run is kept unless an option asks for a property of runs; --run may name its source.
create temp macro is_chosen_without_run(source_path, harness) as
    getvariable('selection').project is null
    and getvariable('selection').model is null
    and is_like(harness, getvariable('selection').harness)
    and is_chosen_source(source_path);

-- Filled by `model.sql` where a model is given.
create temp table chosen_model_runs (run_id varchar);

create temp table chosen_turn_nos (run_id varchar, turn_no bigint);

create temp table chosen_agent_ids (run_id varchar, agent_id varchar);
