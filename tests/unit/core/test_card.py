"""The card: drawn from the real action, sanitised, masked, never cut."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import (
    FOUND,
    METADATA,
    ONE_VOICE,
    T0,
    UI,
    a_hold,
    a_sentence,
    a_tool,
    a_voice,
    an_action,
    asked_of,
)

from holdpoint.core.card import SILENCE, Shown, card_of, draw
from holdpoint.core.card_facts import counted, may_take_passkey, takes_code, takes_passkey, undo_of
from holdpoint.core.card_reasons import quoted_once
from holdpoint.core.card_title import title_of
from holdpoint.core.redaction.display import MASK
from holdpoint.messages.card import BUTTONS, Card
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold, Outcome, Stage
from holdpoint.messages.policy import Method, Voices
from holdpoint.messages.risk import (
    Assessment,
    Heuristic,
    IntentMetadata,
    RiskLevel,
    Scope,
    Signal,
)

SHOWN = Shown(group="finance", state="rendered", seal_key="k1", revision=7)
ESCAPE, OVERRIDE = "\x1b[2J", "\u202e"


def drawn(hold: Hold, tool: Tool | None = None, shown: Shown = SHOWN) -> Card:
    entry = tool or a_tool()
    return card_of(replace(hold, ui=draw(hold, entry)), entry, shown)


def doing(**arguments: Any) -> Hold:
    return a_hold(action=an_action(arguments=arguments))


def a_signal(evidence: str, reason: str = "It deletes.") -> Signal:
    return Signal(
        rule="deletes",
        heuristic=Heuristic.IRREVERSIBILITY,
        level=RiskLevel.HIGH,
        reason=reason,
        evidence=evidence,
    )


def test_one_row_is_one_row() -> None:
    hold = a_hold(assessment=replace(FOUND, affected=1))
    eleven = a_hold(assessment=replace(FOUND, affected=11))

    assert title_of(hold, a_tool()) == "Delete 1 row in prod.users"
    assert title_of(eleven, a_tool()) == "Delete 11 rows in prod.users"


def test_four_calls_of_one_server_can_be_told_apart() -> None:
    properties = {"list": {"type": "string"}, "id": {"type": "integer"}}
    tool = a_tool(
        template="Delete task{acts_on} (MCP server tasks)",
        schema={"type": "object", "properties": properties, "required": ["id"]},
    )
    titles = {title_of(doing(id=number, list="a"), tool) for number in range(4)}

    assert "Delete task 3 (MCP server tasks)" in titles
    assert len(titles) == 4
    assert title_of(doing(list="\u202e{id}"), tool).startswith("Delete task \\u{202e}{id} (")
    assert title_of(doing(), tool) == "Delete task (MCP server tasks)"


def test_a_card_says_before_the_yes_that_it_cools_off() -> None:
    waits = a_hold(requirement=replace(ONE_VOICE, cooling_off_s=86_400))

    assert drawn(waits).on_yes == (
        "A yes starts a cooling-off of 1 day, in which anybody who was asked can stop it; "
        "then it runs."
    )
    assert drawn(replace(waits, outcome=Outcome.CONFIRMED, stage=Stage.RESOLVED)).on_yes == ""
    assert drawn(a_hold()).on_yes == ""


def test_the_ui_is_the_seed_s() -> None:
    found = replace(FOUND, reversible=True)
    ui = draw(a_hold(assessment=found), a_tool(undo="Restore the backup."))

    assert ui.message == "These users have not been seen since 2020."
    assert ui.risk_level is RiskLevel.HIGH
    assert ui.show_details
    assert ui.buttons == BUTTONS == ("Proceed", "Cancel")
    assert (ui.action.tool, ui.action.type, ui.action.verb) == (
        "delete_rows",
        "batch_delete",
        "delete",
    )
    assert (ui.action.affected, ui.action.target) == (412, "prod.users")
    assert (ui.action.reversible, ui.action.undo) == (True, "Restore the backup.")
    assert ui.action.arguments == an_action().arguments


def test_the_action_shown_is_the_real_one_not_what_the_agent_claims() -> None:
    hold = a_hold(claim={"table": "sandbox.nothing"}, says="I only read.")

    assert draw(hold, a_tool()).action.arguments == an_action().arguments


def test_the_title_is_the_tool_s_own_words() -> None:
    assert title_of(a_hold(), a_tool()) == "Delete 412 rows in prod.users"


def test_an_unknown_count_is_told_as_such() -> None:
    hold = a_hold(assessment=replace(FOUND, affected=None))

    assert title_of(hold, a_tool()) == "Delete an unknown number of rows in prod.users"


@pytest.mark.parametrize("affected", [None, 1, 1_200_000])
@pytest.mark.parametrize("verb", ["drop", "truncate", "alter"])
def test_what_is_done_to_a_whole_table_speaks_of_no_rows(verb: str, affected: int | None) -> None:
    hold = a_hold(assessment=replace(FOUND, affected=affected, verb=verb))
    tool = a_tool(template="{verb} {affected} rows in {target}")

    assert title_of(hold, tool) == f"{verb.capitalize()} prod.users"


def test_a_title_names_what_the_dry_run_says_is_made() -> None:
    action = replace(an_action(), preconditions={"summary": "create index i on crm.leads"})
    hold = a_hold(action=action, assessment=replace(FOUND, affected=None, verb="create"))
    tool = a_tool(template="{verb} {affected} rows in {target}")

    assert title_of(hold, tool) == "Create index i on crm.leads"
    assert draw(hold, tool).action.verb == "", "the title says it"


def test_a_count_of_none_says_that_nothing_is_there() -> None:
    hold = a_hold(assessment=replace(FOUND, affected=0))

    assert counted(drawn(hold, a_tool())).endswith("; nothing is there now")


def test_evidence_that_was_quoted_is_not_quoted_again() -> None:
    first, second = a_signal("DROP TABLE a", "“DROP TABLE a” drops a table."), a_signal("\nDROP")

    assert [each.evidence for each in quoted_once((first, second))] == ["", ""]


def test_the_buttons_begin_with_the_seed_s_words() -> None:
    assert drawn(a_hold()).labels == {
        "proceed": "Proceed: Delete 412 rows in prod.users",
        "cancel": "Cancel",
    }


def test_an_argument_never_stands_in_for_what_was_found() -> None:
    hold = doing(table="t", affected="0", target="nothing", verb="read")
    tool = a_tool(template="{verb} {affected} in {target}")

    assert title_of(hold, tool) == "Delete 412 in prod.users"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a\nrm -r /", r"Run a\nrm -r /"),
        ("a\tb  c", r"Run a\tb  c"),
        (f"a{OVERRIDE}b", r"Run a\u{202e}b"),
        ({"value": "150.00", "currency": "USD"}, "Run 150.00 USD"),
        (["a", {"b": 1}, 2], 'Run a, {"b":1}, 2'),
        (True, "Run true"),
        (None, "Run null"),
        ("", "Run “”"),
        ([], "Run “”"),
    ],
)
def test_a_title_has_one_honest_line(said: Any, shown: str) -> None:
    assert title_of(doing(it=said), a_tool(template="run {it}")) == shown


def test_an_argument_that_is_left_out_is_told_as_the_worker_takes_it() -> None:
    """Covered is only what is a secret: else a person thinks that something is kept from them."""
    said = {
        "currency": {"type": "string", "default": "USD"},
        "places": {"type": "array", "default": ["a", "b"]},
        "count": {"type": "integer", "default": 0},
        "blank": {"type": "string", "default": ""},
        "nothing": {"default": None},
        "needed": {"type": "string"},
        "api_key": {"default": "hunter2"},
        "pin": {"default": "1234"},
        "it": {"default": "another"},
    }
    tool = a_tool(schema={"properties": said}, secret=("/pin", "/needed"))
    for word, shown in {
        "currency": "USD",
        "places": "a, b",
        "count": "0",
        "blank": "(not given)",
        "nothing": "(not given)",
        "needed": "(not given)",
        "unheard_of": "(not given)",
        "api_key": MASK,
        "pin": MASK,
        "it": "given",
    }.items():
        titled = replace(tool, template=f"move {{{word}}} away")
        assert title_of(doing(it="given"), titled) == f"Move {shown} away", word
    assert title_of(doing(it="given"), a_tool(template="move {what} away")) == (
        "Move (not given) away"
    )


@pytest.mark.parametrize("template", ["{affected:.2f}", "{what.ever}", "{}", "{table[x]}", "{"])
def test_a_template_that_does_not_fit_gives_way_to_the_name(template: str) -> None:
    assert title_of(a_hold(), a_tool(template=template)) == "delete_rows"


def test_a_title_has_a_verb_and_a_place_even_where_nobody_knows_them() -> None:
    unknown = replace(a_hold().assessment, verb="", target="", affected=None)
    tool = a_tool(template="{verb} {affected} rows in {target}")

    shown = title_of(a_hold(assessment=unknown), tool)

    assert shown == "Change an unknown number of rows in database"


def test_a_sentence_is_titled_by_what_it_is_about() -> None:
    about = replace(METADATA, scope=Scope(records=500, type="user_accounts"))

    assert title_of(a_sentence(metadata=about), None) == "Delete 500 user accounts"
    assert title_of(a_sentence(metadata=_silent(), says=""), None) == "Delete"


def test_a_sentence_that_only_asks_is_titled_by_the_call_that_it_names() -> None:
    def titled(claim: dict[str, Any], says: str = "Should I proceed?") -> str:
        found = replace(FOUND, signals=())
        asks = a_sentence(metadata=_silent(), assessment=found, says=says, claim=claim)
        return title_of(asks, None)

    given = {"to": "ann", "cents": 500}
    assert titled({"tool": "wire_money", "arguments": given}) == "Wire money (to ann, cents 500)"
    assert titled({"type": "wire_money", **given}) == "Wire money (to ann, cents 500)"
    assert titled({"tool": "login", "args": {"password": "hunter2"}}) == f"Login (password {MASK})"
    assert titled({}) == "“Should I proceed?”"
    assert titled({"type": "wire"}, "I'll pay. Shall I go ahead?") == "“I'll pay”"


def test_a_sentence_that_counts_nothing_is_titled_by_the_agents_own_words() -> None:
    token = "ghp_" + "a1" * 18
    says = "The backup is done. I'll overwrite the file. Tell me if not."
    found = replace(FOUND, signals=(a_signal("overwrite"),))
    gone = replace(FOUND, signals=(a_signal("elsewhere"),))

    def titled(says: str, found: Assessment = gone) -> str:
        return title_of(a_sentence(metadata=_silent(), assessment=found, says=says), None)

    assert titled(says, found) == "“I'll overwrite the file”"
    assert titled(says) == "“The backup is done”"
    assert titled(f"I'll tell everybody {token}.") == f"“I'll tell everybody {MASK}”"
    assert titled("Should I proceed?") == "“Should I proceed?”"
    assert titled("I'll tell bob. Shall I go ahead?") == "“I'll tell bob”"
    assert titled("go on " * 40) == f"“{'go on ' * 13}g…”"


def test_a_yes_to_a_cancellation_does_not_repeat_its_title() -> None:
    found = replace(FOUND, signals=())
    hold = a_sentence(metadata=_silent(), assessment=found, says="Cancel the subscription.")

    assert drawn(hold).labels == {"proceed": "Proceed", "cancel": "Cancel"}


def test_a_sentence_shows_what_the_agent_claims_masked() -> None:
    hold = a_sentence(claim={"command": "rm -r /srv", "token": "abcdef"})

    assert draw(hold, None).action.arguments == {"command": "rm -r /srv", "token": MASK}
    assert drawn(hold).sample == ()


def test_what_an_agent_says_of_a_sentence_cannot_forge_the_card() -> None:
    forged = IntentMetadata(
        confirmation_required=True,
        risk_level=RiskLevel.LOW,
        action_type=f"read{ESCAPE}\nApproved by finance",
        scope=Scope(records=1, type=f"row{OVERRIDE}"),
    )
    card = drawn(a_sentence(metadata=forged, assessment=Assessment(level=RiskLevel.LOW)))

    assert card.title == r"Read\x1b[2J\nApproved by finance 1 row\u{202e}"
    assert ESCAPE not in str(card)
    assert OVERRIDE not in str(card)


def test_of_a_tool_that_nobody_knows_only_the_names_are_shown() -> None:
    hold = doing(path="/srv/x", body="s3cret words")
    card = card_of(replace(hold, ui=None), None, replace(SHOWN, result="wrote s3cret words"))

    assert card.ui.action.arguments == {"path": MASK, "body": MASK}
    assert (card.title, card.result) == ("delete_rows", f"wrote {MASK}")


def test_the_card_tells_how_the_hold_stands() -> None:
    hold = a_hold(requirement=asked_of(Voices(group="finance", voices=2)), voices=(a_voice("ann"),))
    card = drawn(hold)

    assert (card.voices, card.voices_needed) == (("ann",), 2)
    assert (card.digest, card.render_digest) == (hold.digest, hold.render_digest)
    assert (card.state, card.revision, card.seal_key, card.group) == (
        "rendered",
        7,
        "k1",
        "finance",
    )
    assert (card.halted_at, card.expires_at, card.on_silence) == (T0, hold.expires_at, SILENCE)
    assert (card.outcome, card.warnings, card.sample) == ("", (), ("user 17", "user 23"))


def test_the_card_keeps_what_was_rendered() -> None:
    assert card_of(a_hold(), a_tool(template="do nothing"), SHOWN).ui == UI


def test_a_card_leaves_out_a_scope_that_nobody_knows() -> None:
    unknown = replace(METADATA, scope=msgspec.UNSET)

    assert drawn(a_hold(metadata=unknown)).metadata == unknown
    assert drawn(a_hold()).metadata == METADATA


def test_an_amount_is_shown_as_text() -> None:
    hold = a_hold(assessment=replace(FOUND, amount={"value": "150.00", "currency": "USD"}))

    assert draw(hold, a_tool()).action.amount == {"value": "150.00", "currency": "USD"}


def test_a_closed_card_says_how_it_ended() -> None:
    card = drawn(a_hold(outcome=Outcome.CANCELLED, reason="No."))

    assert (card.outcome, card.reason) == ("cancelled", "No.")


def test_a_hold_that_asks_nobody_needs_no_voices() -> None:
    assert drawn(a_hold(requirement=None)).voices_needed == 0


def test_signals_are_shown_with_reason_and_evidence() -> None:
    hold = a_hold(assessment=replace(FOUND, signals=(a_signal(f"drop{ESCAPE}"),)))
    (signal,) = drawn(hold).signals

    assert (signal.reason, signal.evidence) == ("It deletes.", r"drop\x1b[2J")


@pytest.mark.parametrize(
    "hold",
    [
        a_hold(says=f"Pay{OVERRIDE}."),
        doing(note=f"a{ESCAPE}"),
        a_sentence(claim={"note": OVERRIDE}),
    ],
    ids=["in its words", "in an argument", "in its claim"],
)
def test_hidden_characters_are_warned_of(hold: Hold) -> None:
    assert drawn(hold).warnings == (
        "The agent's text held hidden characters; they are written out.",
    )


def test_other_warnings_stand_beside_it() -> None:
    told = replace(SHOWN, warnings=("No dry run was made.",))

    assert drawn(a_hold(), shown=told).warnings == ("No dry run was made.",)


def test_nothing_on_a_card_is_cut() -> None:
    long = "word " * 5_000
    card = drawn(a_hold(says=long, action=an_action(arguments={"table": long})))

    assert card.ui.message == long
    assert card.title == f"Delete 412 rows in {long}"
    assert card.ui.action.arguments["table"] == long


def _silent() -> IntentMetadata:
    return IntentMetadata(confirmation_required=True, risk_level=RiskLevel.LOW, action_type="")


CHAT, TOTP, PASSKEY = Method.CHAT, Method.TOTP, Method.PASSKEY


@pytest.mark.parametrize(
    ("proofs", "every", "code", "passkey", "nothing_else"),
    [
        ((CHAT,), False, False, False, False),
        ((TOTP,), False, True, False, False),
        ((CHAT, TOTP), False, False, False, False),
        ((CHAT, TOTP), True, True, False, False),
        ((TOTP, PASSKEY), False, True, True, False),
        ((TOTP, PASSKEY), True, True, True, True),
        ((PASSKEY,), False, False, True, True),
    ],
)
def test_a_card_says_which_proofs_its_yes_takes(
    proofs: tuple[Method, ...], every: bool, code: bool, passkey: bool, nothing_else: bool
) -> None:
    asked = asked_of(Voices(group="finance"), proofs=proofs, every_proof=every)
    card = card_of(a_hold(requirement=asked), a_tool(), SHOWN)

    assert (card.proofs, card.every_proof) == (proofs, every)
    assert takes_code(card) is code
    assert may_take_passkey(card) is passkey
    assert takes_passkey(card) is nothing_else


def test_a_way_back_that_a_dry_run_found_is_told() -> None:
    action = an_action(preconditions={"undo": "Delete the new rows."})
    found = replace(FOUND, reversible=True)

    ui = draw(a_hold(action=action, assessment=found), a_tool())

    assert ui.action.undo == "Delete the new rows."


def test_what_a_dry_run_found_final_has_no_way_back_of_its_tool() -> None:
    card = drawn(a_hold(), a_tool(undo="Restore the backup."))

    assert card.ui.action.undo == ""
    assert undo_of(card) == "no way back is known"


@pytest.mark.parametrize("rule", ["plan.irreversible", "verb.destructive", "tool.irreversible"])
def test_the_way_back_is_spoken_of_once(rule: str) -> None:
    final = replace(a_signal(""), rule=rule)
    other = replace(a_signal(""), rule="shell.delete")

    assert undo_of(drawn(a_hold(assessment=replace(FOUND, signals=(final,))))) == ""
    assert undo_of(drawn(a_hold(assessment=replace(FOUND, signals=(other,))))) != ""


def test_a_title_names_two_of_many_and_counts_the_rest() -> None:
    schema = {"type": "object", "properties": {"ids": {"type": "array"}}, "required": ["ids"]}
    tool = a_tool(template="Delete contacts{acts_on}", schema=schema)

    assert title_of(doing(ids=list(range(1_200))), tool) == "Delete contacts 0, 1 and 1,198 more"
    assert title_of(doing(ids=[1, 2, 3]), tool) == "Delete contacts 1, 2, 3"
