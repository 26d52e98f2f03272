"""No secret stands anywhere on a card, wherever the agent put it."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import (
    FOUND,
    METADATA,
    a_halted_hold,
    a_sentence,
    a_tool,
    an_action,
)

from holdpoint.core.card import Shown, card_of, draw
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold
from holdpoint.messages.risk import (
    Heuristic,
    RiskLevel,
    Scope,
    Signal,
)

SHOWN = Shown(group="finance", state="rendered", seal_key="k1", revision=7)


def drawn(hold: Hold, tool: Tool | None = None, shown: Shown = SHOWN) -> Card:
    entry = tool or a_tool()
    return card_of(replace(hold, ui=draw(hold, entry)), entry, shown)


def a_signal(evidence: str, reason: str = "It deletes.") -> Signal:
    return Signal(
        rule="deletes",
        heuristic=Heuristic.IRREVERSIBILITY,
        level=RiskLevel.HIGH,
        reason=reason,
        evidence=evidence,
    )


SECRETS = st.text(
    st.characters(min_codepoint=0x21, exclude_categories=("Cs", "Cn")), min_size=6, max_size=20
).map(lambda text: f"⟨§{text}§⟩")


@given(SECRETS, SECRETS)
def test_no_secret_stands_anywhere_on_a_card(by_name: str, by_pointer: str) -> None:
    both = f"{by_name} and {by_pointer}"
    hold = a_halted_hold(
        action=an_action(
            arguments={
                "password": by_name,
                "nested": {"iban": by_pointer, "note": f"say {both}"},
                "list": [both, {by_name: by_pointer}],
                "table": both,
            },
            preconditions={"sample": [both]},
        ),
        says=f"The password is {both}.",
        reason=both,
        assessment=replace(
            FOUND,
            target=both,
            verb=both,
            action_type=both,
            amount={"value": both, "currency": "USD"},
            signals=(a_signal(both, both), a_signal(by_name[1:]), a_signal(by_pointer[:-1])),
        ),
        metadata=replace(METADATA, action_type=both, scope=Scope(records=1, type=both)),
    )
    tool = a_tool(secret=("/nested/iban",), template="{password} {table} {nested} {target} {verb}")
    card = drawn(hold, tool, replace(SHOWN, result=both, warnings=(both,)))

    for text in (msgspec.json.encode(card).decode(), str(card)):
        assert by_name not in text
        assert by_pointer not in text
    for text in _texts(msgspec.to_builtins(card)):
        assert by_name[1:-1] not in text
        assert by_pointer[1:-1] not in text


@given(SECRETS)
def test_no_secret_of_a_claim_stands_on_the_card_of_a_sentence(secret: str) -> None:
    hold = a_sentence(claim={"api_key": secret, "command": secret}, says=f"I use {secret}.")

    for text in _texts(msgspec.to_builtins(drawn(hold))):
        assert secret not in text


def _texts(value: Any) -> list[str]:
    match value:
        case dict():
            return [text for pair in value.items() for part in pair for text in _texts(part)]
        case list() | tuple():
            return [text for part in value for text in _texts(part)]
        case str():
            return [value]
        case _:
            return []
