"""What the console itself looks at before it sends a yes; the gate has the last word."""

from pathlib import Path

from msgspec.structs import replace
from tests.builders import TOOL, a_hold

from holdpoint.console.answering import Answering, Pressed
from holdpoint.console.card_store import Board
from holdpoint.console.sessions import Session, Sessions
from holdpoint.console.view_tracking import ARMED_AFTER_S, Seen
from holdpoint.core.card import Shown, card_of
from holdpoint.messages.answer import Choice, Proof
from holdpoint.messages.policy import Method
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

SHOWN = Shown(group="finance", state="rendered", seal_key="", revision=2)
CARD = card_of(a_hold(), TOOL, SHOWN)
PRESSED = Pressed(
    hold_id=CARD.hold_id,
    digest=CARD.digest,
    render_digest=CARD.render_digest,
    choice=Choice.PROCEED,
    seconds_shown=2.0,
    reason="",
    proof=Proof(method=Method.CHAT),
    page_half="",
)


def why_not(folder: Path, level: int, pressed: Pressed) -> str:
    answering = Answering(
        settings=Settings(),
        board=Board(is_live=True),
        sessions=Sessions(folder / "console", folder, folder),
    )
    card = replace(CARD, level=level)
    seen = Seen(card=card, at=clock.monotonic() - 2 * ARMED_AFTER_S)
    session = Session(
        id="s",
        person="ann",
        user="person_ann",
        since=clock.now(),
        key_mark="",
        cookie_half="",
        csrf_mark="",
        stored_seed=b"",
    )
    return answering._why_not(session, seen, card, pressed)


def test_a_yes_at_level_5_is_not_sent_before_the_target_is_typed(tmp_path: Path) -> None:
    target = CARD.ui.action.target

    assert why_not(tmp_path, 5, PRESSED) == f"Type {target} first."
    assert why_not(tmp_path, 5, replace(PRESSED, typed=f"{target}s")) == f"Type {target} first."
    assert why_not(tmp_path, 5, replace(PRESSED, typed=target)) == ""
    assert why_not(tmp_path, 5, replace(PRESSED, choice=Choice.CANCEL)) == ""
    assert why_not(tmp_path, 4, PRESSED) == ""
