"""The Slack service: reads cards, shows them, and hears people; it has no say of its own."""

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdpoint.console.card_reader import CardReader
from holdpoint.console.card_store import Board
from holdpoint.console.people import People
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.config import files
from holdpoint.runtime.config.channel_files import SLACK_FILE, SlackFile, load_slack
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process.http_server import serve_http
from holdpoint.runtime.process.listening import handed_on_or_new
from holdpoint.runtime.process.service import Job, Service, connected
from holdpoint.runtime.security.credentials import SLACK

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp
    from slack_sdk.web.async_client import AsyncWebClient

MISSING = "Slack needs its SDK, which is not installed: pip install 'holdpoint[slack]'"
BOT_TOKEN, APP_TOKEN, SIGNING_SECRET = "bot-token", "app-token", "signing-secret"  # files' names


async def build(settings: Settings) -> Service:
    """Wire Slack for one tenant; SetupError where the extra or a token is missing."""
    if find_spec("slack_bolt") is None or find_spec("aiohttp") is None:
        raise SetupError(MISSING)
    config = load_slack(settings.config_dir)
    if not config.channels:
        raise SetupError(f"{settings.config_dir / SLACK_FILE} names no channel of a group.")
    return await _wired(settings, config)


async def _wired(settings: Settings, config: SlackFile) -> Service:
    from holdpoint.slack.answering import Answering  # noqa: PLC0415  # needs the extra
    from holdpoint.slack.listeners import Listeners  # noqa: PLC0415
    from holdpoint.slack.messages import Messages  # noqa: PLC0415
    from holdpoint.slack.posting import Poster  # noqa: PLC0415

    app, web = _app(settings, config)
    who = login(settings, SLACK)
    broker, client = await connected(who)
    board, messages = Board(), Messages(settings.slack_dir)
    reader = CardReader(
        client=client, login=who, tenant=settings.tenant, board=board, durable=SLACK
    )
    people = People(settings.config_dir)
    poster = Poster(
        settings=settings,
        channels=config.channels,
        client=web,
        board=board,
        people=people,
        messages=messages,
    )
    answering = Answering(
        settings=settings,
        team=config.team,
        board=board,
        people=people,
        messages=messages,
    )
    Listeners(answering=answering, channels=config.channels, client=web).wire(app)
    return Service(
        name=SLACK,
        broker=broker,
        client=client,
        jobs=(reader.run, poster.run, _hearing(settings, config, app)),
        problem=lambda: poster.problem,
    )


def _app(settings: Settings, config: SlackFile) -> "tuple[AsyncApp, AsyncWebClient]":
    from slack_bolt.async_app import AsyncApp  # noqa: PLC0415  # needs the extra
    from slack_sdk.web.async_client import AsyncWebClient  # noqa: PLC0415

    web = AsyncWebClient(token=secret(settings, BOT_TOKEN), base_url=config.api_url)
    signing = secret(settings, SIGNING_SECRET) if config.mode == "http" else None
    return AsyncApp(client=web, signing_secret=signing), web


def _hearing(settings: Settings, config: SlackFile, app: "AsyncApp") -> Job:
    """Return what hears Slack: a socket that we open, or requests that it sends."""
    if config.mode == "socket":
        from holdpoint.slack.socket_mode import listen  # noqa: PLC0415  # needs the extra

        return partial(listen, app, secret(settings, APP_TOKEN))
    from holdpoint.slack.http_mode import application  # noqa: PLC0415  # needs the extra

    return partial(serve_http, application(app), handed_on_or_new(settings, SLACK))


def secret(settings: Settings, name: str) -> str:
    """Return one of Slack's secrets, from a file that only its owner can read."""
    path = settings.slack_dir / name
    if not path.exists():
        raise SetupError(f"{path} is missing: write what Slack shows into it, for you alone.")
    return files.read_secret(path).decode().strip()
