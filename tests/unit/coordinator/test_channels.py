"""One way in: whatever a channel says to the coordinator is a request of the person's own."""

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.hostile_texts import HOSTILE

from holdpoint.console import chat_routes
from holdpoint.coordinator.formatting import Channel, ResponseFormatter
from holdpoint.coordinator.graph import slack_request
from holdpoint.coordinator.requests import BadRequestError
from holdpoint.core.redaction.display import hides
from holdpoint.messages.catalog import Agent, Person
from holdpoint.messages.request import AgentResponse, ToolCall
from holdpoint.messages.subjects import ask_coordinator_subject
from holdpoint.runtime.broker.streams import Tenant
from holdpoint.runtime.security.permissions import grants

PACKAGE = Path(__file__).parents[3] / "services" / "holdpoint"
CHANNELS = (
    PACKAGE / "cli" / "commands" / "chat.py",
    PACKAGE / "api" / "requests.py",
    PACKAGE / "console" / "chat_routes.py",
    *(PACKAGE / "slack").rglob("*.py"),
)
HELD = AgentResponse(
    message="<!channel> *Transfer* 150.00 USD.",
    tool_calls=(
        ToolCall(
            tool_name="t", parameters={}, success=False,
            result={"status": "pending_confirmation", "hold_id": "h1"},
        ),
    ),
    success=True,
    request_id="r",
)  # fmt: skip
TENANT = Tenant(
    name="acme",
    agents=(Agent(name="coordinator", tools=()),),
    people=(Person(name="ann", groups=("operators",)), Person(name="ben", groups=("operators",))),
    domains=("tasks",),
    askers=("ann",),
)


@pytest.mark.parametrize("path", CHANNELS, ids=lambda path: path.name)
def test_a_channel_proposes_nothing_itself(path: Path) -> None:
    code = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {it.id for it in code if isinstance(it, ast.Name)}
    names |= {it.name for it in code if isinstance(it, ast.alias)}
    names |= {it.attr for it in code if isinstance(it, ast.Attribute)}
    assert names & {"Propose", "Holdpoint", "call_subject", "classify", "propose"} == set()


def test_a_person_asks_as_themselves_and_nobody_else_may_ask() -> None:
    asking = {
        grant.user: [it for it in grant.publish if it.endswith(".coordinator")]
        for grant in grants(TENANT)
    }
    assert {user: it for user, it in asking.items() if it} == {
        "http_ann": [ask_coordinator_subject("acme", "ann")],
        "person_ann": [ask_coordinator_subject("acme", "ann")],
        "person_ben": [ask_coordinator_subject("acme", "ben")],
    }


def test_over_http_a_person_asks_and_can_publish_nothing_else() -> None:
    (theirs,) = (grant for grant in grants(TENANT) if grant.user == "http_ann")
    assert theirs.publish == (ask_coordinator_subject("acme", "ann"),)
    assert (theirs.subscribe, theirs.hears) == ((), ())


def test_the_coordinator_writes_nothing_but_answers() -> None:
    (mine,) = (grant for grant in grants(TENANT) if grant.user == "coordinator")
    assert mine.publish == ("$JS.API.DIRECT.GET.HP_STATE_acme.hp.acme.state.flag.current",)
    assert mine.subscribe == (ask_coordinator_subject("acme", "*"),)


def test_each_channel_shows_the_same_answer_as_plain_text() -> None:
    render = ResponseFormatter().render
    assert render(HELD, Channel.TERMINAL) == (HELD.message, "Waits: h1")
    (section,) = render(HELD, Channel.SLACK)
    text = f"{HELD.message}\nWaits: h1"
    assert section["text"] == {"type": "plain_text", "text": text, "emoji": False}
    for channel in (Channel.BUS, Channel.CONSOLE, Channel.HTTP):
        assert render(HELD, channel)["message"] == HELD.message


def test_n13_slack_shows_all_of_a_long_answer() -> None:
    held = replace(HELD, message="x" * 7_000 + "the end")
    texts = [it["text"]["text"] for it in ResponseFormatter().render(held, Channel.SLACK)]

    assert "".join(texts) == f"{held.message}\nWaits: h1"
    assert max(map(len, texts)) <= 3_000


def test_n14_nothing_hides_in_an_answer() -> None:
    """Whoever names a task or a file writes into the answers of other people."""
    for hostile in HOSTILE:
        response = replace(HELD, message=f"Tasks:\n{hostile}")
        slack = ResponseFormatter().render(response, Channel.SLACK)
        assert not hides(chat_routes.shown(response)["text"]), hostile
        assert not hides("".join(it["text"]["text"] for it in slack)), hostile


def test_a_slack_event_that_comes_again_is_the_same_request() -> None:
    history = [{"role": "user", "content": "transfer $7"}]
    first, again = (slack_request("ann", "Ev1", " savings ", history) for _ in range(2))
    other = slack_request("ann", "Ev2", "savings")
    assert first == again
    assert (first.user_id, first.message) == ("ann", "savings")
    assert first.conversation_history[0].content == "transfer $7"
    assert other.request_id != first.request_id


def test_a_broken_rule_is_told_in_slack() -> None:
    with pytest.raises(BadRequestError) as odd:
        slack_request("ann", "Ev3", "  ")
    (section,) = ResponseFormatter().render(odd.value.response, Channel.SLACK)
    assert "`message` is empty" in section["text"]["text"]
