"""What every reply must have, as a stranger reads it: seed 000's forms, and actions to call."""

import json
from typing import Any

from tests.actors import AgentVoice, Call
from tests.running_system import TENANT

from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskHold
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope, Status

FORMS = {"data", "formatted", "formatted_spoken", "message_for_user", "available_actions"}
DECIDED = tuple(set(Status) - {Status.WAITING, Status.APPROVED})
WRONG = frozenset({"unknown_tool", "bad_arguments", "cannot_run", "unknown_hold"})


async def raw_reply(robot: AgentVoice, call: Call) -> dict[str, Any]:
    """The reply's very bytes, as a stranger reads them."""
    question = encode(AskHold(seq=call.seq))
    subject = s.ask_hold_subject(TENANT, robot.name)
    reply = await robot.client.request(subject, question, timeout=5)
    found: dict[str, Any] = json.loads(reply.data)
    return found


async def check_forms(robot: AgentVoice, call: Call) -> list[dict[str, Any]]:
    """The reply has every form; return its actions."""
    reply = await raw_reply(robot, call)
    assert set(reply) >= FORMS
    assert reply["message_for_user"]
    assert reply["formatted"]
    assert reply["formatted_spoken"]
    assert all(it.isalpha() or it in " .,'-" for it in reply["formatted_spoken"])
    actions: list[dict[str, Any]] = reply["available_actions"]
    for action in actions:
        assert set(action) == {"tool", "params", "label", "description"}
        assert action["label"]
        assert action["description"]
    return actions


async def follow(robot: AgentVoice, actions: list[dict[str, Any]]) -> list[Envelope]:
    """Call each action as it stands."""
    told = []
    for action in actions:
        call = await robot.propose(action["tool"], action["params"])
        told.append(await robot.hears(call, *DECIDED))
        assert told[-1].code not in WRONG, (action, told[-1].reason)
        await check_forms(robot, call)
    return told
