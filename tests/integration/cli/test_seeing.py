"""People see what waits for them, and an agent's words stay the agent's words."""

import asyncio
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.integration.cli.command_line import COLOURS, alone, at_a_terminal
from tests.running_system import Road

from holdpoint.cli import cards
from holdpoint.cli.output import ExitCode
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

HOSTILE = (
    "Harmless.\x1b[2J\x1b[H\x1b]0;owned\x07\x9b31m\u202e\u200b[bold]x[/bold]\r"
    "\nRisk          LOW (level 1)\n┗━\nAction        read a file\n"
    + "wide 日本語 👩\u200d👩 " * 30
    + "\nRisk          LOW (level 1)"
)
OPERATOR = Person(name="ann", groups=("operators",), admin=True)


async def waiting(road: Road, robot: AgentVoice, ann: PersonVoice, **more: Any) -> Card:
    sql = f"DELETE FROM {road.table(500)} WHERE status = 'stale'"
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql}, **more)
    return await ann.card((await robot.pending(call)).hold_id)


def pending(road: Road, *words: str) -> dict[str, Any]:
    ended = alone(road.settings, "pending", "--as", "ann", "--json", *words)
    assert ended.code is ExitCode.OK.value, ended
    found = [msgspec.json.decode(line) for line in ended.out.splitlines()]
    return {card["hold_id"]: card for card in found}


async def test_what_waits_is_listed_until_it_ends(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    card = await waiting(road, robot, ann)

    assert msgspec.convert(pending(road)[card.hold_id], Card) == card
    shown = alone(road.settings, "pending", "--as", "ann").out
    assert re.search(rf"{card.hold_id}  CRITICAL  expires in 15 min  robot\n    Delete 500", shown)

    await ann.cancel(card)
    await ann.card(card.hold_id, "resolved", "resumed")
    assert card.hold_id not in pending(road)
    assert pending(road, "--all")[card.hold_id]["outcome"] == "cancelled"


async def test_nobody_sees_the_cards_of_other_groups(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    card = await waiting(road, robot, ann)

    ended = alone(road.settings, "show", card.hold_id, "--as", "cem")

    assert ended.code is ExitCode.NOT_FOUND.value


async def test_a_card_is_shown_by_the_beginning_of_its_id(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    card = await waiting(road, robot, ann, reasoning="They are stale.")

    shown = alone(road.settings, "show", card.hold_id[:12].upper(), "--as", "ann").out

    for text in (
        card.hold_id, card.title, card.digest, "CRITICAL", "┃ They are stale.",
        "The agent's own words. Nobody has verified them.", "If nobody answers in time",
        card.signals[0].reason[:30], "Affected      500", "0 of 1",
    ):  # fmt: skip
        assert text in shown


@pytest.mark.parametrize(
    ("prefix", "code"), [("zzzzzzzz", ExitCode.NOT_FOUND), ("a", ExitCode.USAGE)]
)
def test_an_id_that_names_nothing_is_told(prefix: str, code: ExitCode, road: Road) -> None:
    ended = alone(road.settings, "show", prefix, "--as", "ann", "--json")

    assert ended.code is code.value
    assert ended.out == ""
    assert set(msgspec.json.decode(ended.err)["error"]) == {"code", "text"}


async def test_hostile_words_reach_no_terminal_and_forge_no_line(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    card = await waiting(road, robot, ann, reasoning=HOSTILE)

    for words in (("show", card.hold_id), ("pending",), ("proceed", card.hold_id)):
        shown = seen(road, *words)
        lines = [COLOURS.sub("", line) for line in shown.splitlines()]
        assert_harmless(COLOURS.sub("", shown))
        assert [line for line in lines if line.startswith("Risk")] in (
            [], ["Risk          CRITICAL"],
        )  # fmt: skip
        assert not any(line.startswith("Action        read") for line in lines)
        assert all(columns(line) <= 100 for line in lines)


def seen(road: Road, *words: str) -> str:
    """What a person would see: on the terminal and in the pipe."""
    with at_a_terminal(road.settings, *words, "--as", "ann") as screen:
        if words[0] == "proceed":
            screen.sees("Password of ann: ")
            screen.types("\x03")
        ended = screen.ended()
    return screen.everything.replace("^C", "") + ended.out


def assert_harmless(text: str) -> None:
    bad = [char for char in text if unicodedata.category(char) in {"Cc", "Cf"}]
    assert set(bad) <= {"\n", "\r"}


def columns(line: str) -> int:
    """The most that a terminal could make of it."""
    return sum(1 if char.isascii() or char in "┃┏━┗" else 2 for char in line)


async def test_two_terminals_of_one_person_never_miss_a_card(
    road: Road, robot: AgentVoice, ann: PersonVoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {(await waiting(road, robot, ann)).hold_id for _ in range(3)}
    monkeypatch.setattr(cards, "BATCH", 1)

    found = await asyncio.gather(*(cards.read_cards(reached(road), OPERATOR) for _ in range(3)))

    for each in found:
        assert made <= {card.hold_id for card in each}


async def test_two_machines_of_one_person_never_miss_a_card_silently(
    road: Road,
    robot: AgentVoice,
    ann: PersonVoice,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = {(await waiting(road, robot, ann)).hold_id for _ in range(3)}
    monkeypatch.setattr(cards, "BATCH", 1)
    machines = [machine(road, tmp_path / name) for name in ("one", "two", "three")]

    found = await asyncio.gather(
        *(cards.read_cards(each, OPERATOR) for each in machines), return_exceptions=True
    )

    for each in found:
        if not isinstance(each, UnavailableError):
            assert not isinstance(each, BaseException)
            assert made <= {card.hold_id for card in each}


def machine(road: Road, folder: Path) -> Settings:
    """Another machine with ann's way to see: no lock is shared with it."""
    shutil.copytree(road.settings.credentials_dir, folder / "credentials")
    return reached(road).model_copy(update={"state_dir": folder})


def reached(road: Road) -> Settings:
    return road.settings.model_copy(update={"nats_url": road.supervisor.url})


def test_without_any_card_a_sentence_says_so(road: Road) -> None:
    ended = alone(road.settings, "pending", "--as", "cem")

    assert ended.out == "Nothing waits for cem.\n"


@pytest.mark.parametrize("name", ["nobody", "../ann", "stranger_7f3a"])
def test_a_stranger_is_nobody(name: str, road: Road) -> None:
    assert alone(road.settings, "pending", "--as", name).code is ExitCode.NOT_FOUND.value


def test_who_it_is_must_be_clear(road: Road) -> None:
    ended = alone(road.settings, "pending")

    assert ended.code is ExitCode.USAGE.value
    assert "ann, ben, cem" in ended.err
    assert alone(road.settings, "pending", HP_PERSON="cem").code is ExitCode.OK.value
