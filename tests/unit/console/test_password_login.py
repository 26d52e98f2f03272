"""Guesses cannot block the login: they are bounded, refused at once, and never before a person."""

import asyncio
from pathlib import Path

import pytest

from holdpoint.console.password_login import Door, TooManyError, WrongPasswordError
from holdpoint.console.people import People
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials
from holdpoint.runtime.security.credentials import WorkFactor

CHEAP = WorkFactor(passes=1, memory_bytes=64 * 1024)
PASSWORD = "correct horse"  # noqa: S105  # of a person who exists only here
GUESSES = 60


@pytest.fixture
def door(tmp_path: Path) -> Door:
    settings = Settings(state_dir=tmp_path / "var", config_dir=tmp_path)
    (tmp_path / "people.yaml").write_text("people:\n  - {name: ann}\n  - {name: ben}\n")
    for name in ("ann", "ben"):
        credentials.create_person_key(settings.people_dir, name, PASSWORD, CHEAP, must_change=False)
    return Door(settings=settings, people=People(tmp_path))


async def ended(guesses: list[asyncio.Task[object]], kind: type[Exception]) -> int:
    return sum(it.done() and isinstance(it.exception(), kind) for it in guesses)


@pytest.mark.slow
async def test_guesses_for_made_up_names_do_not_delay_a_person(door: Door) -> None:
    guesses: list[asyncio.Task[object]] = [
        asyncio.create_task(door.open(f"made-up-{number}", "a guess")) for number in range(GUESSES)
    ]
    await asyncio.sleep(0)
    refused = await ended(guesses, TooManyError)

    opened = await door.open("ann", PASSWORD)

    assert opened.seed
    assert refused > GUESSES / 2
    assert not all(guess.done() for guess in guesses)
    await asyncio.gather(*guesses, return_exceptions=True)
    assert await ended(guesses, WrongPasswordError) == GUESSES - refused


async def test_guesses_for_one_person_do_not_keep_another_out(door: Door) -> None:
    guesses: list[asyncio.Task[object]] = [
        asyncio.create_task(door.open("ben", "a guess")) for _ in range(GUESSES)
    ]
    await asyncio.sleep(0)
    refused = await ended(guesses, TooManyError)

    assert (await door.open("ann", PASSWORD)).seed
    assert refused > GUESSES / 2
    for guess in guesses:
        guess.cancel()
