"""What nobody is ever sent: other groups' cards, and secrets, on no page and in no stream."""

import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.browser import Ask, Program
from tests.running_system import Road

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

SECRET = "tr0ub4dor-and-3"  # noqa: S105  # of a vault that exists only here


async def test_the_cards_of_other_groups_are_never_sent(
    program: Program, ask: Ask, ann: PersonVoice, road: Road
) -> None:
    hold = await ask(rows=13)
    card = await ann.card(hold)
    await program.log_in("cem")
    heard = await program.heard("/live", "event: beat")
    pages = [(await program.get(path)).text for path in ("/", f"/holds/robot/{hold}")]
    story = await program.heard(f"/live?hold={hold}", "event: beat")
    await ann.cancel(card)
    await road.ended(hold)
    ledger = (await program.get("/ledger")).text

    for said in (heard, story, *pages, ledger):
        assert card.title not in said
        assert card.digest not in said
    assert "asked of another group" in ledger
    assert (await program.get(f"/holds/robot/{hold}")).status == 404


async def test_n13_no_page_holds_a_secret(
    program: Program, road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    arguments = {"vault": "north", "code": SECRET}
    reasoning = f"The code {SECRET} opens it."
    call = await robot.propose("open_vault", arguments, reasoning=reasoning)
    hold = (await robot.pending(call)).hold_id
    await program.log_in("ann")
    open_pages = await _everything(program, hold)
    await ann.proceed(await ann.card(hold))
    await ann.card(hold, "done")
    await road.ended(hold)
    ended_pages = await _everything(program, hold)

    for page in (*open_pages, *ended_pages):
        assert SECRET not in page
    assert any("Open north with •••" in page for page in open_pages)
    found = await program.get(f"/ledger?text={SECRET}")
    assert "Nothing matches" in found.text


async def _everything(program: Program, hold: str) -> list[str]:
    paths = ("/", f"/holds/robot/{hold}", "/ledger")
    pages = [(await program.get(path)).text for path in paths]
    streams = [await program.heard(it, "event: beat") for it in ("/live", f"/live?hold={hold}")]
    return [*pages, *streams]


@pytest.mark.parametrize("query", ["since=tomorrow", "before=x~y", "outcome=%27or%201", "text=%25"])
async def test_the_ledger_bears_odd_questions(program: Program, query: str) -> None:
    await program.log_in("ann")

    assert (await program.get(f"/ledger?{query}")).status in {200, 400}
