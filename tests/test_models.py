"""Model names: spellings of providers meet on one name, and nothing else does."""

from __future__ import annotations

import pytest

from agentlog.models import canonical_model


@pytest.mark.parametrize(
    "spelling",
    [
        "claude-opus-4-5",
        "claude-opus-4-5-20251101",
        "claude-opus-4-5[1m]",
        "claude-opus-4-5-20251101[1m]",
        "anthropic/claude-opus-4-5",
        "openrouter/anthropic/claude-opus-4-5",
        "claude-opus-4-5@20251101",
        "us.anthropic.claude-opus-4-5-20251101-v1:0",
        "eu.anthropic.claude-opus-4-5-20251101-v1:0[1m]",
        "us-gov.anthropic.claude-opus-4-5-20251101-v1:0",
        "global.anthropic.claude-opus-4-5-v1:0",
        "anthropic.claude-opus-4-5-20251101-v2:0",
    ],
)
def test_spellings_of_one_model(spelling: str) -> None:
    assert canonical_model(spelling) == "claude-opus-4-5"


@pytest.mark.parametrize(
    "name",
    [
        "claude-opus-4-5-fast",
        "gpt-4o-2024-08-06",
        "gpt-4-0613",
        "glm-5.1",
        "zai-org/GLM-4.6",
        "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-5-20251101-v1:0",
        "model-12345678",
        "[1m]",
    ],
)
def test_names_that_stay(name: str) -> None:
    assert canonical_model(name) == name
