"""The registry: which formats agentlog reads, and which of them a source is, by evidence in its first records and never by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agentlog.errors import UnknownNameError
from agentlog.harnesses import claude
from agentlog.harnesses.protocol import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentlog.harnesses.protocol import Format

FORMATS: Final[tuple[Format, ...]] = claude.FORMATS

EVIDENCE_RECORDS: Final = 50
"""So many records of a source are looked at before its format is decided."""


def identify(records: Sequence[dict[str, Any]], harness: str | None = None) -> Format | str:
    """The format that these records are of, or why none can be told.

    With `harness`, only its formats are asked, and its first one is taken if none claims the records.
    """
    asked = FORMATS if harness is None else formats_of(harness)
    evidence = [(format.claims(records), format) for format in asked]
    strongest = max(strength for strength, _ in evidence)
    claims = [format for strength, format in evidence if strength is strongest is not Evidence.NONE]
    if len(claims) == 1:
        return claims[0]
    if claims:
        return f"claimed by {' and '.join(f'{one.harness} {one.name}' for one in claims)}"
    if harness is not None:
        return asked[0]
    if not records:
        return "no JSON object in it"
    seen = dict.fromkeys(_type_of(record) for record in records)
    return f"no format that agentlog reads; its records are of the types {', '.join(list(seen)[:6])}"


def is_certain(records: Sequence[dict[str, Any]]) -> bool:
    """Whether the records seen so far decide."""
    return any(format.claims(records) is Evidence.CERTAIN for format in FORMATS)


def formats_of(harness: str) -> tuple[Format, ...]:
    """The formats of one harness. Raises `UnknownNameError` where agentlog does not read it."""
    found = tuple(format for format in FORMATS if format.harness == harness)
    if not found:
        raise UnknownNameError("harness", harness, sorted({format.harness for format in FORMATS}))
    return found


def _type_of(record: dict[str, Any]) -> str:
    kind = record.get("type")
    return kind[:40] if isinstance(kind, str) and kind else "(none)"
