"""Webhooks: a subscribed agent's receiver is told what becomes of its calls, in order.

Two durable consumers ring for each agent, without content: one for its holds, one for its runs.
Each ring is a question to the gate in the agent's own name, and its answer is what is sent. A ring
is acknowledged only after the receiver took it, so nothing is left out, no matter who is away
meanwhile; until then it rings again, and nothing behind it is sent. What is told twice has the same
id.
"""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
import structlog
from nats.aio.client import Client

from holdpoint.api.agent_lines import AgentLines
from holdpoint.api.answers import answered
from holdpoint.api.bodies import Event
from holdpoint.client.outcome import RefusedError
from holdpoint.core.webhook_signature import HEADER, signature
from holdpoint.messages.base import CONTENT_TYPE
from holdpoint.messages.envelope import Envelope
from holdpoint.messages.subject_parts import hold_place, run_place
from holdpoint.messages.subjects import HOLDS, RUNS, kind_of, stream
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.lanes import Delivery, Lane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.streams import webhook_durable
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock, http_posts
from holdpoint.runtime.process.service import Job
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

TAKES_WITHIN_S = 8.0
"""Below the time after which the broker rings again."""

MOST_AT_ONCE = 32
"""Receivers that are being told; one that hangs delays no other agent's."""

SECRET_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """One agent's subscription."""

    agent: str
    url: str
    secret: bytes = field(repr=False)
    settings: Settings
    lines: AgentLines
    pool: ThreadPoolExecutor
    told: Recent[str] = field(default_factory=Recent)
    """The last status that the receiver took, by hold."""

    def jobs(self, client: Client, login: Login) -> tuple[Job, ...]:
        """Return what follows the agent's holds and its runs, for ever."""
        durable = webhook_durable(self.agent)
        lanes = (
            Lane(stream=stream(self.settings.tenant, source), durable=durable, batch=1)
            for source in (HOLDS, RUNS)
        )
        return tuple(partial(pull, client, login, lane, self.on_ring) for lane in lanes)

    async def on_ring(self, delivery: Delivery) -> None:
        """Tell the receiver how the hold stands; raises where it did not take it."""
        place = hold_place if kind_of(delivery.stream) == HOLDS else run_place
        hold_id = place(delivery.subject).hold_id
        hp = await self.lines.of(self.agent)
        try:
            outcome = await hp.outcome(hold_id)
        except RefusedError as why:
            log.warning("webhook_of_unknown_hold", hold_id=hold_id, code=why.code)
        else:
            await self._tell(hold_id, outcome, delivery)
        await delivery.ack()

    async def _tell(self, hold_id: str, told: Envelope, delivery: Delivery) -> None:
        status = told.status.value
        key = hold_id.encode()
        if self.told.get(key) == status:
            return
        event = Event(
            id=f"{hold_id}.{status}",
            type=f"action.{status}",
            created=delivery.at,
            agent=self.agent,
            data=answered(told, self.settings.review_url(self.agent, hold_id)),
        )
        loop = asyncio.get_running_loop()
        body = msgspec.json.encode(event)
        await loop.run_in_executor(self.pool, post, self.url, self.secret, body, self.agent)
        self.told.put(key, status)


def post(url: str, secret: bytes, body: bytes, whose: str) -> None:
    """Send a signed body to a receiver; UnavailableError where it did not take it."""
    at = int(clock.now().timestamp())
    headers = {"Content-Type": CONTENT_TYPE, HEADER: signature(secret, at, body)}
    whose = f"The receiver of {whose}"
    http_posts.post(url, body, headers, whose=whose, within_s=TAKES_WITHIN_S)


def secret_of(folder: Path, agent: str) -> bytes:
    """Return the secret that an agent's webhooks are signed with; a missing one is made."""
    path = files.private_folder(folder) / f"{agent}.webhook"
    if not path.exists():
        made = f"whsec_{secrets.token_urlsafe(SECRET_BYTES)}"
        files.create(path, made.encode(), files.PRIVATE)
    return files.read_secret(path).strip()
