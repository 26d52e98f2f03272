"""News of a command that runs for long: lines for people, JSON for programs.

Each piece of news is one line of JSON, and its `event` says which one it is.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import msgspec
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.output import word
from holdpoint.runtime.process.supervisor import how_it_ended

HOLD_SHOWN = 8
"""Characters of a hold's id: enough to find it by; `--json` has the whole."""

FACT_COLUMNS = 9


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Base of all news; each has `lines`, which people read."""


class Ready(Event, frozen=True, kw_only=True, tag="ready"):
    """The broker and every service run."""

    address: str
    """The broker's address."""

    pid: int
    """The process that a signal stops."""

    state_dir: str
    services: dict[str, int]
    """Each service's process."""

    moved: dict[str, str] = {}
    """Where a service serves its health, if the port that it should have is taken."""

    console: str = ""
    """Address at which people answer in a browser."""

    console_moved: bool = False
    """True if the console's own port was taken, so that it has another one now."""

    api: str = ""
    """Address of the HTTP API; empty where no agent is served over HTTP."""

    next_steps: tuple[str, ...] = ()
    """Commands that a person may use now."""

    def lines(self) -> Iterable[Text]:
        """Yield where it runs, and what to do next."""
        yield Text(f"Holdpoint runs: broker {self.address}, state in {self.state_dir}/")
        for name, url in self.moved.items():
            yield Text(f"The port for the health of {name} is taken; it moved: {url}")
        if self.console_moved:
            yield Text(f"The console's port is taken; it moved: {self.console}")
        if self.api:
            yield Text(f"Agents reach the HTTP API at {self.api}")
        if self.next_steps:
            yield Text.assemble(("Answer in the browser:  ", "bold"), (self.console, "bold green"))
        yield from map(Text, self.next_steps)


class Serving(Event, frozen=True, kw_only=True, tag="serving"):
    """One service listens."""

    service: str
    address: str
    """Where its health is, over HTTP."""

    pid: int

    def lines(self) -> Iterable[Text]:
        """Yield where to ask how it is."""
        yield Text(f"{self.service} is ready: {self.address}/readyz")


class PasswordMade(Event, frozen=True, kw_only=True, tag="password_made"):
    """A program made a person's first password, because there is no terminal."""

    person: str
    password: str

    def lines(self) -> Iterable[Text]:
        """The password: nobody can read it again."""
        once = "told only this once, to be changed at first use"
        yield Text(f"Password of {self.person}, {once}: {self.password}")


class Died(Event, frozen=True, kw_only=True, tag="died"):
    """A process ended by itself; it is started again."""

    service: str
    exit_code: int

    def lines(self) -> Iterable[Text]:
        """Yield which one, and how."""
        yield Text(f"{self.service} {how_it_ended(self.exit_code)}; it is started again.")


class Restarted(Event, frozen=True, kw_only=True, tag="restarted"):
    """It is ready again."""

    service: str

    def lines(self) -> Iterable[Text]:
        """Yield which one."""
        yield Text(f"{self.service} is ready again.")


class Problem(Event, frozen=True, kw_only=True, tag="problem"):
    """Something did not work, and the rest goes on."""

    who: str
    text: str

    def lines(self) -> Iterable[Text]:
        """Yield who has it, and what it is."""
        return output.behind(Text(f"{self.who}: "), self.text, output.news_width())


class ProblemOver(Event, frozen=True, kw_only=True, tag="problem_over"):
    """The problem that was told of it has ended."""

    who: str

    def lines(self) -> Iterable[Text]:
        """Yield whose."""
        yield Text(f"{self.who}: the problem is over.")


class Called(Event, frozen=True, kw_only=True, tag="called"):
    """State of a call of the sample agent."""

    agent: str
    tool: str
    status: str
    hold_id: str
    pending: bool
    """True if it is not over: a person, the gate or a worker has it."""

    text: str

    def lines(self) -> Iterable[Text]:
        """The status, and the id that an answer needs."""
        hold = f"[{self.hold_id[:HOLD_SHOWN]}] " if self.pending else ""
        head = Text.assemble(f"{self.agent}: {self.tool}: ", (self.status, "bold"), f" {hold}")
        return output.behind(head, self.text, output.news_width())


class RoundOver(Event, frozen=True, kw_only=True, tag="round_over"):
    """Everything that the sample agent proposed is over; it rests."""

    agent: str
    round: int
    pause_s: float

    def lines(self) -> Iterable[Text]:
        """When it goes on."""
        rest = f"the next one in {self.pause_s:.0f} s"
        yield Text(f"{self.agent}: round {self.round} is over; {rest}")


class Proposed(Event, frozen=True, kw_only=True, tag="proposed"):
    """The demo's agent proposes."""

    step: str
    tool: str
    arguments: dict[str, Any]

    def lines(self) -> Iterable[Text]:
        """The call."""
        return output.behind(
            Text(f"{self.tool} ", style="bold"), _written(self.arguments), output.news_width()
        )


def _written(arguments: dict[str, Any]) -> str:
    """`path=., database=crm`: as an agent's developer would type them."""
    return ", ".join(
        f"{name}={it if isinstance(it, str) else msgspec.json.encode(it).decode()}"
        for name, it in arguments.items()
    )


class Happened(Event, frozen=True, kw_only=True, tag="happened"):
    """A fact on the bus."""

    fact: str
    hold_id: str
    text: str

    def lines(self) -> Iterable[Text]:
        """The fact, below the call that it is about."""
        head = Text(f"  {self.fact:<{FACT_COLUMNS}} ", style="cyan")
        return output.behind(
            head + Text(f"{self.hold_id[:HOLD_SHOWN]} "), self.text, output.news_width()
        )


class Answered(Event, frozen=True, kw_only=True, tag="answered"):
    """The demo's person has read a card and presses a button."""

    person: str
    hold_id: str
    title: str
    answer: str

    def lines(self) -> Iterable[Text]:
        """Yield who, what they read, and which button."""
        said = Text.assemble((f"  {self.person} reads ", "yellow"), word(self.title))
        yield said + Text(f": {self.answer}")


class Ended(Event, frozen=True, kw_only=True, tag="ended"):
    """Result of the demo."""

    ok: bool
    failures: list[str]

    def lines(self) -> Iterable[Text]:
        """That all agree, or everything that is wrong."""
        for failure in self.failures:
            yield from output.behind(Text("FAILED ", style="red"), failure, output.news_width())
        if self.ok:
            agree = " outcomes, ledger, table and folder agree."
            yield Text.assemble(("It ended as it should:", "green"), agree)


class Stopping(Event, frozen=True, kw_only=True, tag="stopping"):
    """A signal came."""

    def lines(self) -> Iterable[Text]:
        """It may take a moment."""
        yield Text("Stopping …")


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """Nothing runs any more."""

    def lines(self) -> Iterable[Text]:
        """Nothing is lost."""
        yield Text("Stopped. What was pending is still pending at the next start.")


News: TypeAlias = (
    Ready
    | Serving
    | PasswordMade
    | Died
    | Restarted
    | Problem
    | ProblemOver
    | Called
    | RoundOver
    | Proposed
    | Happened
    | Answered
    | Ended
    | Stopping
    | Stopped
)

Tell: TypeAlias = Callable[[News], None]


def teller(*, as_json: bool) -> Tell:
    """Return how this command tells."""
    return output.emit if as_json else to_people


def to_people(event: News) -> None:
    """Lines of text."""
    output.show(event.lines())
