"""The agent's side of the bus: propose, say, ask for a confirmation, wait, take back.

    async with Holdpoint.connect(agent="sample-agent") as hp:
        outcome = await hp.call("run_command", {"command": "ls"}, reasoning="look around")

Waits are made of bounded questions and survive restarts of the broker and the gate. A call is
known by its idempotency key, made before the first try, and from the gate's first answer on by
its hold id: with either, another process too finds out what became of it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self, Unpack

from msgspec.structs import replace
from nats.aio.client import Client

from holdpoint.client import host_runs
from holdpoint.client.call_tracker import TAKE_BACK_S, Line, Pursuit
from holdpoint.client.claims import Claims, without_keys
from holdpoint.client.options import (
    CallWords,
    Manner,
    OnCancel,
    PlanWords,
    Said,
    SentenceWords,
    TraceWords,
    Waiting,
    Way,
    check_arguments,
    check_text,
    detail_of,
    intent_of,
    plan_of,
    propose_of,
    risk_of,
    split,
    trace_of,
)
from holdpoint.client.outcome import Outcome, RefusedError, SetupError, UnavailableError
from holdpoint.client.results import Results
from holdpoint.client.traced_cycles import Cycle
from holdpoint.client.traced_cycles import current as inside
from holdpoint.core.claims import KIND
from holdpoint.core.digest import canonical, money_as_text
from holdpoint.core.next_steps import IDS, is_next_step
from holdpoint.core.verdict import HIGHEST_LEVEL
from holdpoint.messages.ask import AskTools
from holdpoint.messages.base import BAD_KEY, is_id, is_key
from holdpoint.messages.call import Call, Intent, Phase, Propose, Withdraw
from holdpoint.messages.catalog import ToolDefinition
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Reason
from holdpoint.messages.risk import IntentClaim, RiskLevel
from holdpoint.runtime import errors
from holdpoint.runtime.broker.connection import Login, Requests, connect
from holdpoint.runtime.config.setting_names import chosen_settings
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.logs import quiet_by_default
from holdpoint.runtime.security.credentials import agent_user, read_seed
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.store.journal import Reader
from holdpoint.runtime.store.lru_cache import Recent

PATIENCE_S = 60.0
"""Above a broker's restart with large streams, below what a caller takes for a hang."""

MOST_TOOLS = 100
"""Tools in one answer, at most."""

MOST_SAID = 64
_STANDS = frozenset({Status.PENDING_CONFIRMATION, Status.CONFIRMED})
"""States of a sentence whose call needs no question of its own."""

TOO_LATE = frozenset(why.value for why in (Reason.ALREADY_CLOSED, Reason.ALREADY_STARTED))

connected: "set[Holdpoint]" = set()
"""What is connected in this process."""


class Holdpoint:
    """One agent's connection: `connect` describes it, `async with` opens and closes it."""

    def __init__(
        self,
        login: Login,
        tenant: str,
        agent: str,
        *,
        keys_dir: Path,
        patience_s: float,
        on_cancel: OnCancel,
    ) -> None:
        self.tenant = tenant
        self.agent = agent
        self.loop: asyncio.AbstractEventLoop | None = None
        self.review_url: Callable[[str], str] = lambda _: ""
        """Return the address at which people answer a hold; empty where there is no console."""

        self._login = login
        self._patience_s = patience_s
        self._on_cancel = on_cancel
        self._keys_dir = keys_dir
        self._client: Client | None = None
        self._connected: Line | None = None
        self._claims: Claims | None = None
        self._taking_back: set[asyncio.Task[None]] = set()
        self._said: Recent[str] = Recent(MOST_SAID)
        """The holds of sentences that announced an action, by its arguments."""

    @classmethod
    def connect(
        cls, agent: str, settings: Settings | None = None, **way: Unpack[Way]
    ) -> "Holdpoint":
        """Say who speaks and where; `async with` then connects.

        What is not given comes from the settings. Raises SetupError without a credential.
        """
        if not is_id(agent):
            raise SetupError(f"{agent!r} is no agent's name: letters, digits, `_` and `-`.")
        quiet_by_default()
        chosen = settings or chosen_settings()
        user = agent_user(agent)
        if "seed" not in way:
            _check_known(chosen.credentials_dir, agent)
        seed = way.get("seed") or read_seed(chosen.credentials_dir, user)
        hp = cls(
            Login(
                user=user,
                seed=seed,
                url=way.get("url") or chosen.broker_url,
                ca=chosen.broker_ca,
            ),
            way.get("tenant") or chosen.tenant,
            agent,
            keys_dir=chosen.keys_dir,
            patience_s=way.get("patience_s", PATIENCE_S),
            on_cancel=way.get("on_cancel", "withdraw"),
        )
        hp.review_url = partial(chosen.review_url, agent)
        return hp

    async def __aenter__(self) -> Self:
        """Connect. Raises UnavailableError when nobody is there, SetupError to a stranger."""
        try:
            self._client = await connect(self._login)
        except errors.UnavailableError as error:
            raise UnavailableError(str(error)) from error
        self._connected = Line(
            client=self._client,
            requests=Requests(self._client, self._login),
            results=self._listening(self._client),
            login=self._login,
            tenant=self.tenant,
            agent=self.agent,
            patience_s=self._patience_s,
        )
        self.loop = asyncio.get_running_loop()
        connected.add(self)
        return self

    @property
    def is_closed(self) -> bool:
        """Return whether it is not connected and will not be again by itself."""
        return self._client is None or bool(self._client.is_closed)

    def _listening(self, client: Client) -> Results | None:
        """Listen for results where the public keys can verify them."""
        keyset = Keyset(self._keys_dir)
        if not keyset.is_readable:
            return None
        reader = Reader(client, self._login, self.tenant, keyset)
        results = Results(reader=reader, agent=self.agent)
        results.listen(client)
        self._claims = Claims(reader=reader, agent=self.agent)
        self._claims.listen(client)
        return results

    async def __aexit__(self, *_: object) -> None:
        """Finish the withdrawals in hand, then close. What waits for people waits on."""
        connected.discard(self)
        if self._taking_back:
            await asyncio.wait(self._taking_back, timeout=TAKE_BACK_S)
        if self._client is not None:
            await self._client.close()

    async def call(
        self, tool: str, arguments: Mapping[str, Any], **words: Unpack[CallWords]
    ) -> Outcome:
        """Propose a tool call, and wait for what comes of it.

        Returns when it is final; with `wait=False` as soon as people are asked; after `timeout`
        seconds as it stands then. Denied, cancelled, expired … are outcomes, not errors. Raises
        RefusedError when the call does not count and UnavailableError when nobody is there.

        The next steps of a pending outcome may be called like tools, and return at once:
        `confirm_…` tells how it stands and never confirms, `cancel_pending_operation` withdraws.
        """
        check_arguments(tool, arguments)
        if is_next_step(tool) and not arguments.keys().isdisjoint(IDS):
            words = {"wait": False, "on_cancel": "leave", **words}
        if (cycle := self._inside()) is not None and cycle.dispatched_by:
            words["dispatched_by"] = words.get("dispatched_by") or cycle.dispatched_by
        announced = _key_of(arguments)
        words["intent"] = words.get("intent") or self._said.get(announced)
        outcome = await self._make(partial(propose_of, tool, arguments), words)
        self._said.take(announced)
        return outcome

    async def say(
        self,
        text: str,
        metadata: IntentClaim | Mapping[str, Any] | None = None,
        **words: Unpack[SentenceWords],
    ) -> Outcome:
        """Say what is about to happen; a risky or unsure sentence waits for people.

        `.confirmed` tells whether to go on. `metadata` may ask, and may raise the risk, in the
        fields of seed 002: confirmation_required, risk_level, action_type, scope.
        """
        outcome = await self._make(partial(intent_of, text, metadata or {}), words)
        detail = words.get("action_detail") or {}
        if (announced := _key_of(detail)) and outcome.status in _STANDS:
            self._said.put(announced, outcome.hold_id)
        return outcome

    async def plan(
        self,
        steps: Sequence[tuple[str, Mapping[str, Any]]],
        text: str = "",
        **words: Unpack[PlanWords],
    ) -> Outcome:
        """Ask people for one yes to a list of calls: `[("run_command", {"command": "ls"}), …]`.

        Once it is `.confirmed`, make each call in this order with `plan=outcome.hold_id`: it passes
        without being asked about, unless its own level asks for a stronger yes than level 3 or it
        is riskier than people saw. A call that is not the next step asks.
        """
        said = text or f"I plan {len(steps)} steps, in this order."
        return await self._make(partial(plan_of, said, steps), words)

    async def request_confirmation(
        self,
        message: str,
        risk_level: RiskLevel | str,
        action_detail: Mapping[str, Any],
        **said: Unpack[Said],
    ) -> bool:
        """Ask people for a yes, and wait for it.

        True only when it was confirmed. Cancelled, expired, withdrawn, denied are False; `say`
        tells them apart. Raises RefusedError or UnavailableError when nobody could be asked.
        """
        check_text("message", message)
        detail = detail_of(action_detail)
        metadata = {
            "confirmation_required": True,
            "risk_level": risk_of(risk_level).value,
            "action_type": str(detail.get("type", "")),
        }
        outcome = await self.say(message, metadata, action_detail=detail, **said)
        return outcome.confirmed

    async def withdraw(self, hold_id: str, reason: str = "") -> Outcome:
        """Take a call back, and return how it stands then: withdrawn, barred, or too late.

        Too late is an outcome too, with the `code` already_started or already_closed.
        """
        pursuit = self._known(hold_id)
        await pursuit.publish(Withdraw(hold_id=hold_id, reason=reason))
        await pursuit.follow()
        try:
            return pursuit.outcome()
        except RefusedError as why:
            if why.code not in TOO_LATE:
                raise
            return replace(await self.outcome(hold_id), code=why.code, reason=why.text)

    async def outcome(self, hold_id: str) -> Outcome:
        """Return how this agent's hold stands; RefusedError in 6 seconds if there is none."""
        pursuit = self._known(hold_id)
        await pursuit.look()
        return pursuit.outcome()

    async def resume(self, hold_id: str, **waiting: Unpack[Waiting]) -> Outcome:
        """Wait for a hold again, also in another process than the one that proposed it."""
        _, manner = split(waiting, self._on_cancel)
        return await self._pursue(self._known(hold_id), None, manner)

    async def begin(self, hold_id: str, arguments: Mapping[str, Any]) -> Outcome:
        """Take the claim of a call that this process runs itself, just before it does.

        Raises RefusedError, and then nothing may run, unless the call was let go, `arguments` are
        exactly its own, the yes is still good, and nobody began it before.
        """
        return await host_runs.begin(self._line(), hold_id, arguments)

    async def check_claim(self, approved: Outcome) -> None:
        """Verify the gate's signature on the claim that `begin` took for this outcome.

        Raises RefusedError, and then nothing may run; SetupError without the public keys.
        """
        await self.check_verifies().check(approved, clock.now())

    def check_verifies(self) -> Claims:
        """Raise SetupError unless the public keys are here, which verify what the gate signed."""
        if self._claims is None:
            raise without_keys()
        return self._claims

    async def finish(
        self,
        hold_id: str,
        arguments: Mapping[str, Any],
        output: Mapping[str, Any] | None = None,
        error: str = "",
    ) -> Outcome:
        """Report how a run that was begun has ended: `arguments` are what really ran.

        `output["text"]` is what people and agents are told of it; an `error` makes it a failure.
        """
        return await host_runs.finish(self._line(), hold_id, arguments, output or {}, error)

    async def search_tools(
        self, *, domain: str = "", text: str = "", max_tier: int = 3, limit: int = 20
    ) -> tuple[ToolDefinition, ...]:
        """Tools that this agent may call, of a domain or with words in name or description.

        `max_tier` is the highest operation level, `limit` at most 100. Raises RefusedError for a
        search that cannot be read and UnavailableError when nobody is there.
        """
        asked = AskTools(domain=domain, text=text, max_tier=max_tier, limit=limit)
        return (await self._line().search(asked)).tools

    async def get_tools_for_domain(self, domain: str) -> tuple[ToolDefinition, ...]:
        """Every tool of a domain that this agent may call; an unknown domain has none."""
        if not domain:
            return ()
        return await self.search_tools(domain=domain, max_tier=HIGHEST_LEVEL, limit=MOST_TOOLS)

    async def trace(
        self, fn: str, phase: Phase | str, trace_id: str, group_id: str, **words: Unpack[TraceWords]
    ) -> None:
        """Write down that a node of the call tree opened or closed (seed 001); never judged."""
        await self._line().begin(trace_of(fn, phase, trace_id, group_id, words))

    def cycle(self, user_input: str, *, dispatched_by: str = "", group_id: str = "") -> Cycle:
        """From a user's input to an answer (seed 001): calls inside are its children, in order.

        `dispatched_by` is the hold of the dispatch that set this agent to work; the answer ends it.
        """
        check_text("user_input", user_input)
        send = self._line().begin
        return Cycle(send, self.agent, user_input, dispatched_by, group_id)

    def _inside(self) -> Cycle | None:
        """The cycle that this task is in, if it is one of this agent's."""
        cycle = inside.get()
        return cycle if cycle is not None and cycle.agent == self.agent else None

    async def _make(
        self, call_of: Callable[[dict[str, Any]], Propose | Intent], words: Mapping[str, Any]
    ) -> Outcome:
        """Make a call under a key that is kept on every try, and pursue it."""
        said, manner = split(words, self._on_cancel)
        if (cycle := self._inside()) is not None:
            said.setdefault("lineage", cycle.lineage)
        given = said.get("idempotency_key")
        if given is not None and not is_key(given):
            raise RefusedError("bad_key", BAD_KEY)
        said["idempotency_key"] = given or clock.new_id()
        call = call_of(said)
        pursuit = Pursuit(line=self._line(), key=call.idempotency_key, key_is_ours=not given)
        return await self._pursue(pursuit, call, manner)

    async def _pursue(self, pursuit: Pursuit, call: Call | None, manner: Manner) -> Outcome:
        try:
            return await pursuit.pursue(call, manner)
        except asyncio.CancelledError:
            await self._let_go(pursuit, manner)
            raise

    async def _let_go(self, pursuit: Pursuit, manner: Manner) -> None:
        """Its caller was cancelled: withdraw in a task that a second cancellation leaves alone."""
        if manner.on_cancel == "leave":
            pursuit.stop()
            return
        taking_back = asyncio.create_task(pursuit.take_back())
        self._taking_back.add(taking_back)
        taking_back.add_done_callback(self._taking_back.discard)
        await asyncio.shield(taking_back)

    def _known(self, hold_id: str) -> Pursuit:
        return Pursuit.of_hold(self._line(), hold_id)

    def _line(self) -> Line:
        if self._connected is None:
            raise UnavailableError("Not connected: async with Holdpoint.connect(...) as hp")
        return self._connected


class System:
    """The confirmation as a capability of the system: no tool needs to hold a connection."""

    async def request_confirmation(
        self,
        message: str,
        risk_level: RiskLevel | str,
        action_detail: Mapping[str, Any],
        **said: Unpack[Said],
    ) -> bool:
        """Ask people for a yes: `Holdpoint.request_confirmation` on the connection that is open.

        Raises SetupError unless exactly one is: no agent asks under another one's name.
        """
        hp = the_open_one()
        return await hp.request_confirmation(message, risk_level, action_detail, **said)


system = System()


def _key_of(detail: Mapping[str, Any]) -> bytes:
    """The arguments that an action's detail announces, the same however they are written."""
    try:
        return canonical(money_as_text({name: it for name, it in detail.items() if name != KIND}))
    except (TypeError, ValueError, OverflowError, RecursionError):
        return b""  # the call itself says what is wrong with it


def the_open_one() -> Holdpoint:
    """Return the connection of this event loop. SetupError unless exactly one is open."""
    here = [hp for hp in connected if hp.loop is asyncio.get_running_loop()]
    if len(here) == 1:
        return here[0]
    names = ", ".join(sorted(hp.agent for hp in here))
    raise SetupError(
        f"Several connections are open ({names}): call request_confirmation on the one you mean."
        if here
        else "No connection is open here: async with Holdpoint.connect(agent=...) around it."
    )


def _check_known(folder: Path, agent: str) -> None:
    """Raise SetupError for an agent without a credential, where other agents have one."""
    prefix = agent_user("")
    known = sorted(path.stem.removeprefix(prefix) for path in folder.glob(f"{prefix}*.nk"))
    if known and agent not in known:
        raise SetupError(
            f"{folder.absolute()} has no credential of the agent {agent}. There are: "
            f"{', '.join(known)}. A new one needs a line in agents.yaml, then: holdpoint provision"
        )
