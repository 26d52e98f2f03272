"""What somebody new to the SDK gets wrong is told in a sentence, before anything is sent."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from holdpoint.client import Holdpoint, RefusedError, SetupError, UnavailableError
from holdpoint.client.traced_cycles import Cycle
from holdpoint.runtime import errors
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import agent_user, make_credential

DETAIL = {"type": "delete_rows"}
SAYS = {"path": "."}
MANNER: Any = {"keys_dir": Path("nowhere"), "patience_s": 1.0, "on_cancel": "withdraw"}


def a_holdpoint() -> Any:
    """Not connected: what is right so far is told that."""
    login = Login(user="agent_robot", seed="", url="")
    return Holdpoint(login, "acme", "robot", **MANNER)


@pytest.mark.parametrize(
    ("ask", "code", "word"),
    [
        (lambda hp: hp.request_confirmation("Go on?", "high", "text"), "bad_detail", '{"type":'),
        (lambda hp: hp.request_confirmation("Go on?", "high", None), "bad_detail", '{"type":'),
        (lambda hp: hp.request_confirmation(7, "high", DETAIL), "bad_data", "message"),
        (lambda hp: hp.request_confirmation("Go on?", 7, DETAIL), "bad_data", "risk level"),
        (lambda hp: hp.say("I look.", action_detail=["a"]), "bad_detail", '{"type":'),
        (lambda hp: hp.say(b"I look."), "bad_data", "text"),
        (lambda hp: hp.say("I look.", "high"), "bad_data", "metadata"),
        (lambda hp: hp.call("read_file", "path"), "bad_arguments", '{"path": "."}'),
        (lambda hp: hp.call("read_file", None), "bad_arguments", "arguments"),
        (lambda hp: hp.call(len, SAYS), "bad_data", "tool"),
        (lambda hp: hp.call("read_file", SAYS, reasoning=7), "bad_data", "reasoning"),
        (lambda hp: hp.call("read_file", SAYS, idempotency_key=7), "bad_data", "idempotency_key"),
        (lambda hp: hp.call("read_file", SAYS, idempotency_key=""), "bad_key", "1 to 128"),
        (lambda hp: hp.say("I look.", idempotency_key=""), "bad_key", "1 to 128"),
        (lambda hp: hp.call("read_file", SAYS, confidence="high"), "bad_data", "confidence"),
        (lambda hp: hp.call("read_file", SAYS, deadline="soon"), "bad_data", "deadline"),
        (lambda hp: hp.call("read_file", SAYS, taint=7), "bad_data", "taint"),
        (lambda hp: hp.call("read_file", SAYS, taint_source=7), "bad_data", "taint_source"),
        (lambda hp: hp.call("read_file", SAYS, timeout="5"), "bad_data", "timeout"),
    ],
)
async def test_a_word_of_the_wrong_type_is_refused_by_name(
    ask: Callable[[Any], Awaitable[object]], code: str, word: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        await ask(a_holdpoint())

    assert refused.value.code == code
    assert word in refused.value.text


def test_an_agent_that_nobody_declared_is_told_which_there_are(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var")
    for agent in ("sample-agent", "importer"):
        make_credential(settings.credentials_dir, agent_user(agent))

    with pytest.raises(SetupError, match=r"agent nobody\. There are: importer, sample-agent"):
        Holdpoint.connect("nobody", settings=settings)


async def test_what_cannot_begin_says_that_nothing_was_proposed() -> None:
    async def lost(_: object) -> None:
        raise errors.UnavailableError("The broker is away.")

    with pytest.raises(UnavailableError) as told:
        await Cycle(lost, "robot", "ls", "", "").open()

    assert told.value.text.startswith("Nothing was proposed")
    assert told.value.text.endswith("The broker is away.")
