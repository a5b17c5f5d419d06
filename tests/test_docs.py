"""The pages of docs/ say what the code says."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = ("cli.md", "events.md", "views.md", "how-a-line-becomes-a-row.md")


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    made: Mapping[str, str] = runpy.run_path(str(DOCS / "generate.py"))["pages"]()
    return made


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_fresh(pages: Mapping[str, str], name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == pages[name], "stale; run: make docs"


def test_every_page_with_generated_parts_is_checked(pages: Mapping[str, str]) -> None:
    assert tuple(pages) == PAGES
