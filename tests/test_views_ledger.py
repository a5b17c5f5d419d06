"""Whatever the files say: the ledger adds up to what was reported, and everything that sums it agrees."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rows import Log, opened, part

if TYPE_CHECKING:
    from agentlog.dataset import Store

FIGURES = ("input_tokens", "cache_read_tokens", "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "total_tokens")
figure = st.one_of(st.none(), st.integers(0, 50))
figures = st.fixed_dictionaries({"i": figure, "r": figure, "w": figure, "w1h": figure, "o": figure})
models = st.sampled_from(["opus", "haiku", None])
eighths = st.one_of(st.none(), st.integers(0, 8).map(lambda eighth: eighth / 8))
request = st.tuples(st.just("request"), models, st.sampled_from([None, "agent-1"]), st.booleans(), figures)
result = st.tuples(st.just("result"), st.lists(st.tuples(models, figures, eighths), max_size=3), eighths, st.one_of(st.just({}), figures))
run = st.lists(st.lists(st.one_of(request, result), max_size=6), min_size=1, max_size=2)


def written(runs: list[list[list[Any]]]) -> list[Log]:
    """Each run as its sources, with their requests and results in this order."""
    logs = []
    for run_no, sources in enumerate(runs):
        for source_no, steps in enumerate(sources):
            log = Log(f"run-{run_no:02}", source_path=f"/{run_no}-{source_no}.jsonl")
            log.add("session", cwd="/srv")
            for step, (kind, *fields) in enumerate(steps):
                if kind == "request":
                    model, agent, is_streamed, own = fields
                    log.request(f"m{run_no}-{source_no}-{step}", model=model, agent=agent, is_streamed=is_streamed, **own)
                else:
                    parts, usd, own = fields
                    log.result(*(part(model, usd=share, **figures) for model, figures, share in parts), usd=usd, **own)
            logs.append(log)
    return logs


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(run, min_size=20, max_size=40))
def test_the_ledger_adds_up_to_what_is_reported_however_it_is_grouped(runs: list[list[list[Any]]]) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder), *written(runs)) as store:
        assert_sums_agree(store)
        assert_costs_are_reported(store)
        assert_tokens_are_reported(store)


def assert_sums_agree(store: Store) -> None:
    """Runs are sums over the ledger, and so is every grouping of it."""
    sums = ", ".join([*(f"sum({name})::bigint as {name}" for name in FIGURES), "round(sum(cost_usd), 9) as cost_usd"])
    by_run = store.sql(f"select run_id, {sums} from usage group by run_id order by run_id").rows()
    runs = store.sql(
        f"select run_id, {', '.join(FIGURES)}, round(cost_usd, 9) from runs where run_id in (select run_id from usage) order by run_id"
    )
    assert runs.rows() == by_run
    whole = store.sql(f"select {sums} from usage").rows()
    for by in ("run_id", "model", "entry", "agent_id", "is_cost_complete", "model, entry, agent_id"):
        assert store.sql(f"select {sums} from (select {sums} from usage group by {by})").rows() == whole


def assert_costs_are_reported(store: Store) -> None:
    """A run costs what its processes report. A figure of 0 beside tokens is no report, nor is one before requests whose cost is not known."""
    reported = "select run_no, round(sum(cost_usd), 9) as cost_usd from _processes group by run_no"
    wrong = store.connection.sql(
        f"select * from ({reported}) as reported join _run_sources as run using (run_no) join runs using (run_id) "
        "where run.source_no = 1 and reported.cost_usd is distinct from round(runs.cost_usd, 9) "
        "and not (reported.cost_usd = 0 and runs.cost_usd is null and not runs.is_cost_complete)"
    )
    assert wrong.fetchall() == []


def assert_tokens_are_reported(store: Store) -> None:
    """The entries that a modelUsage covers and their remainders add up to what it tells, for each model in it."""
    for name in ("input_tokens", "cache_read_tokens", "output_tokens"):
        wrong = store.connection.sql(f"""
            select ledger.*, reported.*
            from (
                select run_no, process_place, model, sum({name}) as got from _ledger where has_reported_tokens group by all
            ) as ledger
            join _processes as process using (run_no, process_place)
            join _reported as reported
                on process.run_no = reported.run_no and process.tokens_place = reported.place and ledger.model is not distinct from reported.model
            where process.tokens_from = 'models' and reported.{name} is not null and ledger.got is distinct from reported.{name}
        """)
        assert wrong.fetchall() == []
