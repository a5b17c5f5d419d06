"""Native model names → canonical ones, by exact rules.

A model has many spellings (router prefixes, Bedrock and Vertex ids, dates, context suffixes); prices, reported totals and requests meet on the
canonical one. Nothing here guesses: a rule removes a spelling of a provider, never a part that could tell two models apart. Opaque names stay.
"""

from __future__ import annotations

import re
from functools import lru_cache

SYNTHETIC = "<synthetic>"
"""The model name of messages that Claude Code makes itself (errors, limits); no model answered."""

_ROUTER = re.compile(r"^(?:openrouter/|vertex_ai/|bedrock/)?(?:anthropic/)?")
_BEDROCK = re.compile(r"^(?:[a-z]{2,6}(?:-[a-z]+)?\.)?anthropic\.")
_CONTEXT = re.compile(r"\[1m\]$")
_BEDROCK_VERSION = re.compile(r"-v\d+:\d+$")
_DATE = re.compile(r"[-@]20\d{6}$")


@lru_cache(maxsize=4096)
def canonical_model(native: str) -> str:
    """The name without spellings of providers: `us.anthropic.claude-opus-4-5-20251101-v1:0` → `claude-opus-4-5`."""
    if native.startswith("arn:"):
        return native
    name = _ROUTER.sub("", native)
    name = _BEDROCK.sub("", name)
    for suffix in (_CONTEXT, _BEDROCK_VERSION, _DATE):
        name = suffix.sub("", name)
    return name or native
