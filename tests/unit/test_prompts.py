"""What docs/prompts.md says of its example sentences is what the gate detects in them."""

import re
from pathlib import Path

import msgspec
import pytest
from tests.unit.risk.builders import said

from holdpoint.core.risk import metadata_of
from holdpoint.messages.risk import Assessment, Heuristic, IntentMetadata, RiskLevel, Scope

PAGE = (Path(__file__).parents[2] / "docs" / "prompts.md").read_text("utf-8")
BLOCK = PAGE.partition("```text\n")[2].partition("```")[0]
EXAMPLE = re.compile(r'- "([^"]+)"\n +-> ([^\n]+)')
EXAMPLES = EXAMPLE.findall(BLOCK)
ROADS = {"waits": True, "goes on": False}


def claimed(text: str) -> tuple[IntentMetadata, set[Heuristic]]:
    """`waits | high | batch_update | 250 rows | magnitude`."""
    road, level, *rest = text.split(" | ")
    signals = {Heuristic(word) for word in rest if word in set(Heuristic)}
    named = [word for word in rest if word not in signals]
    scopes = [word.split(" ") for word in named if " " in word]
    types = [word for word in named if " " not in word]
    assert len(types) <= 1, text
    return (
        IntentMetadata(
            confirmation_required=ROADS[road],
            risk_level=RiskLevel(level),
            action_type="".join(types),
            scope=Scope(records=int(scopes[0][0]), type=scopes[0][1]) if scopes else msgspec.UNSET,
        ),
        signals,
    )


def halting(found: Assessment) -> set[Heuristic]:
    return {one.heuristic for one in found.signals if one.level >= RiskLevel.HIGH}


@pytest.mark.parametrize(("sentence", "claim"), EXAMPLES)
def test_each_example_is_detected_as_the_block_claims(sentence: str, claim: str) -> None:
    metadata, signals = claimed(claim)
    found = said(sentence)

    assert metadata_of(found) == metadata
    assert signals == halting(found)


def test_every_sentence_of_the_block_is_an_example_or_a_bad_one() -> None:
    quoted = set(re.findall(r'"([^"]+)"', BLOCK))
    bad = set(re.findall(r'Not: "([^"]+)"', BLOCK))

    assert quoted == {sentence for sentence, _ in EXAMPLES} | bad
    assert len(EXAMPLES) >= 12


def test_the_block_teaches_every_signal_of_the_specification() -> None:
    taught = {signal for _, claim in EXAMPLES for signal in claimed(claim)[1]}

    assert taught == {
        Heuristic.IRREVERSIBILITY,
        Heuristic.MAGNITUDE,
        Heuristic.CRITICALITY,
        Heuristic.UNCERTAINTY,
    }


def test_what_the_block_warns_of_would_have_told_nobody() -> None:
    for sentence in re.findall(r'Not: "([^"]+)"', BLOCK):
        assert not metadata_of(said(sentence)).confirmation_required, sentence
