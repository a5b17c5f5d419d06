-- grain: one row per response of an aborted stream: in the file, but in no total and no count
-- kept: where _unanswered has rows
-- run_no: number of its run
-- place: position within the run
-- Of the responses that may be one, those are that bring the sum of a model's responses nearest to the reported totals when they are left out.
-- Up to eight of one model and process are judged each on its own, more of them all together; what makes no difference stays in.
with covered as (
    select
        attributed.run_no as run_no,
        attributed.place as place,
        attributed.process_place as process_place,
        response.model as model,
        response.agent_id is null and response.is_streamed as is_streamed_turn,
        response.input_tokens as input_tokens,
        response.cache_read_tokens as cache_read_tokens,
        coalesce(response.cache_write_5m_tokens, 0) + coalesce(response.cache_write_1h_tokens, 0) as cache_write_tokens,
        process.tokens_from as tokens_from,
        process.tokens_place as tokens_place
    from (from _attributed semi join _unanswered using (run_no)) as attributed
    join _responses as response using (run_no, place)
    join _processes as process on attributed.run_no = process.run_no and attributed.process_place = process.process_place
    where attributed.result_place <= process.tokens_place and process.tokens_from in ('models', 'usage')
),
entry as (
    select
        covered.run_no as run_no,
        covered.process_place as process_place,
        covered.place as place,
        case when covered.tokens_from = 'models' then covered.model end as model,
        coalesce(covered.input_tokens, 0) as input,
        coalesce(covered.cache_read_tokens, 0) as cache_read,
        covered.cache_write_tokens as cache_write,
        unanswered.place is not null as is_candidate
    from covered
    left join _unanswered as unanswered using (run_no, place)
    where covered.tokens_from = 'models' or covered.is_streamed_turn
    union all
    select
        covered.run_no as run_no,
        covered.process_place as process_place,
        covered.place as place,
        coalesce(iteration.model, covered.model) as model,
        coalesce(iteration.input_tokens, 0) as input,
        coalesce(iteration.cache_read_tokens, 0) as cache_read,
        coalesce(iteration.cache_write_5m_tokens, 0) + coalesce(iteration.cache_write_1h_tokens, 0) as cache_write,
        false as is_candidate
    from covered
    join _iterations as iteration using (run_no, place)
    where covered.tokens_from = 'models' and iteration.entry <> 'message'
),
reported as (
    select
        covered.run_no as run_no,
        covered.process_place as process_place,
        reported.model as model,
        coalesce(reported.input_tokens, 0) as input,
        coalesce(reported.cache_read_tokens, 0) as cache_read,
        coalesce(reported.cache_write_5m_tokens, 0) + coalesce(reported.cache_write_1h_tokens, 0) as cache_write
    from (select distinct run_no, process_place, tokens_place from covered where tokens_from = 'models') as covered
    join _reported as reported on covered.run_no = reported.run_no and covered.tokens_place = reported.place
    union all
    select
        covered.run_no as run_no,
        covered.process_place as process_place,
        null as model,
        coalesce(event.input_tokens, 0) as input,
        coalesce(event.cache_read_tokens, 0) as cache_read,
        coalesce(event.cache_write_5m_tokens, 0) + coalesce(event.cache_write_1h_tokens, 0) as cache_write
    from (select distinct run_no, process_place from covered where tokens_from = 'usage') as covered
    join _results as result on covered.run_no = result.run_no and covered.process_place = result.opening_place
    join _result_events as event on result.run_no = event.run_no and result.place = event.place
),
excess as (
    select
        run_no as run_no,
        process_place as process_place,
        model as model,
        sum(input) as input,
        sum(cache_read) as cache_read,
        sum(cache_write) as cache_write
    from (
        select run_no, process_place, model, input, cache_read, cache_write from entry
        union all
        select run_no, process_place, model, -input, -cache_read, -cache_write from reported
    )
    group by run_no, process_place, model
),
candidate as (
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
    from entry
    where is_candidate
    window of_model as (partition by run_no, process_place, model)
),
choice as (
    select
        candidate.run_no as run_no,
        candidate.process_place as process_place,
        candidate.model as model,
        choices.mask as mask,
        sum(candidate.input * ((choices.mask >> candidate.bit) & 1)) as input,
        sum(candidate.cache_read * ((choices.mask >> candidate.bit) & 1)) as cache_read,
        sum(candidate.cache_write * ((choices.mask >> candidate.bit) & 1)) as cache_write
    from candidate, unnest(range(1::bigint << candidate.bits)) as choices(mask)
    group by candidate.run_no, candidate.process_place, candidate.model, choices.mask
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
    candidate.run_no as run_no,
    candidate.place as place
from candidate
join best
    on candidate.run_no = best.run_no and candidate.process_place = best.process_place and candidate.model is not distinct from best.model
where (best.mask >> candidate.bit) & 1 = 1
