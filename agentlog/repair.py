"""A damaged line → the records that can be recovered from it, and what was wrong.

Knows JSON and bytes, no harness. Called only for lines that did not decode, so it may take its time, in proportion to the line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from agentlog.salvage import Setting, salvage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Known = Callable[[bytes, Setting], bool]

MAX_DEPTH: Final = 200
"""What is nested more deeply becomes NULL where a line nests too deeply to decode: no field that is read lies so deep."""

_SURROGATE: Final = re.compile(
    rb"(?<!\\)((?:\\\\)*)(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_TYPE: Final = re.compile(
    rb'[^{]*+\{(?:\s*+"[^"\\]*+"\s*+:\s*+(?:"(?:[^"\\]|\\.)*+"|[-+.\w]++)\s*+,)*?\s*+"type"\s*+:\s*+"([A-Za-z0-9_.-]{1,64})"',
    re.DOTALL,
)
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_STRINGS: Final = re.compile(_STRING, re.DOTALL)
_NUMBER: Final = re.compile(_STRING + rb"|(-?(?:\d+(?:\.\d+)?[eE]\+?\d{3,}|\d{4301,}|\d{309,}\.\d+)(?=[\s,}\]]))", re.DOTALL)
"""A string, or a number beyond the range of floats or longer than Python reads."""
_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
_BRACKETS: Final = re.compile(_STRING + rb"|[{\[]++|[}\]]++", re.DOTALL)
_AROUND: Final = b"\0\r\n\t "
_skip = msgspec.json.Decoder(msgspec.Raw).decode
_decode = msgspec.json.Decoder(dict).decode
_BLANKED: Final = bytes(max(byte, ord(" ")) for byte in range(256))


class Repair(NamedTuple):
    """The records recovered from a line (none: it is unreadable), the reason, the detail, and the type of a record that was lost."""

    records: list[bytes]
    reason: str
    detail: str
    lost_type: str | None = None


class _Clean(NamedTuple):
    """A record as it can be decoded, and the reasons for which it was changed; `fault` if it still cannot."""

    data: bytes
    reasons: list[str]
    fault: str


def repair(data: bytes, is_known: Known = lambda _record, _setting: True) -> Repair:
    """Recover the JSON objects of a line that is not one JSON object in clean UTF-8.

    Objects at the line's start are records whatever their type; behind other text, or behind a record that breaks off, only those that `is_known` says are.
    """
    line = data.strip(_AROUND)
    if not line:
        return Repair([], "nul", f"{data.count(0)} NUL bytes")
    whole = _cleaned(line)
    if not whole.fault:
        reasons = whole.reasons or (["trailing"] if line != data.strip() else ["too_deep"])
        record = whole.data if reasons != ["too_deep"] else _pruned(whole.data)
        return Repair([record], _REASON.get(reasons[-1], reasons[-1]), _told(reasons))
    if whole.fault.startswith("Expected `object`") and (reason := _no_object(whole.data)):
        return Repair([], reason, whole.fault)
    found = _Recovered(line, is_known)
    if found.records:
        return Repair(found.records, found.reason, f"{found.detail}: {whole.fault}", found.lost_type)
    is_cut = line.startswith(b"{") and "truncated" in whole.fault
    return Repair([], "cut" if is_cut else "not_json", whole.fault, found.lost_type or native_type_of(line))


class _Recovered:
    """What can be recovered of a line that is no JSON object as a whole."""

    def __init__(self, line: bytes, is_known: Known) -> None:
        self.records: list[bytes] = []
        self._reasons: list[str] = []
        self._line, self._is_known = line, is_known
        try:
            spans, torn = salvage(_blanked(line), self._is_record)
        except RecursionError:
            self.records, self._reasons, self._line = [], ["too_deep"], _pruned(line)
            spans, torn = salvage(_blanked(self._line), self._is_record)
        lost = [native_type_of(self._line[begin:end]) for begin, end in torn]
        self.lost_type = "result" if "result" in lost else next((kind for kind in lost if kind is not None), None)
        self.reason = "glued" if len(spans) > 1 else "trailing" if spans and spans[0][0] == 0 else "prefixed"
        counted = f"{len(spans)} records on one line" if len(spans) > 1 else _DETAIL[self.reason]
        cut = [f"{len(torn)} cut"] if torn else []
        self.detail = "; ".join([counted, *cut, *([_told(self._reasons)] if self._reasons else [])])

    def _is_record(self, begin: int, end: int, setting: Setting) -> bool:
        record = _cleaned(self._line[begin:end])
        if record.fault or not (setting is Setting.ALONE or self._is_known(record.data, setting)):
            return False
        self.records.append(record.data)
        self._reasons += (reason for reason in record.reasons if reason not in self._reasons)
        return True


def _no_object(data: bytes) -> str | None:
    """Why a line that does not begin with an object is no record; None where it is no JSON at all."""
    try:
        _skip(data)
    except RecursionError:
        return "too_deep"
    except msgspec.DecodeError:
        return None
    return "not_object"


_DETAIL: Final = {
    "bad_utf8": "bytes that are no UTF-8 were replaced",
    "lone_surrogate": "escaped lone surrogates were replaced",
    "bad_value": "a number beyond all range was set to NULL",
    "control_character": "raw control characters were escaped",
    "prefixed": "text before the record",
    "trailing": "text or NULs after the record",
    "too_deep": f"what is nested more than {MAX_DEPTH} deep was set to NULL",
}
_REASON: Final = {"too_deep": "bad_value"}
"""Reasons that have another name once the line is repaired."""


def _told(reasons: Iterable[str]) -> str:
    return "; ".join(_DETAIL[reason] for reason in reasons)


def native_type_of(data: bytes) -> str | None:
    """The `type` that a line begins with, also where the line is cut."""
    match = _TYPE.match(data.lstrip())
    return match[1].decode() if match else None


def _cleaned(data: bytes) -> _Clean:
    """The record in the cleanest version that had to be made of it: every one is tried before more is changed."""
    reasons: list[str] = []
    fault = _fault(data)
    for reason, (clean, told_by) in _CLEANERS.items():
        if told_by in fault and fault:
            better = clean(data)
            if better != data:
                data, fault = better, _fault(better)
                reasons.append(reason)
    return _Clean(data, reasons, fault)


def _decodable(data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode()


def _without_surrogates(data: bytes) -> bytes:
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _SURROGATE.sub(lambda match: match[1] + (match[2] or rb"\ufffd"), data)


def _without_control(data: bytes) -> bytes:
    if _CONTROL.search(data) is None:
        return data
    return _STRINGS.sub(lambda string: _CONTROL.sub(lambda match: b"\\u%04x" % match[0][0], string[0]), data)


def _in_range(data: bytes) -> bytes:
    return _NUMBER.sub(lambda match: b"null" if match[1] else match[0], data)


def _pruned(data: bytes) -> bytes:
    """With NULL for what is nested more deeply than `MAX_DEPTH`."""
    kept, at, depth = [], 0, 0
    for token in _BRACKETS.finditer(data):
        begin, end = token.span()
        if data[begin] in b"{[":
            if depth <= MAX_DEPTH < depth + end - begin:
                kept += [data[at : begin + MAX_DEPTH - depth], b"null"]
                at = len(data)
            depth += end - begin
        elif data[begin] in b"}]":
            if depth > MAX_DEPTH >= depth - (end - begin):
                at = begin + depth - MAX_DEPTH
            depth = max(0, depth - (end - begin))
    return b"".join([*kept, data[at:]])


_CLEANERS: Final[dict[str, tuple[Callable[[bytes], bytes], str]]] = {
    "too_deep": (_pruned, "recursion"),
    "bad_utf8": (_decodable, ""),
    "lone_surrogate": (_without_surrogates, ""),
    "control_character": (_without_control, ""),
    "bad_value": (_in_range, "out of range"),
}
"""Reason → what takes its cause away, and the words of the faults that it can cause."""


def _blanked(line: bytes) -> bytes:
    """The line, byte for byte as long, without what would break the scan of a record that can be cleaned."""
    return _without_surrogates(line.translate(_BLANKED))


def _fault(data: bytes) -> str:
    """Why this is no JSON object; what a broken one holds is not made into objects, of which there may be millions."""
    try:
        if data.startswith(b"{"):
            _skip(data)
        _decode(data)
    except RecursionError as error:
        return f"recursion: {error}"
    except msgspec.DecodeError as error:
        return str(error)
    return ""
