"""A broker store that is lost, or older than the ledger: `up` says so, and does not go on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.cli.command_line import Ended, alone
from tests.integration.cli.long_commands import know, lasting, private
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings

pytestmark = [pytest.mark.nats, pytest.mark.slow]

UP = ("up", "--no-sample")
CALL = ("call", "list_directory", "--as", "sample-agent")
CALLS, STATE = "HP_CALLS_acme@sample-agent", "HP_STATE_acme"
EVERYTHING = "audit             has everything"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A system that stopped after two calls; the store after the first lies beside it."""
    settings = private(tmp_path_factory.mktemp("lost"))
    know(settings, "ann")
    _one_call(settings)
    shutil.copytree(_store(settings), _copy(settings, "older"))
    _one_call(settings)
    shutil.copytree(_store(settings), _copy(settings, "newest"))
    return settings


def _gone(store: Path) -> None:
    shutil.rmtree(store)


def _one_gone(store: Path) -> None:
    shutil.rmtree(next(store.rglob(CALLS)))


def _older(store: Path) -> None:
    shutil.rmtree(store)
    shutil.copytree(store.with_name("nats.older"), store)


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        (_gone, f"{STATE} is gone"),
        (_one_gone, f"{CALLS} is gone"),
        (_older, f"{CALLS} ends at"),
    ],
)
def test_no_service_starts_on_another_store(
    happens: Callable[[Path], None], told: str, settings: Settings
) -> None:
    _restore(settings)
    happens(_store(settings))

    for _ in range(2):  # nothing was made that the next start would take for whole
        ended = _refused(settings)
        assert told in ended.err
        assert "Traceback" not in ended.err
        assert len(ended.err.splitlines()) < 9


async def test_it_goes_on_where_the_loss_is_accepted_and_with_a_new_ledger(
    settings: Settings,
) -> None:
    _restore(settings)
    _one_gone(_store(settings))

    with lasting(settings, *UP, HP_ACCEPT_LOST_STREAM=CALLS) as up:
        up.tells("ready")
        assert alone(settings, *CALL).code == ExitCode.OK
        assert f"{CALLS} was made at" in up.tells("problem", who="audit")["text"]
        shown = alone(settings, "status")
        assert "audit             stands still" in shown.out
        assert EVERYTHING not in shown.out
        assert shown.code == ExitCode.FAILED
        up.interrupted()
    assert f"{CALLS} was made at" in _refused(settings).err

    for file in settings.state_dir.glob("ledger.db*"):
        file.rename(file.with_name(f"old-{file.name}"))
    with lasting(settings, *UP) as up:
        up.tells("ready")

        async def is_well() -> bool:
            shown = alone(settings, "status")
            return shown.code == ExitCode.OK and EVERYTHING in shown.out

        assert await eventually(is_well, 30)
    assert alone(settings, "audit", "verify").code == ExitCode.OK


def _one_call(settings: Settings) -> None:
    """Start, call, wait for the ledger, stop."""
    with lasting(settings, *UP) as up:
        up.tells("ready")
        assert alone(settings, *CALL).code == ExitCode.OK
        while EVERYTHING not in alone(settings, "status").out:
            continue
        up.interrupted()


def _refused(settings: Settings) -> Ended:
    ended = alone(settings, *UP, HP_NATS_URL="")
    assert (ended.code, "HP_ACCEPT_LOST_STREAM=" in ended.err) == (ExitCode.SETUP, True)
    return ended


def _restore(settings: Settings) -> None:
    shutil.rmtree(_store(settings))
    shutil.copytree(_copy(settings, "newest"), _store(settings))


def _store(settings: Settings) -> Path:
    return settings.state_dir / "nats"


def _copy(settings: Settings, which: str) -> Path:
    return settings.state_dir / f"nats.{which}"
