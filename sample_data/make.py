"""Stories → sample_data/: the transcripts, `expected.json` with the right figures, and the table in README.md.

    python sample_data/make.py [FOLDER]

Writes below this folder, or below FOLDER. The figures are what the stories meant to write, not what any reader made of it. Deterministic;
standard library only.
"""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claude_stories import samples
from claude_stream import Tokens

if TYPE_CHECKING:
    from claude_stream import Figures
    from sample import Sample

HERE = Path(__file__).resolve().parent
FOLDER = "claude"


def main(out: Path) -> None:
    """Write everything below `out`."""
    made = samples()
    (out / FOLDER).mkdir(parents=True, exist_ok=True)
    for sample in made:
        (out / FOLDER / sample.name).write_bytes(sample.pack(sample.content()))
    expected = {"sources": {f"{FOLDER}/{sample.name}": source(sample) for sample in made}, "runs": runs(made)}
    (out / "expected.json").write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    (out / "README.md").write_text(with_table(readme.read_text(encoding="utf-8"), made, expected["runs"]), encoding="utf-8")


def source(sample: Sample) -> dict[str, Any]:
    """The right line counts of one file; `shows` says why it is here."""
    lines = len(sample.lines)
    return {
        "shows": sample.shows,
        "lines": lines,
        "blank_lines": sample.blank,
        "readable_lines": lines - sample.blank - sample.unreadable,
        "unreadable_lines": sample.unreadable,
        "repaired_lines": sample.repaired,
    }


def runs(made: list[Sample]) -> dict[str, dict[str, Any]]:
    """The right figures of each run, by the name of its first file."""
    firsts: dict[str, Sample] = {}
    for sample in made:
        firsts.setdefault(sample.session_id, sample)
    return {f"{FOLDER}/{sample.name}": {"session_id": sample.session_id, **run(sample.figures)} for sample in firsts.values()}


def run(figures: Figures) -> dict[str, Any]:
    """Counts, tokens, and cost where a result reports it (NULL where none does: the file does not say)."""
    total = sum(figures.spent.values(), Tokens())
    cost = sum((tokens.cost(model) for model, tokens in figures.spent.items()), Fraction())
    return {
        **({"outcome": figures.outcome} if figures.outcome else {}),
        **figures.counts,
        **columns(total),
        "reported_cost_usd": float(cost) if figures.counts["results"] else None,
        "by_model": {
            re.sub(r"-\d{8}$", "", model): {**columns(tokens), "list_price_usd": float(tokens.cost(model))}
            for model, tokens in figures.spent.items()
        },
    }


def columns(tokens: Tokens) -> dict[str, int]:
    """Tokens under the names of agentlog's columns."""
    return {
        "input_tokens": tokens.input,
        "cache_read_tokens": tokens.cache_read,
        "cache_write_tokens": tokens.cache_write,
        "output_tokens": tokens.output,
    }


SHOWN = {
    "turns": "turns",
    "prompts": "prompts",
    "tool_calls": "tool calls",
    "tool_errors": "tool errors",
    "api_retries": "API retries",
    "compactions": "compactions",
    "input_tokens": "input",
    "cache_read_tokens": "cache read",
    "cache_write_tokens": "cache write",
    "output_tokens": "output",
    "reported_cost_usd": "cost in USD",
    "outcome": "outcome",
}


def with_table(readme: str, made: list[Sample], figures: dict[str, dict[str, Any]]) -> str:
    """The README with its two generated tables made anew."""
    files = ["| file | shows | lines | unreadable | repaired |", "|---|---|--:|--:|--:|"]
    files += [f"| `{s.name}` | {s.shows} | {len(s.lines)} | {s.unreadable} | {s.repaired} |" for s in made]
    totals = ["| first file of the run | " + " | ".join(SHOWN.values()) + " |", "|---|" + "--:|" * (len(SHOWN) - 1) + "---|"]
    for name, run_figures in figures.items():
        cells = (cell(run_figures.get(key)) for key in SHOWN)
        totals.append(f"| `{name.removeprefix(FOLDER + '/')}` | " + " | ".join(cells) + " |")
    head, mark, _ = readme.partition("<!-- made by make.py -->\n")
    return head + mark + "\n" + "\n".join(files) + "\n\n" + "\n".join(totals) + "\n"


def cell(value: float | str | None) -> str:
    """A figure as the table shows it."""
    if value is None:
        return "not stated"
    return f"{value:,}" if isinstance(value, int) else str(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
