"""What several test modules share: where things lie, the command under test, one store of the sample data."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

import agentlog

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def pytest_report_header() -> str:
    """Say which agentlog is tested: the checkout's or an installed one."""
    return f"agentlog: {Path(agentlog.__file__).parent}"


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of the caller's reaches a test, and a store made by mistake lands nowhere near the checkout."""
    for name in ("AGENTLOG_STORE", "COLUMNS", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path_factory.getbasetemp())


@pytest.fixture(scope="session")
def sample_data() -> Path:
    """The folder of synthetic transcripts."""
    return ROOT / "sample_data"


@pytest.fixture(scope="session")
def sample_store(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with all sample transcripts; read only."""
    store = tmp_path_factory.mktemp("sample") / "store"
    agentlog.ingest([sample_data / "claude"], store=store)
    return store


@pytest.fixture(scope="session")
def command() -> str:
    """The installed `agentlog` command."""
    return str(Path(sysconfig.get_path("scripts")) / ("agentlog.exe" if os.name == "nt" else "agentlog"))


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of cases beside the checkout."""
    return _beside("cases")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of collected transcripts beside the checkout."""
    return _beside("corpus")


def _beside(name: str) -> Path:
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no {name} beside the checkout")
    return folder
