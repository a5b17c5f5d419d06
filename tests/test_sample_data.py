"""An ingest of sample_data/ against what its stories meant to write."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import make
import packing
import pytest

import agentlog

SAMPLE_DATA = Path(make.__file__).parent
EXPECTED: dict[str, dict[str, dict[str, Any]]] = json.loads((SAMPLE_DATA / "expected.json").read_text(encoding="utf-8"))
LINE_COUNTS = ("lines", "blank_lines", "readable_lines", "unreadable_lines", "repaired_lines")
TOKENS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")


@pytest.fixture(scope="module")
def store(sample_store: Path) -> agentlog.Store:
    """The ingested sample data."""
    return agentlog.open(sample_store)


@pytest.fixture(scope="module")
def sources(store: agentlog.Store) -> dict[str, dict[str, Any]]:
    """The rows of the view `sources`, by the name that expected.json has for them."""
    return {_name(row): row for row in store.view("sources").to_dicts()}


@pytest.fixture(scope="module")
def runs(store: agentlog.Store) -> dict[str, dict[str, Any]]:
    """The rows of the view `runs`, by the name of their first source."""
    return {_name(row): row for row in store.view("runs").to_dicts()}


@pytest.fixture(scope="module")
def by_model(store: agentlog.Store) -> dict[tuple[str, str], dict[str, Any]]:
    """The ledger by run and model, where there are tokens."""
    rows = store.sql(f"select run_id, model, {', '.join(f'sum({t})::bigint as {t}' for t in TOKENS)} from usage group by all").to_dicts()
    return {(row["run_id"], row["model"]): {key: row[key] for key in TOKENS} for row in rows if any(row[key] for key in TOKENS)}


def test_every_source_and_run_is_expected(sources: dict[str, dict[str, Any]], runs: dict[str, dict[str, Any]]) -> None:
    assert sources.keys() == EXPECTED["sources"].keys()
    assert runs.keys() == EXPECTED["runs"].keys()


@pytest.mark.parametrize("name", EXPECTED["sources"])
def test_lines_of_a_source(name: str, sources: dict[str, dict[str, Any]]) -> None:
    expected = {"status": "ok", **{key: EXPECTED["sources"][name][key] for key in LINE_COUNTS}}
    assert {key: sources[name][key] for key in expected} == expected


@pytest.mark.parametrize("name", EXPECTED["runs"])
def test_figures_of_a_run(name: str, runs: dict[str, dict[str, Any]]) -> None:
    expected = {key: value for key, value in EXPECTED["runs"][name].items() if key != "by_model"}
    assert {key: _rounded(runs[name][key]) for key in expected} == {key: _rounded(value) for key, value in expected.items()}


@pytest.mark.parametrize("name", [name for name, run in EXPECTED["runs"].items() if run["reported_cost_usd"] is not None])
def test_a_reported_cost_is_the_cost(name: str, runs: dict[str, dict[str, Any]]) -> None:
    assert _rounded(runs[name]["cost_usd"]) == _rounded(EXPECTED["runs"][name]["reported_cost_usd"])
    assert runs[name]["is_cost_complete"] is True


@pytest.mark.parametrize("name", EXPECTED["runs"])
def test_tokens_by_model(name: str, runs: dict[str, dict[str, Any]], by_model: dict[tuple[str, str], dict[str, Any]]) -> None:
    found = {model: tokens for (run_id, model), tokens in by_model.items() if run_id == runs[name]["run_id"]}
    assert found == {model: {key: figures[key] for key in TOKENS} for model, figures in EXPECTED["runs"][name]["by_model"].items()}


def test_list_prices_reconcile_with_what_the_results_say() -> None:
    for run in EXPECTED["runs"].values():
        if run["reported_cost_usd"] is not None:
            assert _rounded(sum(model["list_price_usd"] for model in run["by_model"].values())) == _rounded(run["reported_cost_usd"])


def test_files_are_what_the_script_writes(tmp_path: Path) -> None:
    make.main(tmp_path)
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    kept = sorted(path.relative_to(SAMPLE_DATA) for path in SAMPLE_DATA.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
    assert written == kept
    for path in written:
        # zlib builds may pack the same bytes differently
        unpack = gzip.decompress if path.suffix == ".gz" else bytes
        assert unpack((tmp_path / path).read_bytes()) == unpack((SAMPLE_DATA / path).read_bytes()), path


def test_stored_zstandard_frames_hold_more_than_one_block() -> None:
    import zstandard

    content = bytes(range(256)) * 2000
    assert zstandard.ZstdDecompressor().stream_reader(packing.zstd_stored(content)).read() == content


def _name(row: dict[str, Any]) -> str:
    return Path(row["source_path"]).relative_to(SAMPLE_DATA).as_posix()


def _rounded(value: object) -> object:
    return round(value, 9) if isinstance(value, float) else value
