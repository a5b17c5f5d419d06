"""One frame in every format: exact text, widths, escapes, and cells that agree."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import unicodedata
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agentlog import UnknownNameError, render
from agentlog.render import cells, escapes

if TYPE_CHECKING:
    from pathlib import Path

LONG_MODEL = "provider-with-a-rather-long-name/some-experimental-model-397b-a17b-preview"
SPEND = pl.DataFrame(
    {
        "model": ["opus", LONG_MODEL, None],
        "requests": [1234, 2, 0],
        "input_tokens": [536073421, 12, None],
        "cost_usd": [1234567.891, 0.5, 0.00055],
        "cost_share": [0.9999996, 0.0000004, 0.0],
        "is_cost_complete": [True, False, None],
    }
)
TOTALS = pl.DataFrame(
    {"requests": [1236], "input_tokens": [536073433], "cost_usd": [1234568.39155], "cost_share": [1.0], "is_cost_complete": [False]}
)
AT_80 = """\
                                         input                    cost  cost
model                    requests       tokens        cost usd   share  complete
────────────────────────────────────────────────────────────────────────────────
opus                        1,234  536,073,421  1,234,567.8910  >99.9%  yes
provider-wi…17b-preview         2           12          0.5000   <0.1%  no
–                               0            –          0.0006    0.0%  –
────────────────────────────────────────────────────────────────────────────────
total                       1,236  536,073,433  1,234,568.3916  100.0%  no
"""
AT_40 = """\
                                   input
model              requests       tokens
────────────────────────────────────────
opus                  1,234  536,073,421
provider…-preview         2           12
–                         0            –
────────────────────────────────────────
total                 1,236  536,073,433

                                    cost
model                   cost usd   share
────────────────────────────────────────
opus              1,234,567.8910  >99.9%
provide…-preview          0.5000   <0.1%
–                         0.0006    0.0%
────────────────────────────────────────
total             1,234,568.3916  100.0%

                                cost
model                           complete
────────────────────────────────────────
opus                            yes
provider-with-…7b-a17b-preview  no
–                               –
────────────────────────────────────────
total                           no
"""
MARKDOWN = rf"""| model | requests | input tokens | cost usd | cost share | cost complete |
| --- | ---: | ---: | ---: | ---: | --- |
| opus | 1,234 | 536,073,421 | 1,234,567.8910 | &gt;99.9% | yes |
| {LONG_MODEL} | 2 | 12 | 0.5000 | &lt;0.1% | no |
| – | 0 | – | 0.0006 | 0.0% | – |
| **total** | **1,236** | **536,073,433** | **1,234,568.3916** | **100.0%** | **no** |
"""
ODD = pl.DataFrame(
    {
        "tool_name": ["=1+1", "a|b", "<b>*x*</b>", "\x1b[2J\x00", "\u202egpj.exe\u200b", "plain_name", ""],
        "calls": [-1, 2, 3, 4, 5, 6, 7],
    }
)


def rendered(frame: pl.DataFrame, form: str, **options: Any) -> str:
    out = io.BytesIO()
    render.write(frame, form, out, **options)
    return out.getvalue().decode()


@pytest.mark.parametrize(("width", "expected"), [(80, AT_80), (40, AT_40)])
def test_a_table_fits_the_terminal(width: int, expected: str) -> None:
    assert rendered(SPEND, "table", totals=TOTALS, width=width) == expected


def test_the_totals_row_has_the_label_given_at_the_left_also_among_figures() -> None:
    frame = pl.DataFrame({"error_status": [529, 500], "attempts": [7, 1]})
    assert rendered(frame, "table", totals=pl.DataFrame({"attempts": [20]}), total="total of 5") == (
        "     error\n    status  attempts\n────────────────────\n       529         7\n       500         1\n"
        "────────────────────\ntotal of 5        20\n"
    )


def test_prose_is_broken_into_lines_and_not_cut() -> None:
    frame = pl.DataFrame(
        {"column": ["run_id", "at"], "unit": ["", None], "meaning": ["short and readable, made from the session id", "when"]}
    )
    assert rendered(frame, "table", width=34, prose=("meaning",)) == (
        "column  unit  meaning\n──────────────────────────────────\n"
        "run_id        short and readable,\n              made from the\n              session id\nat      –     when\n"
    )
    assert "short and readable, made from the session id" in rendered(frame, "markdown", width=34, prose=("meaning",))


def test_markdown_has_the_words_of_the_table() -> None:
    assert rendered(SPEND, "markdown", totals=TOTALS) == MARKDOWN


def test_json_has_the_values() -> None:
    assert rendered(SPEND, "json", totals=TOTALS) == (
        "[\n"
        '{"model":"opus","requests":1234,"input_tokens":536073421,"cost_usd":1234567.891,"cost_share":0.9999996,"is_cost_complete":true},\n'
        f'{{"model":"{LONG_MODEL}","requests":2,"input_tokens":12,"cost_usd":0.5,"cost_share":4e-7,"is_cost_complete":false}},\n'
        '{"model":null,"requests":0,"input_tokens":null,"cost_usd":0.00055,"cost_share":0.0,"is_cost_complete":null}\n'
        "]\n"
    )


def test_csv_has_the_values() -> None:
    assert rendered(SPEND, "csv", totals=TOTALS) == (
        "model,requests,input_tokens,cost_usd,cost_share,is_cost_complete\n"
        "opus,1234,536073421,1234567.891,0.9999996,true\n"
        f"{LONG_MODEL},2,12,0.5,4e-7,false\n"
        ",0,,0.00055,0.0,\n"
    )


@pytest.mark.parametrize("width", [None, 200, 140, 80, 60, 40, 20, 1])
def test_no_width_cuts_a_digit(width: int | None) -> None:
    printed = rendered(SPEND, "table", totals=TOTALS, width=width)
    for figure in ("536,073,421", "536,073,433", "1,234,567.8910", "1,234,568.3916", "0.0006", "1,236"):
        assert figure in printed


@pytest.mark.parametrize("width", [140, 80, 60, 40])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(map(cell_len, rendered(SPEND, "table", totals=TOTALS, width=width).splitlines())) <= width


def test_without_a_terminal_no_text_is_cut() -> None:
    assert LONG_MODEL in rendered(SPEND, "table", totals=TOTALS)


def test_colours_change_no_letter() -> None:
    coloured = rendered(SPEND, "table", totals=TOTALS, width=80, is_coloured=True)
    assert re.sub(r"\x1b\[\d*m", "", coloured) == AT_80
    assert "\x1b[2m–" in coloured


def test_a_path_keeps_its_file_name() -> None:
    frame = pl.DataFrame({"source_path": ["/home/somebody/archive/2026/run-0001.jsonl"], "lines": [7]})
    assert rendered(frame, "table", width=28).splitlines()[2] == "…/2026/run-0001.jsonl      7"


def test_wide_letters_are_two_cells() -> None:
    frame = pl.DataFrame({"name": ["日本語の名前", "abc"], "calls": [1, 22]})
    assert rendered(frame, "table") == "name          calls\n───────────────────\n日本語の名前      1\nabc              22\n"


def test_no_rows() -> None:
    nothing = SPEND.clear()
    assert rendered(nothing, "json") == "[]\n"
    assert rendered(nothing, "ndjson") == ""
    assert rendered(nothing, "csv") == "model,requests,input_tokens,cost_usd,cost_share,is_cost_complete\n"
    assert rendered(nothing, "markdown").count("\n") == 2
    assert rendered(nothing, "table").count("\n") == 3


def test_every_format_agrees_cell_for_cell(tmp_path: Path) -> None:
    rows = SPEND.to_dicts()
    assert json.loads(rendered(SPEND, "json")) == rows
    assert [json.loads(line) for line in rendered(SPEND, "ndjson").splitlines()] == rows
    assert pl.read_csv(io.StringIO(rendered(SPEND, "csv")), schema=SPEND.schema).to_dicts() == rows
    out = tmp_path / "spend.parquet"
    with out.open("wb") as file:
        render.write(SPEND, "parquet", file)
    assert pl.read_parquet(out).to_dicts() == rows
    words = [re.split(r"\s{2,}", line.strip()) for line in rendered(SPEND, "table").splitlines()[3:]]
    assert [line.strip("| ").split(" | ") for line in rendered(SPEND, "markdown").splitlines()[2:]] == [
        [escapes.markdown(word) for word in row] for row in words
    ]


def test_a_table_shows_no_control_or_bidi_character() -> None:
    for form in ("table", "markdown", "csv"):
        assert all(char.isprintable() or char == "\n" for char in rendered(ODD, form)), form
    assert r"\x1b[2J\x00" in rendered(ODD, "table")
    assert r"\u202egpj.exe\u200b" in rendered(ODD, "table")


def test_json_and_parquet_keep_every_character() -> None:
    assert [row["tool_name"] for row in json.loads(rendered(ODD, "json"))] == ODD["tool_name"].to_list()
    out = io.BytesIO()
    render.write(ODD, "parquet", out)
    assert pl.read_parquet(out.getvalue())["tool_name"].to_list() == ODD["tool_name"].to_list()


def test_markdown_markup_is_escaped() -> None:
    lines = rendered(ODD, "markdown").splitlines()
    assert lines[3] == r"| a\|b | 2 |"
    assert lines[4] == r"| &lt;b&gt;\*x\*&lt;/b&gt; | 3 |"
    assert lines[7] == "| plain_name | 6 |"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_a_csv_text_cannot_be_a_formula(text: str) -> None:
    ((cell, figure),) = list(csv.reader(io.StringIO(rendered(pl.DataFrame({"text": [text], "number": [-1]}), "csv"), newline="")))[1:]
    assert (cell, figure) == (f"'{text}", "-1")


def test_csv_tells_an_empty_text_from_null() -> None:
    assert rendered(pl.DataFrame({"a": ["", None], "b": [1, 2]}), "csv") == 'a,b\n"",1\n,2\n'


def test_csv_keeps_line_breaks_in_quotes() -> None:
    assert rendered(pl.DataFrame({"a": ['x\n"y"']}), "csv") == 'a\n"x\n""y"""\n'


def test_names_of_columns_are_cells_too() -> None:
    assert rendered(pl.DataFrame({"=a": [1], "'=a": [2]}), "csv") == "'=a,'=a\n1,2\n"


def test_figures_of_any_width_and_times_in_utc() -> None:
    frame = pl.DataFrame(
        {
            "wide": pl.Series([2**100, None], dtype=pl.Decimal(38, 0)),
            "decimal": pl.Series([Decimal("1.50"), None], dtype=pl.Decimal(10, 2)),
            "at": pl.Series([dt.datetime(2026, 1, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")), None], dtype=pl.Datetime("us", "Europe/Berlin")),
            "day": [dt.date(2026, 1, 1), None],
            "not_a_number": [float("nan"), float("inf")],
            "parts": [[{"at": dt.datetime(2026, 1, 1, microsecond=120000, tzinfo=dt.UTC), "wide": Decimal(7)}], None],
            "raw": [b"\xaa", None],
        }
    )
    assert json.loads(rendered(frame, "json")) == [
        {
            "wide": 2**100,
            "decimal": 1.5,
            "at": "2026-01-01T00:00:00Z",
            "day": "2026-01-01",
            "not_a_number": None,
            "parts": [{"at": "2026-01-01T00:00:00.120Z", "wide": 7}],
            "raw": "aa",
        },
        {"wide": None, "decimal": None, "at": None, "day": None, "not_a_number": None, "parts": None, "raw": None},
    ]
    lines = list(csv.reader(io.StringIO(rendered(frame, "csv"))))
    assert lines[1][:4] == [str(2**100), "1.5", "2026-01-01T00:00:00Z", "2026-01-01"]
    assert lines[1][5] == '[{"at": "2026-01-01T00:00:00.120Z", "wide": 7}]'
    assert rendered(frame.select("parts", "raw"), "table").splitlines()[2].split("  ") == [lines[1][5], "aa"]


def test_a_table_shows_times_in_the_zone_asked_for() -> None:
    frame = pl.DataFrame({"started_at": [dt.datetime(2026, 7, 1, 22, 30, tzinfo=dt.UTC)]})
    assert rendered(frame, "table", zone="Europe/Berlin").splitlines()[2] == "2026-07-02 00:30:00"


@pytest.mark.parametrize(
    ("moment", "zone", "shown"),
    [
        (dt.datetime.min.replace(tzinfo=dt.UTC), "America/Denver", "0001-01-01 00:00:00Z"),
        (dt.datetime.min.replace(tzinfo=dt.UTC), "Asia/Tokyo", "0001-01-01 09:18:59"),
        (dt.datetime.max.replace(tzinfo=dt.UTC), "Asia/Tokyo", "9999-12-31 23:59:59Z"),
        (dt.datetime.max.replace(tzinfo=dt.UTC), "America/Denver", "9999-12-31 16:59:59"),
    ],
)
@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_time_at_an_end_of_the_calendar_is_shown(moment: dt.datetime, zone: str, shown: str, form: str) -> None:
    frame = pl.DataFrame({"started_at": [moment]})
    assert rendered(frame, form, zone=zone).splitlines()[2].strip("| ") == shown


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [
        ("calls", 1234567, "1,234,567"),
        ("calls", -1234, "-1,234"),
        ("calls", 2**70, "1,180,591,620,717,411,303,424"),
        ("ratio", 0.1 + 0.2, "0.3"),
        ("ratio", 1234567.5, "1,234,567.5"),
        ("ratio", 0.00000012, "1.2e-07"),
        ("ratio", -0.0, "0"),
        ("line_no", 12345, "12345"),
        ("error_status", 529, "529"),
        ("cost_usd", 0.0, "0.00"),
        ("cost_usd", -1e-12, "0.00"),
        ("cost_usd", 12.5, "12.50"),
        ("cost_usd", 12.345, "12.345"),
        ("cost_usd", 12.34567, "12.3457"),
        ("cost_usd", -0.25, "-0.25"),
        ("cost_usd", 0.000001, "<0.0001"),
        ("cost_usd", -0.000001, ">-0.0001"),
        ("cost_usd", float("inf"), "inf"),
        ("duration_ms", float("nan"), "nan"),
        ("source_bytes", float("-inf"), "-inf"),
        ("hit_share", 0.9342, "93.4%"),
        ("hit_share", 0.9999, ">99.9%"),
        ("hit_share", 1.0, "100.0%"),
        ("hit_share", 0.0001, "<0.1%"),
        ("hit_share", 0.0, "0.0%"),
        ("gap_share", -0.0001, ">-0.1%"),
        ("duration_ms", 0, "0ms"),
        ("duration_ms", 0.2, "<1ms"),
        ("duration_ms", 850, "850ms"),
        ("duration_ms", 999.6, "1.0s"),
        ("duration_ms", 1234, "1.2s"),
        ("duration_ms", 59_960, "1m 00s"),
        ("duration_ms", 83_000, "1m 23s"),
        ("duration_ms", 3_599_700, "1h 00m"),
        ("duration_ms", 7_500_000, "2h 05m"),
        ("duration_ms", 86_390_000, "1d 00h"),
        ("duration_ms", 273_600_000, "3d 04h"),
        ("duration_ms", -1500, "-1.5s"),
        ("source_bytes", 850, "850 B"),
        ("source_bytes", 1_234_567, "1.2 MB"),
        ("source_bytes", 999_960, "1.0 MB"),
        ("is_final", True, "yes"),
        ("models", ["opus", "ha\niku"], r"opus, ha\niku"),
        ("parts", {"a": 1}, '{"a": 1}'),
        ("parts", [{"at": dt.date(2026, 1, 1), "of": float("nan")}], '[{"at": "2026-01-01", "of": null}]'),
        ("raw", b"\xaa\0", "aa00"),
        ("hour", dt.datetime(2026, 1, 1, 9, tzinfo=dt.UTC), "2026-01-01 09:00"),
        ("day", dt.date(1, 1, 1), "0001-01-01"),
    ],
)
def test_a_cell_in_words(column: str, value: object, text: str) -> None:
    kind = pl.Decimal(38, 0) if isinstance(value, int) and value >= 2**63 else None
    assert cells.texts(pl.Series(column, [value], dtype=kind), ZoneInfo("UTC")) == [text]


def test_dollars_of_a_column_have_as_many_decimals_as_one_of_them_needs() -> None:
    assert cells.texts(pl.Series("cost_usd", [1234.5, 0.125, None]), ZoneInfo("UTC")) == ["1,234.500", "0.125", None]
    assert cells.texts(pl.Series("cost_usd", [1234.5, 0.00055, 1e-9]), ZoneInfo("UTC")) == ["1,234.5000", "0.0006", "<0.0001"]


def test_dollars_of_a_report_have_the_same_decimals_in_every_column_and_in_the_totals() -> None:
    frame = pl.DataFrame({"run_id": ["a", "b"], "cost_usd": [1.5, 2.5], "gap_usd": [0.25, 0.125]})
    lines = rendered(frame, "table", totals=pl.DataFrame({"cost_usd": [4.0], "gap_usd": [0.375]})).splitlines()
    assert [line.split()[1:] for line in lines if "0." in line] == [["1.500", "0.250"], ["2.500", "0.125"], ["4.000", "0.375"]]


def test_other_formats_are_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="unknown format 'html'; valid: table, json, ndjson, csv, markdown, parquet"):
        rendered(SPEND, "html")


@given(st.lists(st.tuples(st.text(max_size=40), st.integers(-(2**63), 2**63 - 1)), max_size=4), st.integers(1, 120))
def test_whatever_the_text_and_width_a_table_is_plain_lines_with_every_digit(rows: list[tuple[str, int]], width: int) -> None:
    frame = pl.DataFrame(rows, schema={"name": pl.String, "calls": pl.Int64}, orient="row")
    printed = rendered(frame, "table", width=width)
    assert all(char.isprintable() or char == "\n" or unicodedata.category(char) == "Zs" for char in printed)
    assert [line.split()[-1] for line in printed.splitlines()[2:]] == [f"{calls:,}" for _, calls in rows]


@given(st.text())
def test_a_csv_cell_is_read_back_as_one_cell(text: str) -> None:
    ((cell, last),) = list(csv.reader(io.StringIO(rendered(pl.DataFrame({"a": [text], "b": [1]}), "csv"), newline="")))[1:]
    assert (cell, last) == (escapes.csv(text), "1")
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.text())
def test_a_markdown_cell_is_one_cell_of_one_line(text: str) -> None:
    cell = escapes.markdown(text)
    assert "\n" not in cell
    assert re.search(r"(?<!\\)(\\\\)*\|", cell) is None
