-- grain: one row per response of an aborted stream: in the file, but in no total and no count
-- run_no: number of its run
-- place: position within the run
-- Of the responses that may be one, those are that bring the sum of a model's responses nearest to the reported totals when they are left out.
-- Up to eight of one model and process are judged each on its own, more of them all together; what makes no difference stays in.
with candidate as (
    select
        run_no as run_no,
        place as place,
        attributed.process_place as process_place,
        process.tokens_from as tokens_from,
        process.tokens_place as tokens_place,
        case when process.tokens_from = 'models' then response.model end as model,
        coalesce(response.input_tokens, 0) as input,
        coalesce(response.cache_read_tokens, 0) as cache_read,
        coalesce(response.cache_write_5m_tokens, 0) + coalesce(response.cache_write_1h_tokens, 0) as cache_write
    from _unanswered
    join _responses as response using (run_no, place)
    join _attributed as attributed using (run_no, place)
    join _processes as process on attributed.run_no = process.run_no and attributed.process_place = process.process_place
    where process.tokens_from in ('models', 'usage') and attributed.result_place <= process.tokens_place
    and (process.tokens_from = 'models' or response.is_streamed)
),
judged as (
    select distinct
        run_no as run_no,
        process_place as process_place,
        tokens_from as tokens_from,
        tokens_place as tokens_place,
        model as model
    from candidate
),
figure as (
    select
        judged.run_no as run_no,
        judged.process_place as process_place,
        judged.model as model,
        entry.input_tokens as input,
        entry.cache_read_tokens as cache_read,
        coalesce(entry.cache_write_5m_tokens, 0) + coalesce(entry.cache_write_1h_tokens, 0) as cache_write
    from judged
    join _attributed as attributed on judged.run_no = attributed.run_no and judged.process_place = attributed.process_place
    join _entries as entry on attributed.run_no = entry.run_no and attributed.place = entry.place
    where attributed.result_place <= judged.tokens_place
    and case judged.tokens_from
        when 'models' then entry.model is not distinct from judged.model
        else entry.is_streamed_turn
    end
    union all
    select
        judged.run_no as run_no,
        judged.process_place as process_place,
        judged.model as model,
        -reported.input_tokens as input,
        -reported.cache_read_tokens as cache_read,
        -coalesce(reported.cache_write_5m_tokens, 0) - coalesce(reported.cache_write_1h_tokens, 0) as cache_write
    from judged
    join _reported as reported
        on judged.run_no = reported.run_no and judged.tokens_place = reported.place and judged.model is not distinct from reported.model
    where judged.tokens_from = 'models'
    union all
    select
        judged.run_no as run_no,
        judged.process_place as process_place,
        judged.model as model,
        -process.input_tokens as input,
        -process.cache_read_tokens as cache_read,
        -coalesce(process.cache_write_5m_tokens, 0) - coalesce(process.cache_write_1h_tokens, 0) as cache_write
    from judged
    join _processes as process using (run_no, process_place)
    where judged.tokens_from = 'usage'
),
excess as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        coalesce(sum(input), 0) as input,
        coalesce(sum(cache_read), 0) as cache_read,
        coalesce(sum(cache_write), 0) as cache_write
    from figure
    group by run_no, process_place, model
),
numbered as (
    select
        run_no as run_no,
        place as place,
        process_place as process_place,
        model as model,
        input as input,
        cache_read as cache_read,
        cache_write as cache_write,
        case when count(*) over of_model <= 8 then row_number() over (of_model order by place) - 1 else 0 end as bit,
        case when count(*) over of_model <= 8 then count(*) over of_model else 1 end as bits
    from candidate
    window of_model as (partition by run_no, process_place, model)
),
choice as (
    select
        numbered.run_no as run_no,
        numbered.process_place as process_place,
        numbered.model as model,
        mask as mask,
        sum(numbered.input * ((mask >> numbered.bit) & 1)) as input,
        sum(numbered.cache_read * ((mask >> numbered.bit) & 1)) as cache_read,
        sum(numbered.cache_write * ((mask >> numbered.bit) & 1)) as cache_write
    from (from numbered, unnest(range(1::bigint << bits)) as choices(mask)) as numbered
    group by numbered.run_no, numbered.process_place, numbered.model, mask
),
best as (
    select
        choice.run_no as run_no,
        choice.process_place as process_place,
        choice.model as model,
        arg_min(
            choice.mask,
            (
                abs(excess.input - choice.input) + abs(excess.cache_read - choice.cache_read) + abs(excess.cache_write - choice.cache_write),
                bit_count(choice.mask),
                choice.mask
            )
        ) as mask
    from choice
    join excess
        on choice.run_no = excess.run_no and choice.process_place = excess.process_place and choice.model is not distinct from excess.model
    group by choice.run_no, choice.process_place, choice.model
)
select
    numbered.run_no as run_no,
    numbered.place as place
from numbered
join best
    on numbered.run_no = best.run_no and numbered.process_place = best.process_place and numbered.model is not distinct from best.model
where (best.mask >> numbered.bit) & 1 = 1
