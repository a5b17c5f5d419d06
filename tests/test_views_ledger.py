"""Whatever the files say: the ledger adds up to what was reported, and everything that sums it agrees."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rows import Log, opened, part

FIGURES = ("input_tokens", "cache_read_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens")
MODELS = ("opus", "haiku", None)
figure = st.one_of(st.none(), st.integers(0, 50))
figures = st.fixed_dictionaries({"i": figure, "r": figure, "w": figure, "w1h": figure, "o": figure})
models = st.sampled_from(MODELS)
cost = st.one_of(st.none(), st.integers(0, 8).map(lambda eighths: eighths / 8))
request = st.tuples(st.just("request"), models, st.sampled_from([None, "agent-1"]), st.booleans(), figures)
model_usage = st.lists(st.tuples(models, figures, cost), max_size=3)
result = st.tuples(st.just("result"), model_usage, cost, st.one_of(st.just({}), figures))
source = st.lists(st.one_of(request, result), max_size=6)


def written(sources: list[list[Any]]) -> list[Log]:
    """Sources of one run, their requests and results in this order."""
    logs = []
    for number, steps in enumerate(sources):
        log = Log(source_path=f"/{number}.jsonl")
        log.add("session", cwd="/srv")
        for step, (kind, *given) in enumerate(steps):
            if kind == "request":
                model, agent, is_streamed, own = given
                log.request(f"m{number}-{step}", model=model, agent=agent, is_streamed=is_streamed, **own)
            else:
                parts, usd, own = given
                log.result(*(part(model, usd=share, **figures) for model, figures, share in parts), usd=usd, **own)
        logs.append(log)
    return logs


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(source, min_size=1, max_size=2))
def test_the_ledger_adds_up_however_it_is_grouped_and_to_what_is_reported(sources: list[list[Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder), *written(sources)) as store:
        sums = ", ".join(f"sum({name})::bigint as {name}" for name in (*FIGURES, "total_tokens"))
        (whole,) = store.sql(f"select {sums}, round(sum(cost_usd), 9) as cost_usd from usage").rows()
        (run,) = store.sql(f"select {', '.join((*FIGURES, 'total_tokens'))}, round(cost_usd, 9) from runs").rows()
        assert run == whole
        for by in ("model", "entry", "agent_id", "occurred_at", "is_cost_complete"):
            grouped = f"(select {sums}, sum(cost_usd) as cost_usd from usage group by {by})"
            assert store.sql(f"select {sums}, round(sum(cost_usd), 9) from {grouped}").rows() == [whole]
        store.connection  # noqa: B018 (its views are asked for their steps below)
        reported = store.connection.execute("select sum(cost_usd) from _processes").fetchone()
        assert (whole[-1] or 0) == round((reported or (0,))[0] or 0, 9)
        assert_reported(store.connection)


def assert_reported(connection: Any) -> None:
    """The covered entries and the remainders of each process with a modelUsage add up to it, figure by figure, where it tells the figure."""
    for name in FIGURES:
        if name.startswith("cache_write"):
            continue  # the split may follow the requests; their sum is looked at below
        wrong = connection.execute(f"""
            select ledger.*, reported.*
            from (
                select run_no, process_place, sum({name}) as got from _ledger where has_reported_tokens group by all
            ) as ledger
            join _processes as process using (run_no, process_place)
            join (select run_no, place, sum({name}) as want from _reported group by all) as reported
                on process.run_no = reported.run_no and process.tokens_place = reported.place
            where process.tokens_from = 'models' and reported.want is not null and ledger.got is distinct from reported.want
        """).fetchall()
        assert wrong == []
