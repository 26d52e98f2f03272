"""Nodes of the coordinator's graph, by seed 004's names; each is one step of a request."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import structlog

from holdpoint.client import Holdpoint, HoldpointError, RefusedError, UnavailableError
from holdpoint.coordinator.agent_loop import agent_answer
from holdpoint.coordinator.amounts import is_money
from holdpoint.coordinator.calls import Calls, refused, told
from holdpoint.coordinator.choices import UnclearError
from holdpoint.coordinator.delegation import NotDelegatedError, delegated
from holdpoint.coordinator.extraction import extract
from holdpoint.coordinator.follow_up import FollowUp, follow_up, is_reply
from holdpoint.coordinator.intents import (
    AGENT,
    CLARIFY,
    STILL_WAITS,
    UNKNOWN,
    Classified,
    classify,
    is_assent,
    is_call_off,
)
from holdpoint.coordinator.languages import answer_in, request_language, with_english_history
from holdpoint.coordinator.periods import bounds_in
from holdpoint.coordinator.steps import ended
from holdpoint.coordinator.workflows import (
    CoordinatorFile,
    MissingValueError,
    Step,
    Workflow,
)
from holdpoint.core.dispatch import AgentDelegation
from holdpoint.messages.request import AgentRequest, AgentResponse, Speaker, waits
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

NAMED_AT_MOST = 3
WHAT = "What shall I do?"
WHICH = "A yes does not tell me which."
NOTHING_WAITS = (
    "All right. I know of nothing of yours that waits; a card that does is called off on the card. "
    "To delete a task, name it, for example: “delete task 4”."
)
NOTHING_ASKED = "I asked nothing that a yes answers. A card is answered on the card itself."
AGENT_NODE, WORKFLOW, DELEGATE, OUTPUT = "agent", "workflow", "delegate", "output"

Answerer = Callable[[Calls, str, Mapping[str, Any]], Awaitable[str]]
"""The agent node's agent: the bounded loop, or a language model."""


class Routing(TypedDict, total=False):
    """Where the graph goes on."""

    next: str


class Flags(TypedDict):
    """Switches of the coordinator."""

    delegation: bool
    keyword_routing: bool
    workflow_first: bool


class CoordinatorState(TypedDict, total=False):
    """State of one request; nothing of it outlives the request."""

    request: AgentRequest
    calls: Calls
    flags: Flags
    open_holds: bool
    classified: Classified
    follow_up: FollowUp
    values: dict[str, Any]
    step: int
    routing: Routing
    pending_delegation: AgentDelegation
    delegation_result: str
    said: str
    """What the person is told."""

    success: bool
    response: AgentResponse


@dataclass(frozen=True, kw_only=True)
class CoordinatorNodes:
    """The nodes, with what they need: agents on the bus, workflows as data, flags."""

    agents: Mapping[str, Holdpoint]
    file: CoordinatorFile
    answerer: Answerer = agent_answer

    async def classifier(self, state: CoordinatorState) -> CoordinatorState:
        """Say what the person wants."""
        request = with_english_history(state["request"])
        by_keyword = state["flags"]["keyword_routing"]
        reply = follow_up(
            request.message,
            request.conversation_history,
            self.file.workflows,
            keyword_routing=by_keyword,
        )
        found = classify(
            request.message,
            open_holds=state.get("open_holds", False),
            keyword_routing=by_keyword,
        )
        if reply is not None and is_reply(found, reply, request.message):
            state["calls"].before = reply.words
            return {"classified": reply.classified, "follow_up": reply}
        if is_call_off(request.message):
            is_any = state.get("open_holds", False)
            found = Classified(intent=UNKNOWN, why=STILL_WAITS if is_any else NOTHING_WAITS)
        return {"classified": _asked_again(request) or found}

    async def router(self, state: CoordinatorState) -> CoordinatorState:
        """Read the parameters, and choose who goes on: a workflow, the agent, or a question."""
        found = state["classified"]
        if found.intent == CLARIFY:
            return _ask(f"{found.why} {WHAT}")
        if found.intent == UNKNOWN:
            return _ask(found.why or self._guidance())
        workflow = self.file.workflows.get(found.intent)
        try:
            values = self._values(state, workflow)
        except UnclearError as error:
            return _ask(str(error))
        if workflow is None or (found.intent == AGENT) or not state["flags"]["workflow_first"]:
            values["tool"] = workflow.steps[-1].tool if workflow else None
            return {"values": values, "routing": {"next": AGENT_NODE}}
        for name, question in workflow.needs.items():
            if name not in values:
                return _ask(f"{_so_far(workflow, values)}{question}")
        return {"values": values, "step": 0, "routing": {"next": WORKFLOW}}

    async def workflow(self, state: CoordinatorState) -> CoordinatorState:
        """Do the workflow's steps, as far as nobody else has to answer first."""
        workflow = self.file.workflows[state["classified"].intent]
        values = dict(state["values"])
        for number in range(state["step"], len(workflow.steps)):
            step = workflow.steps[number]
            if step.delegate is not None:
                return _delegation(state, step, values, number)
            try:
                over = await ended(state["calls"], step, values)
            except UnclearError as error:
                return _ask(str(error))
            except MissingValueError as error:
                return _ask(_missing(str(error)))
            except (RefusedError, UnavailableError) as error:
                return _failed(error)
            if over is not None:
                return _answer(told(over), success=_is_handled(state["calls"]))
        return _answer(state.get("delegation_result") or "Done.")

    async def agent(self, state: CoordinatorState) -> CoordinatorState:
        """Have an agent find the tool for it."""
        try:
            text = await self.answerer(state["calls"], state["request"].message, state["values"])
        except UnclearError as error:
            return _ask(str(error))
        except (RefusedError, UnavailableError) as error:
            return _failed(error)
        return _answer(text, success=_is_handled(state["calls"]))

    async def delegate(self, state: CoordinatorState) -> CoordinatorState:
        """Have another agent answer, and return its result to the caller."""
        step = self._workflow(state).steps[state["step"]]
        try:
            result = await delegated(
                state["calls"], self.agents, state["pending_delegation"], step.then
            )
        except NotDelegatedError as error:
            return _answer(str(error), success=False)
        except (RefusedError, UnavailableError) as error:
            return _failed(error)
        return {
            "delegation_result": result,
            "step": state["step"] + 1,
            "routing": {"next": WORKFLOW},
        }

    async def output(self, state: CoordinatorState) -> CoordinatorState:
        """Put what came of it into one response."""
        calls = state["calls"]
        said = answer_in(request_language(state["request"]), state.get("said", ""))
        return {
            "response": AgentResponse(
                message=said,
                tool_calls=tuple(calls.made) or None,
                success=state.get("success", False),
                request_id=state["request"].request_id,
            )
        }

    def _values(self, state: CoordinatorState, workflow: Workflow | None) -> dict[str, Any]:
        """Return what the sentence says, what was said before, and what is known of the person."""
        request, reply = state["request"], state.get("follow_up")
        said = reply.request if reply else request.message
        values = extract(said, state["classified"].title, request.conversation_history)
        values |= reply.values if reply else {}
        values |= {"user": request.user_id, "user_id": request.user_id}
        values |= self.file.people.get(request.user_id, {})
        steps = workflow.steps if workflow else []
        if not any(it.currency for it in steps):
            values = {name: it for name, it in values.items() if name != "amount" or is_money(it)}
        if any("$since" in it.arguments.values() for it in steps):
            values |= bounds_in(said, clock.now().date())
        return values

    def _workflow(self, state: CoordinatorState) -> Workflow:
        return self.file.workflows[state["classified"].intent]

    def _guidance(self) -> str:
        """Name things that can be done, and how to ask for them."""
        known = list(self.file.workflows.values())
        some = known[:: max(1, len(known) // NAMED_AT_MOST)][:NAMED_AT_MOST]
        told_of = "; ".join(f"{it.does} (“{it.example}”)" for it in some)
        return f"I cannot help with that. I can, for example: {told_of}."


def _asked_again(request: AgentRequest) -> Classified | None:
    """Return our last question once more, where a yes answers it that does not say which."""
    before = request.conversation_history[-1:]
    if not before or before[0].role is not Speaker.ASSISTANT or not is_assent(request.message):
        return None
    question = before[0].content.strip().removesuffix(WHAT).strip()
    if not before[0].content.strip().endswith("?"):
        return Classified(intent=UNKNOWN, why=NOTHING_ASKED)
    return Classified(intent=CLARIFY, why=f"{WHICH} {question.removeprefix(WHICH).strip()}")


def _delegation(
    state: CoordinatorState, step: Step, values: dict[str, Any], number: int
) -> CoordinatorState:
    if not state["flags"]["delegation"]:
        return _answer("Delegation to other agents is switched off.", success=False)
    delegation = AgentDelegation(
        target_agent=str(step.delegate),
        query=step.query,
        context={"message": values["message"]},
        return_to="coordinator",
    )
    return {
        "pending_delegation": delegation,
        "values": values,
        "step": number,
        "routing": {"next": DELEGATE},
    }


def _so_far(workflow: Workflow, values: dict[str, Any]) -> str:
    """Name what was understood, in front of the question about what is missing."""
    known = [values[name] for name in workflow.needs if name in values]
    said = ", ".join(
        f"{it.get('currency', '')} {it['value']}".strip() if isinstance(it, dict) else f"“{it}”"
        for it in known
    )
    return f"So far I have {said}. " if said else ""


def _ask(question: str) -> CoordinatorState:
    """A question back: nothing was done, so the request was not handled."""
    return _answer(question, success=False)


def _answer(text: str, *, success: bool = True) -> CoordinatorState:
    return {"said": text, "success": success, "routing": {"next": OUTPUT}}


def _failed(error: HoldpointError) -> CoordinatorState:
    if isinstance(error, RefusedError):
        return _answer(refused(error), success=False)
    log.warning("request_not_finished", why=repr(error))
    text = "This could not be finished now. Send the same request again: nothing is done twice."
    return _answer(text, success=False)


def _missing(name: str) -> str:
    if name.endswith("_id"):
        what = name.removesuffix("_id").replace("_", " ")
        return f"I do not know which {what} you are. An operator adds it to coordinator.yaml."
    return f"For this I need: {name.replace('_', ' ')}."


def _is_handled(calls: Calls) -> bool:
    return bool(calls.made) and (calls.made[-1].success or waits(calls.made[-1]))
