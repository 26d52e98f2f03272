"""Context of a command: settings, who asks, a connection that closes itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import typer
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.cli.acting_as import Who
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.messages import catalog
from holdpoint.runtime.broker.connection import Login, connect
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.broker.server import running_pids
from holdpoint.runtime.config.registry import AGENTS_FILE, PEOPLE_FILE, load_registry
from holdpoint.runtime.config.setting_names import chosen_settings
from holdpoint.runtime.config.settings import LOOPBACK, Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process.logs import configure
from holdpoint.runtime.process.supervisor import read_running
from holdpoint.runtime.security.credentials import person_user
from holdpoint.runtime.security.permissions import TERMINAL

REACH_S = 2.0
"""To learn that nobody listens there: a refusal comes at once."""

GREETS_S = 2.5
"""To say a first word, however busy it is."""

ANSWER_S = 5.0
DEFAULT_PORT = 4222

T = TypeVar("T")

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AsOption = Annotated[
    str, typer.Option("--as", help="The person, if not HP_PERSON or the only one with a password.")
]


def settings_here() -> Settings:
    """The settings, once it is sure that the state folder is this tenant's."""
    settings = chosen_settings()
    settings.check_tenant()
    return settings


def begun() -> Settings:
    """The settings; log lines stay quiet unless HP_LOG_LEVEL asks for them."""
    settings = settings_here()
    quiet = {} if "log_level" in settings.model_fields_set else {"log_level": "error"}
    configure(settings.model_copy(update=quiet), "cli")
    return settings


def person_of(settings: Settings, said: str) -> catalog.Person:
    """Return who acts: `--as`, else HP_PERSON, else the only person with a password."""
    name = said or Who().person or _only_one(settings)
    for person in load_registry(settings.config_dir).people:
        if person.name == name:
            return person
    text = f"{settings.config_dir / PEOPLE_FILE} does not know {name}."
    raise CommandError(ExitCode.NOT_FOUND, "unknown_person", text)


def agent_of(settings: Settings, said: str) -> str:
    """Return which agent speaks: `--as`, else HP_AGENT, else the only one."""
    agents = [agent.name for agent in load_registry(settings.config_dir).agents]
    name = said or Who().agent or (agents[0] if len(agents) == 1 else "")
    there_are = f"There are: {', '.join(agents)}."
    if not name:
        text = f"Say which agent with --as or HP_AGENT. {there_are}"
        raise CommandError(ExitCode.USAGE, "which_agent", text)
    if name not in agents:
        text = f"There is no agent {name} in {settings.config_dir / AGENTS_FILE}. {there_are}"
        raise CommandError(ExitCode.NOT_FOUND, "unknown_agent", text)
    return name


def no_state(settings: Settings) -> str:
    """Return what to say where nothing was ever set up; empty where something was."""
    if settings.state_dir.exists():
        return ""
    return (
        f"There is no state of Holdpoint here: {settings.state_dir} is missing. "
        "HP_STATE_DIR names the folder where it lies; holdpoint up makes a new one."
    )


def check_state(settings: Settings) -> None:
    """End here where nothing was ever set up, before anything is read or made."""
    if text := no_state(settings):
        raise CommandError(ExitCode.SETUP, "no_state", text)


def _only_one(settings: Settings) -> str:
    names = sorted(path.stem for path in settings.people_dir.glob("*.key"))
    if len(names) == 1:
        return names[0]
    if not names:
        check_state(settings)
        text = "Nobody has a password yet. Set one: holdpoint people set-password PERSON"
        raise CommandError(ExitCode.SETUP, "no_key", text)
    text = f"Say who you are with --as or HP_PERSON: {', '.join(names)}."
    raise CommandError(ExitCode.USAGE, "which_person", text)


@asynccontextmanager
async def connected(settings: Settings, who: Login) -> AsyncIterator[Client]:
    """A connection for one command."""
    await reach(settings)
    client = await connect(who)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def logged_in(settings: Settings, name: str, seed: str) -> AsyncIterator[Person]:
    """A person's own line to the bus, for one command."""
    who = Login(user=person_user(name), seed=seed, url=settings.broker_url, ca=settings.broker_ca)
    await reach(settings)
    person = await Person.connect(name, settings.tenant, TERMINAL, who)
    try:
        yield person
    finally:
        await person.close()


async def reach(settings: Settings) -> None:
    """Raise UnavailableError unless a broker greets where it should."""
    url, reasons = settings.broker_url, []
    looks = [asyncio.create_task(_why_silent(one)) for one in url.split(",")]
    try:
        for look in asyncio.as_completed(looks):
            if not (why := await look):
                return
            reasons.append(why)
    finally:
        for task in looks:
            task.cancel()
        await asyncio.gather(*looks, return_exceptions=True)
    text = f"No broker answers at {url} ({'; '.join(reasons)}). {_remedy(settings, url)}"
    raise UnavailableError(text)


async def _why_silent(url: str) -> str:
    """Return why no broker greets at this address; empty where one does."""
    place = urlsplit(url if "//" in url else f"nats://{url}")
    try:
        is_there = await _greets(place.hostname or LOOPBACK, place.port or DEFAULT_PORT)
    except (OSError, TimeoutError) as error:
        return str(error) or "no answer"
    return "" if is_there else "it takes the connection and says nothing"


async def _greets(host: str, port: int) -> bool:
    """A process that stands still takes connections too: the kernel does it for it."""
    async with asyncio.timeout(REACH_S):
        reader, writer = await asyncio.open_connection(host, port)
    try:
        async with asyncio.timeout(GREETS_S):
            return bool(await reader.read(1))
    except TimeoutError:
        return False
    finally:
        writer.close()


def _remedy(settings: Settings, url: str) -> str:
    """What to do about a broker that does not answer: one that is supervised here comes back."""
    written = read_running(settings)
    if written is None or (settings.nats_url and written.broker not in {"", url}):
        return "Start it with: holdpoint up"
    if stopped := [str(pid) for pid in running_pids(settings.run_dir) if _stands_still(pid)]:
        pids = " ".join(stopped)
        return f"Its process {pids} was stopped by a signal. Let it go on with: kill -CONT {pids}"
    verb = "is restarting" if written.broker else "is starting"
    return f"Holdpoint runs here (process {written.pid}) and {verb} it: try again in a moment."


def _stands_still(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("T")
    except OSError:
        return False


async def ask_api(client: Client, who: Login, verb: str, body: object) -> dict[str, Any]:
    """One question to the JetStream API; UnavailableError when the answer is no answer."""
    subject = f"{who.api_prefix}.{verb}"
    try:
        reply = await client.request(subject, msgspec.json.encode(body), timeout=ANSWER_S)
    except NatsError as error:
        raise UnavailableError(f"The broker did not answer {verb}: {in_words(error)}") from error
    answer: dict[str, Any] = msgspec.json.decode(reply.data)
    if "error" in answer:
        raise UnavailableError(
            f"The broker refused {verb}: {answer['error'].get('description')}. "
            "Make what is missing: holdpoint provision"
        )
    return answer
