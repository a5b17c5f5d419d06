-- What --run, --project, --model and --harness may name, and whether they name it. A source names its runs, or itself.
with named as (
    select
        'run' as option,
        run.run_id as name,
        is_like(run.run_id, getvariable('selection').run) or is_like(run.session_id, getvariable('selection').run) as is_named
    from runs as run
    union all
    select
        'run',
        run.name,
        is_like(run.name, getvariable('selection').run)
    from runs as run
    union all
    select
        'run',
        parse_filename(source.source_path),
        is_chosen_source(source.source_path)
    from sources as source
    union all
    select
        'project',
        spelling.project,
        is_like(spelling.project, getvariable('selection').project)
    from runs as run, unnest([run.project, regexp_extract(run.project, '[^/\\]+$')]) as spelling(project)
    union all
    select
        'model',
        entry.model,
        is_chosen_model(entry.model)
    from usage as entry
    union all
    select
        'harness',
        source.harness,
        is_like(source.harness, getvariable('selection').harness)
    from sources as source
)

select
    option,
    name,
    bool_or(is_named) as is_named
from named
group by option, name
order by option, name;
