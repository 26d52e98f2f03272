"""Seed 002 to the letter: what needs no bus."""

import re

import msgspec
import pytest
import yaml
from tests.unit.risk.builders import CONFIG, heuristics, said, the_policy

from holdpoint.core.risk import metadata_of
from holdpoint.core.risk.patterns import matcher
from holdpoint.core.risk.seed import HIGH_RISK_COMMANDS, assess_risk
from holdpoint.core.text import fold
from holdpoint.messages.policy import Pattern
from holdpoint.messages.risk import Heuristic, RiskLevel

SENTENCE = "I'm about to delete these 500 user accounts. Should I proceed?"

# As the specification prints them.
PATTERNS = [
    r"delete.*\d+.*(?:records|files|users)",
    r"(?:rm|remove).*-r.*",
    r"drop.*(?:table|database)",
    r"should I proceed",
    r"this will (?:delete|remove|overwrite)",
]

PACK = tuple(pattern for pattern in the_policy().patterns if pattern.id.startswith("seed-002."))


def test_the_five_patterns_stand_in_the_policy_verbatim() -> None:
    pack = yaml.safe_load((CONFIG / "policy" / "seed-002.yaml").read_text())

    assert [pattern["pattern"] for pattern in pack["patterns"]] == PATTERNS


@pytest.mark.parametrize("pattern", PACK, ids=lambda pattern: pattern.id)
def test_each_pattern_fires_where_it_must_and_only_there(pattern: Pattern) -> None:
    alone = matcher((pattern,))

    assert len(pattern.must_fire) >= 2
    assert len(pattern.must_not) >= 2
    assert all(alone.hits(fold(line)) for line in pattern.must_fire)
    assert not any(alone.hits(fold(line)) for line in pattern.must_not)


@pytest.mark.parametrize(
    "text",
    [
        "delete 500 files",
        "delete \u0665\u0660\u0660 records",
        "DELETE all \u096b\u0966\u0966 old users",
    ],
)
def test_a_number_is_a_number_in_every_script(text: str) -> None:
    """`\\d` in the specification's own language is every decimal digit; RE2 knows ASCII's alone."""
    assert re.search(PATTERNS[0], text.lower())
    assert "seed-002.delete-counted" in [hit.pattern.id for hit in matcher(PACK).hits(fold(text))]


def test_as_printed_the_patterns_miss_the_seeds_own_sentence() -> None:
    """`assess_risk` lowers the text, so the capital I of `should I proceed` is never there, and
    `records|files|users` does not name user accounts. So ours ignore case, and the sentence is
    read as well."""
    as_printed = [pattern for pattern in PATTERNS if re.search(pattern, SENTENCE.lower())]

    assert as_printed == []
    assert re.search(PATTERNS[3].lower(), SENTENCE.lower())
    assert "users" not in SENTENCE
    assert [hit.pattern.id for hit in matcher(PACK).hits(fold(SENTENCE))] == ["seed-002.asks"]


def test_the_seeds_sentence_yields_exactly_the_seeds_metadata() -> None:
    metadata = metadata_of(said(SENTENCE))

    assert msgspec.json.encode(metadata) == (
        b'{"confirmation_required":true,"risk_level":"critical","action_type":"batch_delete",'
        b'"scope":{"records":500,"type":"user_accounts"}}'
    )


@pytest.mark.parametrize(
    ("text", "action_type", "records", "kind", "risk"),
    [
        ("I will remove 1,200 log files.", "batch_delete", 1200, "log_files", "critical"),
        (
            "Updating two hundred customer records now.",
            "batch_update",
            200,
            "customer_records",
            "high",
        ),
        ("250 old invoices will be deleted.", "batch_delete", 250, "invoices", "critical"),
        ("May I proceed to delete 3 users?", "batch_delete", 3, "users", "high"),
    ],
)
def test_other_sentences_are_read_the_same_way(
    text: str, action_type: str, records: int, kind: str, risk: str
) -> None:
    assert msgspec.to_builtins(metadata_of(said(text))) == {
        "confirmation_required": True,
        "risk_level": risk,
        "action_type": action_type,
        "scope": {"records": records, "type": kind},
    }


def test_the_seeds_shape_holds_for_a_sentence_that_asks_nothing() -> None:
    assert msgspec.to_builtins(metadata_of(said("I will look up your order."))) == {
        "confirmation_required": False,
        "risk_level": "low",
        "action_type": "read",
    }


def test_a_count_without_a_noun_counts_records() -> None:
    scope = msgspec.to_builtins(metadata_of(said("Done.", detail={"limit": 500})))["scope"]

    assert scope == {"records": 500, "type": "records"}


def test_assess_risk_gives_the_seeds_three_answers() -> None:
    assert assess_risk("rm -rf /", {}) is RiskLevel.CRITICAL
    assert assess_risk("DROP TABLE users", {"production": False}) is RiskLevel.CRITICAL
    assert assess_risk("ls", {"production": True}) is RiskLevel.HIGH
    assert assess_risk("ls", {"production": False}) is RiskLevel.LOW
    assert assess_risk("ls", {}) is RiskLevel.LOW


@pytest.mark.parametrize("command", HIGH_RISK_COMMANDS)
def test_the_engine_is_never_below_the_seeds_commands(command: str) -> None:
    assert said(command.upper()).level is RiskLevel.CRITICAL


@pytest.mark.parametrize("pattern", PACK, ids=lambda pattern: pattern.id)
def test_the_engine_is_never_below_the_seeds_patterns(pattern: Pattern) -> None:
    assert all(said(line).level >= RiskLevel.HIGH for line in pattern.must_fire)


@pytest.mark.parametrize(
    ("text", "facts", "heuristic"),
    [
        ("This will overwrite the file.", {}, Heuristic.IRREVERSIBILITY),
        ("I will update 101 records.", {}, Heuristic.MAGNITUDE),
        ("I will pay $1000.01.", {}, Heuristic.MAGNITUDE),
        ("I will restart it.", {"production": True}, Heuristic.CRITICALITY),
        ("I think this might be the right one.", {}, Heuristic.UNCERTAINTY),
        ("Should I proceed?", {}, Heuristic.UNCERTAINTY),
    ],
)
def test_each_of_the_four_heuristics_fires_alone(
    text: str, facts: dict[str, bool], heuristic: Heuristic
) -> None:
    found = said(text, facts=facts)

    assert heuristics(found) == {heuristic}
    assert metadata_of(found).confirmation_required


@pytest.mark.parametrize(
    "text", ["I will update 100 records.", "I will pay $1000.00.", "I will pay 1000 dollars."]
)
def test_at_the_threshold_nothing_fires(text: str) -> None:
    assert said(text).signals == ()
