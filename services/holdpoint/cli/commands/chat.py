"""`holdpoint chat`: a person asks in plain words, and answers the cards that come of it."""

import asyncio
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Annotated

import typer
from rich.text import Text

from holdpoint.cli import answering, output, passwords, terminal
from holdpoint.cli.cards import read_cards
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun, logged_in, person_of
from holdpoint.cli.terminal import Terminal
from holdpoint.cli.views import card_view
from holdpoint.console.sessions import LIVES
from holdpoint.coordinator.formatting import Channel, ResponseFormatter
from holdpoint.messages import catalog
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.request import (
    AgentRequest,
    AgentResponse,
    ConversationMessage,
    Speaker,
    pending,
)
from holdpoint.runtime.broker.person_connection import NOT_NOW
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock

MOST_REMEMBERED = 20
"""Messages of the conversation that go along with a request."""

CARD_S = 20.0
"""Time in which a card is shown after its hold was told."""

LOOK_AGAIN_S = 0.1
RUN_S = 30.0
"""Time that a run is waited for after a yes."""

LEAVING = frozenset({"quit", "exit", "bye", "q"})
CHOICES = {"proceed": Choice.PROCEED, "cancel": Choice.CANCEL}
AT_THE_CARD = CHOICES | {"no": Choice.CANCEL, "nein": Choice.CANCEL}
ALMOST = frozenset({"y", "yes", "ok", "okay", "ja", "sure", "go", "do it", "confirm"})
ASKED = "Type proceed or cancel, or ask something else; Enter leaves it open: "
IN_FULL = "A yes is the whole word: type proceed."
STAYS_OPEN = "It stays open. Type proceed or cancel at any time."
NOT_INSTALLED = (
    "The chat needs the coordinator, which is not installed: pip install 'holdpoint[coordinator]'. "
    "Then start Holdpoint again."
)
NO_COORDINATOR = "no_coordinator"


@dataclass(kw_only=True)
class Conversation:
    """A person's conversation with the coordinator, as long as the command runs."""

    settings: Settings
    person: catalog.Person
    seed: str = field(repr=False)
    said: list[ConversationMessage] = field(default_factory=list)
    logged_in_at: float = field(default_factory=clock.monotonic)
    open: dict[str, AgentRequest] = field(default_factory=dict)
    """Holds whose cards nobody has answered here, the newest last, each with its request."""

    unanswered: AgentRequest | None = None
    """The last request, while no coordinator has answered it: said again, it is the same."""

    def ask(self, message: str, request_id: str = "") -> tuple[AgentRequest, AgentResponse]:
        """Send a request, and return it with its answer; CommandError when nobody answers."""
        if self.unanswered is not None and self.unanswered.message == message:
            return self.unanswered, self.send(self.unanswered)
        request = AgentRequest(
            message=message,
            conversation_history=tuple(self.said[-MOST_REMEMBERED:]),
            request_id=request_id or clock.new_id(),
        )
        return request, self.send(request)

    def send(self, request: AgentRequest) -> AgentResponse:
        """Send a request that may have been sent before."""
        self.unanswered = request
        response = asyncio.run(self._send(request))
        self.unanswered = None
        return response

    async def _send(self, request: AgentRequest) -> AgentResponse:
        async with logged_in(self.settings, self.person.name, self.seed) as person:
            try:
                return await person.request(request)
            except UnavailableError:
                raise CommandError(ExitCode.UNREACHABLE, NO_COORDINATOR, why_silent()) from None

    def unlock_again(self, tty: Terminal) -> None:
        """Ask for the password again where the login is as old as a console's may be."""
        if clock.monotonic() - self.logged_in_at > LIVES.total_seconds():
            self.seed = passwords.unlocked(tty, self.settings, self.person.name)
            self.logged_in_at = clock.monotonic()

    def remember(self, request: AgentRequest, response: AgentResponse) -> None:
        """Keep what was said, so that `it` is understood next time."""
        asked = ConversationMessage(role=Speaker.USER, content=request.message)
        told = ConversationMessage(role=Speaker.ASSISTANT, content=response.message)
        self.said += [asked, told]


def why_silent() -> str:
    """Return why nobody answered a request, and what to do."""
    return NOT_NOW if find_spec("langgraph") else NOT_INSTALLED


def chat(
    message: Annotated[
        str, typer.Argument(metavar="[MESSAGE]", help="One request; without it, a conversation.")
    ] = "",
    *,
    request_id: Annotated[
        str, typer.Option(help="A UUID; the same one again is the same request.")
    ] = "",
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask for something in plain words. What needs a yes shows its card first."""
    settings = begun()
    person = person_of(settings, as_person)
    with terminal.opened() as tty:
        seed = passwords.unlocked(tty, settings, person.name)
        talk = Conversation(settings=settings, person=person, seed=seed)
        if message:
            _once(tty, talk, (message, request_id), as_json=as_json)
            return
        tty.show([Text("What can I do for you? An empty line, or `quit`, ends this.")])
        line = ""
        while line := line or _typed(tty, "You: "):
            line = _turn_or_word(tty, talk, line)


def _once(tty: Terminal, talk: Conversation, said: tuple[str, str], *, as_json: bool) -> None:
    _, response = talk.ask(*said)
    if as_json:
        output.emit(response)
    else:
        _tell(tty, response)
    if not response.success:
        raise typer.Exit(ExitCode.FAILED)


def _turn_or_word(tty: Terminal, talk: Conversation, line: str) -> str:
    """Handle a line; where no coordinator answers, say so, and leave the conversation open."""
    try:
        return _turn(tty, talk, line)
    except CommandError as error:
        if error.code != NO_COORDINATOR:
            raise
        _say(tty, error.text)
        return ""


def _turn(tty: Terminal, talk: Conversation, line: str) -> str:
    """Handle a line, and return what the person asked at a card instead of answering it."""
    choice = CHOICES.get(line.lower())
    if choice is not None and talk.open:
        at_once = Choice.CANCEL if choice is Choice.CANCEL and len(talk.open) == 1 else None
        return _offer(tty, talk, next(reversed(talk.open)), at_once)
    request, response = talk.ask(line)
    _say(tty, response.message)
    talk.remember(request, response)
    holds = tuple(pending(response))
    talk.open |= dict.fromkeys(holds, request)
    for hold_id in holds:
        if line := _offer(tty, talk, hold_id, None):
            return line
    return ""


def _offer(tty: Terminal, talk: Conversation, hold_id: str, choice: Choice | None) -> str:
    """Show the card and take its answer; return what was typed instead of one."""
    card = asyncio.run(_card(talk, hold_id)) if catalog.may_answer(talk.person) else None
    if card is None:
        talk.open.pop(hold_id)
        _say(tty, "Somebody else is asked. Ask again later to hear how it ended.")
        return ""
    try:
        since = clock.monotonic()
        if choice is None:
            tty.show_pages(list(card_view.question(card, clock.now(), tty.width)))
            choice, line = _choice(tty)
            if choice is None:
                _say(tty, STAYS_OPEN)
                return line
        talk.unlock_again(tty)
        shown = answering.Shown(card=card, person=talk.person, seed=talk.seed, since=since)
        wish = answering.Wish(choice=choice, prefix=hold_id, reason="", wait_s=RUN_S)
        _told(tty, talk, answering.answer_shown(tty, talk.settings, shown, wish))
    except CommandError as error:
        if error.code == "already_closed":
            _tell_ending(tty, talk, hold_id)
        else:
            _say(tty, error.text)
    return ""


def _choice(tty: Terminal) -> tuple[Choice | None, str]:
    """Return the answer that is typed; none, with what was typed instead."""
    while (line := _typed(tty, ASKED)).lower() in ALMOST:
        _say(tty, IN_FULL)
    choice = AT_THE_CARD.get(line.lower())
    return choice, "" if choice else line


def _told(tty: Terminal, talk: Conversation, answer: answering.Answered) -> None:
    """Tell once what came of an answer: the request's own words for it, as soon as it ended."""
    if answer.state not in answering.ENDINGS and answer.status != Status.CANCELLED:
        _say(tty, answer.text)
        return
    _tell_ending(tty, talk, answer.hold_id)


def _tell_ending(tty: Terminal, talk: Conversation, hold_id: str) -> None:
    response = talk.send(talk.open[hold_id])
    del talk.open[hold_id]
    _say(tty, response.message)
    talk.said.append(ConversationMessage(role=Speaker.ASSISTANT, content=response.message))


async def _card(talk: Conversation, hold_id: str) -> Card | None:
    gives_up_at = clock.monotonic() + CARD_S
    while True:
        for card in await read_cards(talk.settings, talk.person):
            if card.hold_id == hold_id:
                return card
        if clock.monotonic() > gives_up_at:
            return None
        await asyncio.sleep(LOOK_AGAIN_S)


def _tell(tty: Terminal, response: AgentResponse) -> None:
    for line in ResponseFormatter().render(response, Channel.TERMINAL):
        _say(tty, line)


def _say(tty: Terminal, text: str) -> None:
    tty.show([Text(it) for it in output.folded(text, tty.width)])


def _typed(tty: Terminal, prompt: str) -> str:
    line = tty.line(prompt).decode(errors="replace").strip()
    return "" if line.lower() in LEAVING else line


def mount(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(chat)
