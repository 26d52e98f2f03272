"""`@guard`: a function of the agent's own process runs after a yes, once, on what was shown."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from tests.actors import Guests, PersonVoice
from tests.running_system import Road, fresh, running
from tests.waiting import eventually

from holdpoint.client import (
    Holdpoint,
    NotLetGoError,
    RefusedError,
    SetupError,
    Status,
    catalog_entry,
    guard,
)
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.search import Search
from holdpoint.messages.answer import Change, Choice
from holdpoint.messages.catalog import Enforcement
from holdpoint.runtime.security.credentials import read_seed

pytestmark = [pytest.mark.nats, pytest.mark.slow]

TOOL = "shop_host_order"
shipped: list[str] = []
known: set[str] = set()
"""Holds that a test has found."""


@guard(tool=TOOL, level=3)
async def order(items: list[str], pieces: int = 1) -> str:
    """Order something."""
    shipped.extend(items * pieces)
    return f"{pieces} ordered"


@guard(tool=TOOL, level=5)
async def order_at_a_higher_level(items: list[str], pieces: int = 1) -> str:
    """Order something."""
    shipped.extend(items * pieces)
    return "ordered"


@guard(tool=TOOL, level=3)
def order_otherwise(item: str) -> str:
    """Order something."""
    shipped.append(item)
    return "ordered"


@guard(tool="shop_host_fail", level=3)
def fail(item: str) -> None:
    """Fail."""
    shipped.append(item)
    raise LookupError(item)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    entries = [catalog_entry(order), catalog_entry(fail)]
    agents = f"agents: [{{name: clerk, tools: [{TOOL}, shop_host_fail], acts_for: [ann]}}]\n"
    with asyncio.Runner() as runner:
        world = running(
            tmp_path_factory.mktemp("shop"),
            own={},
            agents_yaml=agents,
            catalog_yaml=json.dumps({"namespace": "shop", "tools": entries}),
        )
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def ann(shop: Road) -> AsyncIterator[PersonVoice]:
    async with AsyncExitStack() as stack:
        yield await Guests(road=shop, stack=stack).person("ann")


@pytest.fixture
async def hp(shop: Road) -> AsyncIterator[Holdpoint]:
    settings = shop.settings.model_copy(update={"nats_url": shop.supervisor.url})
    async with Holdpoint.connect("clerk", settings) as connected:
        yield connected


async def waiting(shop: Road) -> str:
    """The hold of the one call that waits for people."""

    async def found() -> str:
        search = Search(agent="clerk", limit=9, newest=True)
        rows = shop.ledger(lambda ledger: actions_found(ledger, search))
        assert all(row.enforcement == "cooperative" for row in rows)
        new = (row.hold_id for row in rows if row.hold_id not in known)
        return next(new, "")

    hold_id = await eventually(found)
    known.add(hold_id)
    return hold_id


async def test_it_runs_once_after_a_yes_on_what_was_shown(
    shop: Road, hp: Holdpoint, ann: PersonVoice
) -> None:
    items = [fresh("item")]
    calling = asyncio.create_task(order(items, pieces=2))
    hold_id = await waiting(shop)
    card = await ann.card(hold_id)
    item, items[0] = items[0], "something else"
    assert not shipped

    await ann.proceed(card)

    assert await calling == "2 ordered"
    assert shipped == [item, item]
    assert card.enforcement is Enforcement.COOPERATIVE
    assert (await hp.outcome(hold_id)).status is Status.DONE


@pytest.mark.usefixtures("hp")
async def test_a_no_is_an_error_that_says_so_and_nothing_runs(shop: Road, ann: PersonVoice) -> None:
    item = fresh("item")
    calling = asyncio.create_task(order([item]))
    await ann.cancel(await ann.card(await waiting(shop)), "Too much.")

    with pytest.raises(NotLetGoError) as declined:
        await calling

    assert declined.value.code == "cancelled"
    assert item not in shipped


@pytest.mark.usefixtures("hp")
async def test_what_a_person_changed_is_what_runs(shop: Road, ann: PersonVoice) -> None:
    item = fresh("item")
    calling = asyncio.create_task(order([item], pieces=5))
    card = await ann.card(await waiting(shop))
    change = Change(arguments={"pieces": 1})
    await ann.heard(
        card, await ann.answer(card, Choice.MODIFY, change=change, reason="One is enough.")
    )
    await ann.proceed(await ann.card(await waiting(shop)))

    assert await calling == "1 ordered"
    assert shipped.count(item) == 1


async def test_whoever_stops_waiting_takes_it_back(shop: Road, hp: Holdpoint) -> None:
    item = fresh("item")
    calling = asyncio.create_task(order([item]))
    hold_id = await waiting(shop)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling

    async def taken_back() -> bool:
        return (await hp.outcome(hold_id)).status is Status.WITHDRAWN

    assert await eventually(taken_back)
    assert item not in shipped


async def test_a_function_that_fails_is_told_as_failed(
    shop: Road, hp: Holdpoint, ann: PersonVoice
) -> None:
    item = fresh("item")
    calling = asyncio.create_task(fail(item))
    hold_id = await waiting(shop)
    await ann.proceed(await ann.card(hold_id))

    with pytest.raises(LookupError, match=item):
        await calling

    outcome = await hp.outcome(hold_id)
    assert (outcome.status, outcome.reason) == (Status.FAILED, "LookupError")


@pytest.mark.usefixtures("hp")
async def test_the_catalog_has_the_last_word() -> None:
    with pytest.raises(SetupError, match="level 3, and the code says 5"):
        await order_at_a_higher_level(["x"])
    with pytest.raises(SetupError, match="not the function's"):
        await order_otherwise("x")
    assert "x" not in shipped


async def test_nothing_runs_on_a_claim_that_the_gate_did_not_sign(
    hp: Holdpoint, ann: PersonVoice
) -> None:
    arguments = {"items": [fresh("item")], "pieces": 1}
    asked = await hp.call(TOOL, arguments, wait=False)
    known.add(asked.hold_id)
    await ann.proceed(await ann.card(asked.hold_id))
    told = await hp.resume(asked.hold_id)
    await hp.begin(told.hold_id, arguments)
    claims = hp._claims
    assert claims
    copy = await claims._copy(told.hold_id)
    assert copy

    forged = replace(copy, data=copy.data.replace(b'"nonce":"', b'"nonce":"x'))
    older = structs.replace(told, call_digest="another")
    for heard, outcome in ((forged, told), (copy, older)):
        claims._heard.put(told.hold_id, heard)
        with pytest.raises(RefusedError) as refused:
            await hp.check_claim(outcome)
        assert refused.value.code == "claim_not_verified"
    claims._heard.put(told.hold_id, copy)
    await hp.check_claim(told)


async def test_without_the_public_keys_nothing_is_believed(shop: Road, tmp_path: Path) -> None:
    seed = read_seed(shop.settings.credentials_dir, "agent_clerk")
    settings = shop.settings.model_copy(update={"state_dir": tmp_path})
    async with Holdpoint.connect("clerk", settings, seed=seed, url=shop.supervisor.url):
        with pytest.raises(SetupError, match=r"keyset\.json"):
            await order(["unverified"])

    assert "unverified" not in shipped
