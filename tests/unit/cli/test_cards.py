"""A card is named by its id's beginning, told in a line, and drawn without believing the agent."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from holdpoint.cli.answering import ENDINGS, check_unchanged
from holdpoint.cli.cards import named
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.views import card_view
from holdpoint.console.status_labels import is_open
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import ActionDetail, Card, ConfirmationUI
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.envelope import FINAL
from holdpoint.messages.hold import Stage
from holdpoint.messages.risk import Heuristic, IntentMetadata, RiskLevel, Scope, Signal

NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)


def a_card(hold_id: str = "abcdefgh", **fields: Any) -> Card:
    card = Card(
        hold_id=hold_id,
        group="operators",
        tenant="acme",
        agent="robot",
        on_behalf_of="ann",
        ui=ConfirmationUI(
            message="They are stale.",
            action=ActionDetail(type="delete", tool="execute_sql"),
            risk_level=RiskLevel.HIGH,
            show_details=True,
        ),
        title="delete 500 rows in crm",
        labels={},
        state=Stage.RENDERED.value,
        digest="d",
        render_digest="r",
        metadata=IntentMetadata(
            confirmation_required=True, risk_level=RiskLevel.HIGH, action_type="delete"
        ),
        level=3,
        halted_at=NOW,
        expires_at=NOW + timedelta(minutes=15),
    )
    return replace(card, **fields)


def drawn(card: Card) -> str:
    return "\n".join(line.plain for line in card_view.whole(card, NOW, 100))


def test_a_beginning_that_fits_one_card_names_it() -> None:
    cards = [a_card("abcdefgh"), a_card("abcdxxxx")]

    assert named(cards, "ABCDE").hold_id == "abcdefgh"


@pytest.mark.parametrize(
    ("prefix", "code", "word"),
    [
        ("abc", ExitCode.USAGE, "short_id"),
        ("", ExitCode.USAGE, "short_id"),
        ("abcd", ExitCode.NOT_FOUND, "ambiguous_id"),
        ("zzzz", ExitCode.NOT_FOUND, "unknown_id"),
    ],
)
def test_a_beginning_that_names_no_single_card_is_told(
    prefix: str, code: ExitCode, word: str
) -> None:
    closed = a_card("abcdxxxx", state="resumed", outcome="cancelled")
    with pytest.raises(CommandError) as why:
        named([a_card("abcdefgh"), closed], prefix)

    assert (why.value.exit_code, why.value.code) == (code, word)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "expires in 15 min"),
        ({"expires_at": NOW}, "its time is over"),
        ({"expires_at": None}, "open"),
        ({"state": "resumed", "outcome": "cancelled"}, "cancelled"),
        ({"state": "resolved", "outcome": "expired"}, "expired"),
        ({"state": "running", "outcome": "confirmed"}, "running"),
        ({"state": "done", "outcome": "confirmed"}, "done"),
    ],
)
def test_how_it_stands_in_a_few_words(fields: dict[str, Any], told: str) -> None:
    assert card_view.standing(a_card(**fields), NOW) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(5, "5 s"), (90, "2 min"), (7200, "2 h"), (3 * 86400, "3 days")],
)
def test_durations_are_rounded(seconds: float, told: str) -> None:
    assert card_view.duration(seconds) == told


def test_only_unanswered_stages_are_open() -> None:
    assert {stage for stage in Stage if is_open(a_card(state=stage.value))} == {
        Stage.HALTED,
        Stage.RENDERED,
        Stage.ANSWERED,
    }


def test_every_ending_of_a_run_is_final_for_the_agent_too() -> None:
    assert set(ENDINGS) <= {status.value for status in FINAL}


def test_the_agents_words_cannot_leave_their_box() -> None:
    words = "┗━\nRisk          LOW (level 1)\n\x1b[2J"
    card = a_card()
    shown = drawn(replace(card, ui=replace(card.ui, message=words)))

    assert "┃ ┗━\n┃ Risk          LOW (level 1)\n┃ \\x1b[2J\n┗━" in shown
    assert shown.count("\nRisk ") == 1


def test_a_letter_that_passes_for_another_one_is_numbered() -> None:
    card = a_card(title="Run rm -r \u043eld-reports")

    assert "rm -r \u043e⟦U+043E⟧ld-reports" in drawn(card)
    assert "\u043e⟦U+043E⟧ld" in "\n".join(row(card))


def test_an_agent_that_said_nothing_has_no_box() -> None:
    card = a_card()

    assert "said nothing" in drawn(replace(card, ui=replace(card.ui, message="")))


def test_everything_on_the_card_is_drawn() -> None:
    card = a_card(
        sample=("row 1",), warnings=("Look twice.",), voices=("ben",), voices_needed=2,
        result="500 rows deleted", reason="Because.", on_silence="It expires.",
    )  # fmt: skip
    shown = drawn(card)

    for text in (
        "row 1",
        "Look twice.",
        "1 of 2 said yes: ben",
        "500 rows deleted",
        "Because.",
        "It expires. In 15 min, at 2026-03-01 09:15:00 UTC.",
        "on behalf of ann",
    ):
        assert text in shown


def test_a_yes_that_cools_off_is_not_said_to_run_it() -> None:
    shown = drawn(
        a_card(
            labels={"proceed": "Proceed", "cancel": "Cancel"}, on_yes="A yes starts a cooling-off."
        )
    )

    assert "a cooling-off begins; after it Holdpoint does this once, exactly as shown" in shown
    assert "A yes starts a cooling-off." in shown


def test_what_has_ended_says_nothing_of_silence() -> None:
    shown = drawn(a_card(state="done", outcome="confirmed", on_silence="It expires."))

    assert "It expires" not in shown


def test_what_is_in_doubt_says_how_to_settle_it() -> None:
    shown = drawn(a_card(state="in_doubt", outcome="confirmed"))

    assert "(in doubt)" in shown
    assert "in_doubt" not in shown
    assert "holdpoint reconcile abcdefgh --happened" in shown


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"reversible": False}, "no way back is known"),
        ({"reversible": True}, "there is a way back"),
        ({"reversible": True, "undo": "Delete the new rows."}, "Delete the new rows."),
    ],
)
def test_a_way_back_is_told_only_where_one_is_known(fields: dict[str, Any], told: str) -> None:
    card = a_card()
    action = replace(card.ui.action, **fields)

    assert f"Undo          {told}" in drawn(replace(card, ui=replace(card.ui, action=action)))


def test_who_is_asked_for_a_password_sees_what_it_is_about() -> None:
    card = a_card(
        signals=(
            Signal(
                rule="verb.destructive",
                heuristic=Heuristic.IRREVERSIBILITY,
                level=RiskLevel.HIGH,
                reason="It removes files, and no way back is known.",
                evidence="rm -r",
            ),
        ),
    )
    action = replace(card.ui.action, affected=500, verb="delete", target="crm.leads")

    shown = "\n".join(
        line.plain
        for line in card_view.question(replace(card, ui=replace(card.ui, action=action)), NOW, 100)
    )

    assert "Affected      500 items" in shown
    assert "high: It removes files, and no way back is known: “rm -r”." in shown
    assert shown.count("no way back is known") == 1
    assert "┃ They are stale." in shown


def a_call(**arguments: Any) -> Card:
    card = a_card(sample=("row 1",))
    action = replace(card.ui.action, arguments=arguments)
    return replace(card, ui=replace(card.ui, action=action))


def asked(card: Card) -> str:
    return "\n".join(line.plain for line in card_view.question(card, NOW, 100))


def test_who_is_asked_for_a_password_sees_all_that_runs() -> None:
    shown = asked(a_call(database="crm", sql="DELETE FROM leads\x1b[2J WHERE true", limit=[1, 2]))

    assert "Tool          execute_sql" in shown
    assert "Argument      database = crm" in shown
    assert "Argument      sql = DELETE FROM leads\\x1b[2J WHERE true" in shown
    assert "Argument      limit = [1,2]" in shown
    assert "Sample        row 1" in shown
    assert "Approvals     0 of 1" in shown


@pytest.mark.parametrize("gap", ["\n" * 40, "\n" + " \t" * 8 + "\n" * 39, "\n" + "\u3000\n" * 39])
def test_what_stands_behind_blank_lines_is_not_pushed_off_the_screen(gap: str) -> None:
    for shown in (
        asked(a_call(sql=f"SELECT 1{gap}; DROP TABLE leads")),
        drawn(a_call(sql=f"1{gap}2")),
    ):
        assert "… 39 blank lines" in shown
        assert len(shown.splitlines()) < 30

    assert "; DROP TABLE leads" in asked(a_call(sql=f"SELECT 1{gap}; DROP TABLE leads"))


def test_what_stands_behind_spaces_is_not_pushed_off_the_screen() -> None:
    shown = asked(a_call(sql=f"SELECT 1;{' ' * 4000} DROP TABLE leads"))

    assert "DROP TABLE leads" in shown
    assert len(shown.splitlines()) < 30


def test_the_agents_blank_lines_push_nothing_off_the_screen() -> None:
    card = a_card()
    shown = asked(replace(card, ui=replace(card.ui, message="Please." + "\n" * 400 + "Now.")))

    assert "┃ Please.\n┃ … 399 blank lines\n┃ Now." in shown


def test_a_few_blank_lines_stand_as_they_are() -> None:
    assert "blank lines" not in asked(a_call(sql="SELECT 1\n\n\n; SELECT 2"))


def row(card: Card) -> list[str]:
    return [line.plain for line in card_view.row(card, NOW, 80)]


def test_a_long_title_is_cut_in_a_list_and_says_where_all_of_it_is() -> None:
    shown = row(a_card(title="Run: " + "rm -r build " * 1000))

    assert len(shown) == 5
    assert shown[-1].strip().startswith("… ")
    assert shown[-1].endswith("more lines. All of it: holdpoint show abcdefgh")


def test_a_short_title_stands_whole_in_a_list() -> None:
    assert row(a_card())[1:] == ["    delete 500 rows in crm"]


def test_what_a_sentence_affects_has_a_unit() -> None:
    about = IntentMetadata(
        confirmation_required=True,
        risk_level=RiskLevel.HIGH,
        action_type="batch_delete",
        scope=Scope(records=12, type="user_accounts"),
    )
    ui = a_card().ui
    action = ActionDetail(type="batch_delete", verb="delete", affected=12)

    shown = drawn(a_card(ui=replace(ui, action=action), metadata=about))

    assert "Affected      12 user accounts" in shown


@pytest.mark.parametrize(
    ("title", "is_told"), [("Run rm -r old", True), ("Delete 500 rows in crm.leads", False)]
)
def test_the_target_is_told_where_the_title_does_not_name_it(title: str, *, is_told: bool) -> None:
    card = a_card(title=title)
    action = replace(card.ui.action, verb="delete", target="crm.leads")
    shown = drawn(replace(card, ui=replace(card.ui, action=action)))

    assert ("Target        crm.leads" in shown) is is_told


def a_deletion(**fields: Any) -> Card:
    rows = IntentMetadata(
        confirmation_required=True,
        risk_level=RiskLevel.HIGH,
        action_type="batch_delete",
        scope=Scope(records=500, type="rows"),
    )
    card = a_card(labels={"proceed": "Proceed", "cancel": "Cancel"}, metadata=rows, **fields)
    action = replace(card.ui.action, type="batch_delete", affected=500)
    return replace(card, ui=replace(card.ui, action=action), title="Delete 500 rows in crm")


def test_proceed_and_cancel_name_the_act() -> None:
    shown = asked(a_deletion())

    assert (
        "Proceed       Holdpoint does this once, exactly as shown: Delete 500 rows in crm" in shown
    )
    assert "Cancel        the 500 rows stay as they are, and the agent is told no" in shown


def test_of_what_the_agent_runs_itself_nothing_is_promised() -> None:
    shown = asked(a_deletion(enforcement=Enforcement.COOPERATIVE))

    assert "the agent is told yes and does this itself: Delete 500 rows in crm" in shown
    assert "must stop, but Holdpoint cannot force it to" in shown
    assert "stay as they are" not in shown


@pytest.mark.parametrize(
    ("fields", "stays"),
    [
        ({"type": "payment", "amount": {"value": "5.00", "currency": "USD"}}, "no money moves"),
        ({"type": "update", "affected": 1}, "the item stays as it is"),
        ({"type": "batch_create", "affected": 3}, "nothing runs"),
        ({"type": "shell"}, "nothing runs"),
    ],
)
def test_cancel_says_what_stays(fields: dict[str, Any], stays: str) -> None:
    card = a_card(labels={"proceed": "Proceed", "cancel": "Cancel"})
    action = replace(card.ui.action, **fields)
    shown = asked(replace(card, ui=replace(card.ui, action=action)))

    assert f"Cancel        {stays}, and the agent is told no" in shown


def test_a_yes_to_a_card_that_no_longer_says_the_same_is_refused() -> None:
    check_unchanged(a_card(), a_card(), Choice.PROCEED)
    check_unchanged(a_card(render_digest="other"), a_card(), Choice.CANCEL)
    with pytest.raises(CommandError, match="has changed"):
        check_unchanged(a_card(render_digest="other"), a_card(), Choice.PROCEED)
