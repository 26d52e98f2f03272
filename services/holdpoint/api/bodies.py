"""Bodies of requests and answers. No body says which agent asks, and no unknown field is taken."""

from holdpoint.messages.base import JsonObject, MaybeId, Message, Moment
from holdpoint.messages.call import Lineage
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.request import AgentRequest
from holdpoint.messages.risk import IntentClaim


class ActionRequest(
    Message, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A tool call that an agent asks for."""

    tool: str
    arguments: JsonObject = {}
    intent: MaybeId = ""
    """The id of the sentence that announced it."""

    reasoning: str = ""
    on_behalf_of: str = ""
    confidence: float | None = None
    taint: tuple[str, ...] = ()
    """JSON pointers of arguments that came from untrusted content; the empty one is all of them."""

    taint_source: str = ""
    deadline: Moment | None = None
    lineage: Lineage = Lineage()


class IntentRequest(
    Message, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A sentence about what the agent is about to do itself."""

    text: str
    metadata: IntentClaim = IntentClaim()
    action_detail: JsonObject = {}
    reasoning: str = ""
    on_behalf_of: str = ""
    confidence: float | None = None
    deadline: Moment | None = None
    lineage: Lineage = Lineage()


class PersonRequest(
    AgentRequest, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A person's request to the coordinator; the token says who asks."""


class Answer(Envelope, frozen=True, kw_only=True, omit_defaults=True):
    """The response envelope, and where people review what waits.

    Every answer has this form, also a refusal: `code` is stable then, and `reason` is for people.
    """

    review_url: str = ""
    """The card of what waits for people; only they can answer it."""


class Event(Message, frozen=True, kw_only=True):
    """One webhook: how an action of the subscribed agent stands now."""

    id: str
    """The same for the same news: one that came before is the same event again."""

    type: str
    """`action.<status>`."""

    created: Moment
    """When the broker stored the fact behind it."""

    agent: str
    data: Answer
