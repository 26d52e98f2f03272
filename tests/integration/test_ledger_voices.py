"""A yes or a no that nobody gave is an exception, however well the fact about it is signed."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from tests.integration.ledger_bus import EPOCH, RENDER, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import approved, cancelled, every_story, halted, resumed, step

from holdpoint.core import commands
from holdpoint.core.announced import vouched_by
from holdpoint.ledger.exceptions import Kind, answer_missing, every_exception
from holdpoint.messages.answer import Choice
from holdpoint.messages.hold import Hold, Outcome, Resolved, Resumed, Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.subjects import hold_subject

pytestmark = pytest.mark.usefixtures("ledger_store")


def missing_in(folder: Path, bus: Bus, before: datetime | None = None) -> list[str | None]:
    ledger = new_ledger(folder)
    entered(ledger, bus.entries)
    found = asked(ledger, lambda c: answer_missing(c, before or bus.now))
    assert {finding.kind for finding in found} <= {Kind.ANSWER_MISSING}
    return [finding.hold_id for finding in found]


def yes(bus: Bus, about: Hold, cause: str) -> Hold:
    """The gate's facts about a yes of Bob, with this cause."""
    said = commands.Proceed(
        cause=cause, by="bob", method=Method.CHAT, digest=about.digest, render_digest=RENDER
    )
    return resumed(bus, step(bus, about, said))


def no(bus: Bus, about: Hold, cause: str) -> Hold:
    """The gate's facts about a no of Carol, with this cause."""
    said = commands.Cancel(cause=cause, by="carol", digest=about.digest, render_digest=RENDER)
    return resumed(bus, step(bus, about, said))


def nobodys_yes(bus: Bus, about: Hold) -> None:
    yes(bus, about, "ANSWERS:7")


def nobodys_no(bus: Bus, about: Hold) -> None:
    no(bus, about, "ANSWERS:7")


def to_another_hold(bus: Bus, about: Hold) -> None:
    yes(bus, about, bus.answer(halted(bus, "other"), "bob", Choice.PROCEED).cause)


def of_another_person(bus: Bus, about: Hold) -> None:
    yes(bus, about, bus.answer(about, "carol", Choice.PROCEED).cause)


def no_told_as_yes(bus: Bus, about: Hold) -> None:
    yes(bus, about, bus.answer(about, "bob", Choice.CANCEL).cause)


def yes_told_as_no(bus: Bus, about: Hold) -> None:
    no(bus, about, bus.answer(about, "carol", Choice.PROCEED).cause)


def to_another_action(bus: Bus, about: Hold) -> None:
    other = msgspec.structs.replace(about, digest="0" * 64)
    yes(bus, about, bus.answer(other, "bob", Choice.PROCEED).cause)


FORGED_ANSWERS = (
    nobodys_yes, nobodys_no, to_another_hold, of_another_person, no_told_as_yes, yes_told_as_no,
    to_another_action,
)  # fmt: skip


@pytest.mark.parametrize("forge", FORGED_ANSWERS)
def test_an_answer_that_its_person_never_gave_is_found(
    tmp_path: Path, forge: Callable[[Bus, Hold], None]
) -> None:
    bus = Bus()
    forge(bus, halted(bus, "forged"))

    assert missing_in(tmp_path, bus) == ["holdforged"]


def without_voices(about: Hold) -> Resolved:
    ended = msgspec.structs.replace(about, stage=Stage.RESOLVED, outcome=Outcome.CONFIRMED)
    return Resolved(hold=ended, cause="CALLS:1", outcome=Outcome.CONFIRMED, by="bob")


def resumed_at_once(about: Hold) -> Resumed:
    ended = msgspec.structs.replace(about, stage=Stage.RESUMED, outcome=Outcome.CONFIRMED)
    return Resumed(hold=ended, cause="HOLDS:2", confirmed=True)


@pytest.mark.parametrize("forged", [without_voices, resumed_at_once])
def test_a_yes_without_a_voice_is_found(
    tmp_path: Path, forged: Callable[[Hold], Resolved | Resumed]
) -> None:
    bus = Bus()
    bus.fact(forged(halted(bus, "forged")))

    assert missing_in(tmp_path, bus) == ["holdforged"]


def test_a_second_voice_that_nobody_gave_is_found(tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "forged")
    fact = msgspec.json.decode(bus.entries[-1].body)["data"]
    last = msgspec.convert(fact, Resumed)
    (voice,) = last.hold.voices
    more = (voice, msgspec.structs.replace(voice, person="carol"))
    bus.fact(msgspec.structs.replace(last, hold=msgspec.structs.replace(last.hold, voices=more)))
    assert bus.entries[-1].subject == hold_subject(last)

    assert missing_in(tmp_path, bus) == ["holdforged"]


def test_what_the_kill_switch_ended_needs_no_answer(tmp_path: Path) -> None:
    bus = Bus()
    stop = commands.Kill(cause="ADMIN:1", by="ann", reason="Stop.")
    resumed(bus, step(bus, halted(bus), stop))

    assert missing_in(tmp_path, bus) == []


def test_answers_that_were_given_are_no_exception(tmp_path: Path) -> None:
    bus = Bus()
    bus.entries += every_story()
    assert missing_in(tmp_path, bus) == []


def test_an_answer_that_may_still_come_is_no_exception_yet(tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "yes")
    cancelled(bus, "no")
    late = [entry for entry in bus.entries if entry.kind == "ANSWERS"]
    ledger = new_ledger(tmp_path)
    entered(ledger, [entry for entry in bus.entries if entry not in late])

    assert asked(ledger, lambda c: answer_missing(c, EPOCH)) == []
    assert len(asked(ledger, lambda c: answer_missing(c, bus.now))) == 2
    entered(ledger, late)
    assert asked(ledger, lambda c: answer_missing(c, bus.now)) == []


def test_the_exceptions_name_it(tmp_path: Path) -> None:
    bus = Bus()
    yes(bus, halted(bus, "forged"), "ANSWERS:7")
    ledger = new_ledger(tmp_path)
    entered(ledger, bus.entries)
    found = asked(ledger, lambda c: every_exception(c, bus.now))

    assert Kind.ANSWER_MISSING in {finding.kind for finding in found}


@pytest.mark.parametrize("is_given", [True, False])
def test_a_call_that_a_sentence_vouches_for_rests_on_the_answers_to_that(
    tmp_path: Path, is_given: bool
) -> None:
    bus = Bus()
    sentence = approved(bus, "said", on_sentence=True)
    answers = [it for it in sentence.causes if it.startswith("ANSWERS:")]
    call = halted(bus)
    said = vouched_by(sentence, answers if is_given else ["ANSWERS:99"])
    cooled = msgspec.structs.replace(call, stage=Stage.HALTED, ui=None, announced=said)

    ended = resumed(bus, step(bus, cooled, commands.Confirm(cause=bus.last_cause)))

    assert [voice.person for voice in ended.voices] == ["bob"]
    assert missing_in(tmp_path, bus) == ([] if is_given else [call.hold_id])
