"""The one way to connect: as a user with an nkey, a private inbox, and no buffered promises."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog
from nats.aio.client import Client
from nats.js import JetStreamContext

from holdpoint.runtime.broker.wire import WireClient
from holdpoint.runtime.credentials import CORE_USERS, read_seed
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.settings import Settings

log = structlog.get_logger(__name__)

CORE_API = "$JS.API"
IMPORTED_API = "JS.core.API"
"""Outside CORE: a request on the API's own name would end in the wrong account."""

FIRST_CONNECT_S = 10.0
CONNECT_TIMEOUT_S = 5
RECONNECT_WAIT_S = 1
PING_INTERVAL_S = 10
API_TIMEOUT_S = 5.0
DRAIN_TIMEOUT_S = 2
"""What is in hand was finished before; what is left is acknowledgements on their way out."""

UNBUFFERED = 0
"""Bytes kept while disconnected: a publish that was reported as failed must not happen later."""

REFUSED = "authorization violation"
"""In the server's words."""

FOR_EVER = -1
REMEMBERED_DENIALS = 100


@dataclass(frozen=True, kw_only=True)
class Login:
    """Who connects, where, and what the broker has forbidden them so far."""

    user: str
    seed: str = field(repr=False)
    url: str
    denials: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_DENIALS))
    lost: list[Callable[[], None]] = field(default_factory=list, repr=False)
    """Called when the connection breaks: whoever waits for a reply then waits in vain."""

    @property
    def inbox_prefix(self) -> str:
        """Where this user alone may receive replies; without the final dot."""
        return inbox_prefix(self.user)

    @property
    def api_prefix(self) -> str:
        """The JetStream API's name as this user's account knows it."""
        return CORE_API if self.user in CORE_USERS else IMPORTED_API


def inbox_prefix(user: str) -> str:
    """The subjects on which one user alone receives replies; without the final dot."""
    return f"_INBOX_{user}"


async def connect(login: Login) -> Client:
    """Connect with nats-py: later breaks are mended for ever, a first try that fails raises.

    SetupError at once when the broker does not know the user; UnavailableError when there is no
    broker within FIRST_CONNECT_S.
    """
    client, is_in = WireClient(), False

    async def on_error(error: Exception) -> None:
        """What this raises ends the first connecting, which would go on for ever."""
        if not is_in and REFUSED in str(error).lower():
            what = f"The broker at {login.url} does not know {login.user}."
            raise SetupError(f"{what} Tell it: holdpoint provision")
        await remember(login, error)

    try:
        async with asyncio.timeout(FIRST_CONNECT_S):
            await enter(client, login, on_error)
    except TimeoutError:
        await client.close()
        raise UnavailableError(
            f"{login.user} cannot connect to {login.url} ({client.last_error}). "
            "Is the broker running? Start it with: holdpoint up"
        ) from None
    except SetupError:
        await client.close()
        raise
    is_in = True
    return client


async def enter(
    client: Client, login: Login, on_error: Callable[[Exception], Awaitable[None]]
) -> None:
    """Connect as every client of ours does; where no broker is yet, try for ever."""

    async def on_loss() -> None:
        for tell in login.lost:
            tell()
        if not client.is_closed:
            log.info("broker_disconnected", user=login.user)

    async def on_return() -> None:
        log.info("broker_reconnected", user=login.user)

    await client.connect(
        login.url,
        name=login.user,
        nkeys_seed_str=login.seed,
        inbox_prefix=login.inbox_prefix,
        connect_timeout=CONNECT_TIMEOUT_S,
        max_reconnect_attempts=FOR_EVER,
        reconnect_time_wait=RECONNECT_WAIT_S,
        ping_interval=PING_INTERVAL_S,
        pending_size=UNBUFFERED,
        drain_timeout=DRAIN_TIMEOUT_S,
        error_cb=on_error,
        disconnected_cb=on_loss,
        reconnected_cb=on_return,
    )


async def remember(login: Login, error: Exception) -> None:
    """Note what the broker says; whoever waits for what it forbade asks the login."""
    if "permissions violation" in str(error).lower():
        login.denials.append(str(error))
        log.error("broker_denied", user=login.user, error=str(error))
    else:
        log.warning("broker_error", user=login.user, error=repr(error))


def login(settings: Settings, user: str) -> Login:
    """Who a process is on the bus, with the credential that lies on this machine."""
    seed = read_seed(settings.credentials_dir, user)
    return Login(user=user, seed=seed, url=settings.broker_url)


def jetstream(client: Client, login: Login) -> JetStreamContext:
    """Return JetStream as this user's account reaches it."""
    return client.jetstream(prefix=login.api_prefix, timeout=API_TIMEOUT_S)
