"""A damaged line → the records that can be recovered from it, and what was wrong.

Knows JSON and bytes, no harness. Called only for lines that did not decode, so it may take its time.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator


def _no_constant(name: str) -> None:
    msg = f"{name} is no JSON"
    raise ValueError(msg)


_SURROGATE = re.compile(
    rb"(?<!\\)((?:\\\\)*)(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_TYPE = re.compile(
    rb'[^{]*+\{(?:\s*+"[^"\\]*+"\s*+:\s*+(?:"(?:[^"\\]|\\.)*+"|[-+.\w]++)\s*+,)*?\s*+"type"\s*+:\s*+"([A-Za-z0-9_.-]{1,64})"',
    re.DOTALL,
)
_OUT_OF_RANGE = re.compile(rb"([:\[,]\s*)-?\d+(?:\.\d+)?[eE]\+?\d{3,}(?=\s*[,}\]])")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f]")
_AROUND = b"\0\r\n\t "
_START = re.compile(r'\{\s*"')
_SPACE = re.compile(r"[\s\0]*")
MAX_STARTS = 1000
"""So many places of a damaged line are tried as the start of a record."""
_WHOLE = json.JSONDecoder(parse_constant=_no_constant)


class Repair(NamedTuple):
    """The records recovered from a line (none: it is unreadable), the reason, the detail, and the type of a record that was lost."""

    records: list[bytes]
    reason: str
    detail: str
    lost_type: str | None = None


def repair(data: bytes) -> Repair:
    """Recover the JSON objects of a line that is not one JSON object in clean UTF-8."""
    if not data.strip(_AROUND):
        return Repair([], "nul", f"{data.count(0)} NUL bytes")
    reason, clean, fault = "", data, ""
    for reason, clean in _cleaned(data):
        fault = _fault(clean)
        if not fault:
            return Repair([clean], reason, _DETAIL[reason])
    if fault.startswith("recursion"):
        return Repair([], "too_deep", fault)
    records, rest = _objects(clean.decode())
    if not records:
        return Repair([], _unreadable_reason(clean, fault), fault, native_type_of(clean))
    if len(records) > 1:
        reason = "glued"
    elif reason == "trailing" and not clean.startswith(records[0].encode()):
        reason = "prefixed"
    return Repair([record.encode() for record in records], reason, f"{_DETAIL[reason]}: {fault}", native_type_of(rest.strip().encode()))


def _unreadable_reason(data: bytes, fault: str) -> str:
    if fault.startswith("Expected `object`"):
        try:
            msgspec.json.decode(data)
        except RecursionError:
            return "too_deep"
        except msgspec.DecodeError:
            return "not_json"
        return "not_object"
    return "cut" if data.startswith(b"{") and "truncated" in fault else "not_json"


_DETAIL = {
    "bad_utf8": "bytes that are no UTF-8 were replaced",
    "lone_surrogate": "escaped lone surrogates were replaced",
    "bad_value": "a number beyond all range was set to NULL",
    "control_character": "raw control characters were escaped",
    "prefixed": "text before the record",
    "trailing": "text or NULs after the record",
    "glued": "several records on one line",
}


def native_type_of(data: bytes) -> str | None:
    """The `type` that a line begins with, also where the line is cut."""
    match = _TYPE.match(data.lstrip())
    return match[1].decode() if match else None


def _cleaned(data: bytes) -> Iterator[tuple[str, bytes]]:
    """The line in ever cleaner versions, each with what was replaced last: every one is tried before more is changed."""
    reason, clean = "trailing", data.strip(_AROUND)
    yield reason, clean
    try:
        clean.decode()
    except UnicodeDecodeError:
        reason, clean = "bad_utf8", clean.decode("utf-8", "replace").encode()
        yield reason, clean
    without = _SURROGATE.sub(lambda match: match[1] + (match[2] or rb"\ufffd"), clean)
    if without != clean:
        reason, clean = "lone_surrogate", without
        yield reason, clean
    without = _OUT_OF_RANGE.sub(rb"\1null", clean)
    if without != clean:
        reason, clean = "bad_value", without
        yield reason, clean
    without = _CONTROL.sub(lambda match: b"\\u%04x" % match[0][0], clean)
    if without != clean:
        yield "control_character", without


def _fault(data: bytes) -> str:
    try:
        msgspec.json.decode(data, type=dict)
    except RecursionError as error:
        return f"recursion: {error}"
    except msgspec.DecodeError as error:
        return str(error)
    return ""


def _objects(text: str) -> tuple[list[str], str]:
    """The JSON objects that follow one another in the line, and the text around them.

    Objects at the line's start are taken with whatever follows; after other text (a log prefix, a torn record) they must reach the end of the
    line, so that no inner object of a cut record passes for a record.
    """
    found, end = _row(text, 0)
    if found:
        return found, text[end:]
    for tried, start in enumerate(_START.finditer(text, 1)):
        if tried == MAX_STARTS:
            break
        found, end = _row(text, start.start())
        if found and not text[end:].strip("\0\r "):
            return found, text[: start.start()]
    return [], text


def _row(text: str, at: int) -> tuple[list[str], int]:
    """The objects that stand one after another from `at`, and where the last one ends."""
    found: list[str] = []
    while text.startswith("{", at):
        try:
            _, end = _WHOLE.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(text[at:end])
        at = _SPACE.match(text, end).end()  # type: ignore[union-attr]  # matches the empty string too
    return found, at
