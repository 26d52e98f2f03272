"""Whatever is handed to the risk engine, of whatever kind, it answers; no exception escapes."""

from collections.abc import Callable
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.fuzz.cases import DANGEROUS
from tests.fuzz.layers import DISGUISES
from tests.fuzz.mutations import mutated
from tests.unit.risk.builders import an_action, the_policy

from holdpoint.core.risk import Context, assess
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged as assessed
from holdpoint.policy_lab.cases import Line, LineKind

SEED = 11
ANY = st.characters(exclude_categories=())
"""Half surrogates too."""

TEXTS = st.text(ANY, max_size=200) | st.binary(max_size=120).map(lambda raw: raw.decode("latin-1"))
KEYS = st.sampled_from(
    [
        "tool",
        "args",
        "arguments",
        "name",
        "method",
        "url",
        "body",
        "query",
        "headers",
        "_method",
        "amount",
        "currency",
        "count",
        "size",
        "sql",
        "command",
        "code",
        "ids",
        "filter",
        "value",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda held: st.lists(held, max_size=4) | st.dictionaries(KEYS | TEXTS, held, max_size=4),
    max_leaves=20,
)
SIGNS = st.sampled_from("'\"`$(){}[]<>|&;\\\n\r\t\0#*%@!~^\u200b\ud800\ue002")
PAYLOADS = st.dictionaries(KEYS, VALUES, max_size=6)
WITH_TEXT = [kind for kind in LineKind if kind not in {LineKind.TOOL_CALL, LineKind.HTTP}]


def judged(line: Line, policy: Policy) -> None:
    rules = [signal.rule for signal in assessed(line, policy).signals]
    assert "assessment.failed" not in rules


@pytest.mark.parametrize(
    "text", [r"\?", r"\;", r"SELECT 1; \?", r"\.", "\\", r"\dt \?", ".", "!", "@"]
)
def test_no_line_for_a_client_raises(text: str) -> None:
    judged(Line(id="", kind=LineKind.SQL, text=text), the_policy())
    judged(Line(id="", kind=LineKind.SHELL, text=f"psql -c '{text}'"), the_policy())


@pytest.mark.parametrize("kind", WITH_TEXT)
@settings(deadline=None, derandomize=True, max_examples=60)
@given(TEXTS)
def test_no_text_raises(kind: LineKind, text: str) -> None:
    judged(Line(id="", kind=kind, text=text), the_policy())


@pytest.mark.parametrize("kind", [LineKind.TOOL_CALL, LineKind.HTTP])
@settings(deadline=None, derandomize=True, max_examples=60)
@given(PAYLOADS)
def test_no_payload_raises(kind: LineKind, payload: dict[str, Any]) -> None:
    judged(Line(id="", kind=kind, payload=payload), the_policy())


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.sampled_from(DANGEROUS), st.sampled_from(DISGUISES), st.integers(0, 80), SIGNS)
def test_no_broken_disguise_raises(line: Line, disguise: Any, place: int, sign: str) -> None:
    changed = disguise.change(line) if disguise.kind is line.kind else line
    text = changed.text
    if text:
        judged(
            Line(id="", kind=changed.kind, text=text[:place] + sign + text[place:]), the_policy()
        )
        judged(Line(id="", kind=changed.kind, text=text[:place] + text[place + 1 :]), the_policy())
    judged(changed, the_policy())


def test_no_mutation_raises() -> None:
    dice = Random(SEED)  # noqa: S311
    for _ in range(1500):
        judged(mutated(dice.choice(DANGEROUS), dice.choice(DANGEROUS), dice), the_policy())


@pytest.mark.parametrize("kind", WITH_TEXT)
@pytest.mark.parametrize(
    "piece",
    ["(", "{", "$(", "[", "BEGIN ", "! ", "a=1 ", "time ", "'", '"', "`", "/*", "<p>", "\n"],
)
def test_no_depth_raises(kind: LineKind, piece: str) -> None:
    judged(Line(id="", kind=kind, text=piece * 3000), the_policy())


@pytest.mark.parametrize("key", ["args", "arguments", "body", "input"])
@pytest.mark.parametrize("within", [lambda held: [held], lambda held: {"requests": [held]}])
def test_no_nesting_raises(key: str, within: Callable[[Any], Any]) -> None:
    held: Any = {"tool": "delete_all", "method": "DELETE", "url": "/x"}
    for _ in range(3000):
        held = {key: within(held), "tool": "call", "method": "POST", "url": "/batch"}

    judged(Line(id="", kind=LineKind.TOOL_CALL, payload=held), the_policy())
    judged(Line(id="", kind=LineKind.HTTP, payload=held), the_policy())


def broken(held: Any) -> Any:
    """Half a character in every text and key."""
    if isinstance(held, dict):
        return {f"{key}\ud800" if len(key) > 6 else key: broken(held[key]) for key in held}
    if isinstance(held, list):
        return [broken(one) for one in held]
    return f"{held}\ud800" if isinstance(held, str) else held


@pytest.mark.parametrize("line", DANGEROUS, ids=lambda line: line.id[:50])
def test_half_a_character_anywhere_raises_nothing(line: Line) -> None:
    judged(replace(line, text=broken(line.text), payload=broken(line.payload)), the_policy())


class Broken(dict[str, Any]):
    """Arguments on which any reader fails."""

    def items(self) -> Any:
        raise RuntimeError("the token is s3cret")

    __iter__ = values = items


def test_what_the_engine_fails_on_is_critical_and_tells_no_value() -> None:
    action = replace(an_action("run_command", command="ls"), arguments=Broken(command="ls"))

    found = assess(action, Context(), the_policy())

    assert found.level is RiskLevel.CRITICAL
    assert not found.reads_only
    assert [signal.rule for signal in found.signals] == ["assessment.failed"]
    assert found.signals[0].evidence.startswith("RuntimeError in test_never_raises.py:")
