"""No secret stands anywhere on a card, wherever the agent put it."""

import string
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
from holdpoint.core.card_title import title_of
from holdpoint.core.redaction.display import MASK
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


KEY = "sk-proj-abcdefghijklmnopqrstuvwxyz123456"
AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
CURL = "curl -H 'Authorization: Bearer {}' https://x.example; export AWS_SECRET_ACCESS_KEY={}"


def test_a_credential_in_a_command_or_in_words_stands_nowhere_on_a_card() -> None:
    action = an_action(arguments={"command": CURL.format(KEY, AWS)})
    hold = a_halted_hold(
        action=action,
        says=f"password=hunter2 opens it, and {AWS} is the key.",
        reason=f"Not with {KEY}.",
        assessment=replace(
            FOUND, signals=(a_signal(AWS[2:30]), a_signal(f"x {KEY}", f"It has {KEY}."))
        ),
    )
    tool = a_tool(template="run {command}")
    card = drawn(hold, tool, replace(SHOWN, result=f"token={KEY}"))

    covered = CURL.format(MASK, MASK)
    assert card.title == f"Run {covered}"
    assert card.labels["proceed"] == f"Proceed: Run {covered}"
    assert card.ui.action.arguments == {"command": covered}
    assert card.ui.message == f"password={MASK} opens it, and {MASK} is the key."
    assert (card.reason, card.result) == (f"Not with {MASK}.", f"token={MASK}")
    assert [it.evidence for it in card.signals] == [MASK, f"x {MASK}"]
    whole = msgspec.json.encode(card).decode()
    assert not any(secret in whole for secret in (KEY, AWS, "hunter2"))
    assert card.digest == hold.digest
    assert hold.action == action


def test_a_word_that_was_called_a_password_hides_no_word_of_the_command() -> None:
    hold = a_halted_hold(
        action=an_action(arguments={"command": "rm -r production9"}),
        says="password=production9 token=delete: I delete production9.",
    )

    assert draw(hold, a_tool()).action.arguments == {"command": "rm -r production9"}
    assert title_of(hold, a_tool(template="run {command}")) == "Run rm -r production9"


TOKENS = st.text(string.ascii_letters + string.digits, min_size=24, max_size=60)


@given(TOKENS)
def test_no_credential_in_a_command_stands_anywhere_on_a_card(token: str) -> None:
    hold = a_halted_hold(
        action=an_action(arguments={"command": f"deploy --to prod --token sk-{token} && ls"}),
        says=f"Authorization: Bearer {token}",
        assessment=replace(FOUND, signals=(a_signal(f"--token sk-{token}"),)),
    )
    card = drawn(hold, a_tool(template="run {command}"))

    assert token not in msgspec.json.encode(card).decode()
    assert card.title == f"Run deploy --to prod --token {MASK} && ls"


def test_what_a_script_runs_under_a_secret_name_is_never_covered() -> None:
    sample = ["clean.sh would run, and says:", "    export API_TOKEN=abcd1234", "    $TOKEN -s 0 f"]
    hold = a_halted_hold(
        action=an_action(
            arguments={"command": "TOKEN=truncate ./clean.sh"}, preconditions={"sample": sample}
        ),
        says="TOKEN=truncate",
    )
    card = drawn(hold, a_tool(template="run {command}"))

    assert card.title == "Run TOKEN=truncate ./clean.sh"
    assert card.ui.action.arguments == {"command": "TOKEN=truncate ./clean.sh"}
    assert card.ui.message == "TOKEN=truncate"
    assert card.sample == (sample[0], f"    export API_TOKEN={MASK}", sample[2])
