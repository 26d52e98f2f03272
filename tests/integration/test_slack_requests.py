"""Requests from Slack: the coordinator answers in the person's own name, and money waits."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from tests.coordinator_system import coordinated
from tests.integration.test_slack import ANN, NOBODY, PEOPLE_YAML, World, configure
from tests.running_system import COORDINATOR, LONG_S
from tests.slack_server import Slack, text_of
from tests.waiting import eventually

from holdpoint.runtime.security.credentials import SLACK
from holdpoint.slack.answering import NOT_KNOWN

pytestmark = [pytest.mark.nats, pytest.mark.slow]

MENTION = "app_mention"
WAITS = "This waits for a confirmation."


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    slack = Slack().start()
    with asyncio.Runner() as runner:
        system = coordinated(
            tmp_path_factory.mktemp("requests"),
            console=True,
            people_yaml=PEOPLE_YAML,
            others=(COORDINATOR, SLACK),
            configure=partial(configure, slack),
        )
        road = runner.run(system.__aenter__())
        slack.app_url = f"{road.settings.slack_file.read_text().strip()}/slack/events"
        yield World(road=road, slack=slack)
        runner.run(system.__aexit__(None, None, None))
    slack.stop()


async def asked(world: World, text: str, user: str = ANN) -> dict[str, Any]:
    event = world.slack.written(text, user, MENTION)
    assert await asyncio.to_thread(world.slack.send, event) == 200
    return event


async def answered(world: World, words: str) -> dict[str, Any]:
    """The message with these words, once it is there."""

    async def there() -> dict[str, Any]:
        messages = [*world.slack.messages.values(), *world.slack.whispers]
        found = next((it for it in messages if words in text_of(it)), None)
        assert found is not None, "\n====\n".join(text_of(it) for it in messages)
        return found

    return await eventually(there, LONG_S)


async def test_a_mention_is_answered_in_the_persons_own_name(world: World) -> None:
    await asked(world, "<@U0BOT> what's my balance")

    await answered(world, "Account ACC-12345678 balances:")


async def test_a_transfer_that_is_asked_for_waits_and_an_event_that_comes_again_asks_nothing(
    world: World,
) -> None:
    event = await asked(world, "<@U0BOT> transfer $150 from checking to savings")
    told = await answered(world, WAITS)
    await asyncio.to_thread(world.slack.send, event, age_s=1)
    await asked(world, "<@U0BOT> transfer $1 from checking to savings")
    await answered(world, "USD 1.00")

    assert "USD 150.00" in text_of(told)
    messages = [text_of(it) for it in world.slack.messages.values()]
    assert len([it for it in messages if WAITS in it and "USD 150.00" in it]) == 1


async def test_who_is_not_in_people_yaml_asks_for_nothing(world: World) -> None:
    await asked(world, "<@U0BOT> what's my balance", NOBODY)

    await answered(world, NOT_KNOWN)
