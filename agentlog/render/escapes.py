"""Names from transcripts → text that cannot act: on a terminal, in Markdown, in a spreadsheet.

Every text cell of a table, a Markdown document or a CSV file passes through here. JSON and Parquet keep text exactly and do not.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_MARKUP: Final = re.compile(r"[\\`*\[\]|~$<>&]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
_ENTITIES: Final = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")


def visible(text: str, *, keep: str = "") -> str:
    r"""The text with control, bidi, zero-width and unassigned characters as escapes (`\x1b`, `\u202e`), `keep` left out."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in keep or _is_space(char) else _escaped(char) for char in text)


def markdown(text: str) -> str:
    """The text as a Markdown table cell: `|` and markup escaped, an underscore inside a word left alone because it is no markup there."""
    return _MARKUP.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), visible(text))


def csv(text: str) -> str:
    """The text as a CSV cell: an apostrophe before what a spreadsheet would run as a formula; line breaks and tabs stay, in quotes."""
    guarded = f"'{text}" if text.startswith(_FORMULA_STARTS) else text
    return visible(guarded, keep="\t\n\r")


def _is_space(char: str) -> bool:
    return unicodedata.category(char) == "Zs"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
