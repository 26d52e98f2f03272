"""The console as a service: wired, listening on loopback, with no power of its own."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from os import stat_result

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import ASGIApp, Scope

from holdpoint.console.agent_routes import AgentScreens
from holdpoint.console.answering import Answering
from holdpoint.console.card_reader import CardReader
from holdpoint.console.card_store import Board
from holdpoint.console.chat_routes import ChatScreens
from holdpoint.console.context import Console
from holdpoint.console.health import HealthWatch
from holdpoint.console.invites import Invites, InviteScreens
from holdpoint.console.kill_switch import KillSwitch
from holdpoint.console.languages import Languages
from holdpoint.console.ledger_view import Archive
from holdpoint.console.login_routes import Logins
from holdpoint.console.openid import OpenId
from holdpoint.console.overview_routes import Overviews
from holdpoint.console.password_login import Door
from holdpoint.console.people import People
from holdpoint.console.rendering import FILES, STATIC, Pages
from holdpoint.console.replay_routes import Replays
from holdpoint.console.routes import Screens
from holdpoint.console.security_headers import SAFE, Guard
from holdpoint.console.sessions import Sessions
from holdpoint.console.step_up_routes import StepUpScreens
from holdpoint.console.trace_routes import TraceScreens
from holdpoint.core.catalog import Catalog
from holdpoint.runtime.broker.connection import Requests, login
from holdpoint.runtime.broker.reads import Reads
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.http_server import serve_http
from holdpoint.runtime.process.listening import handed_on_or_new
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import CONSOLE

NOT_FOUND = HTTPStatus.NOT_FOUND.value
NO_PAGE = "There is no such page."
KEPT = "max-age=31536000, immutable"
"""A year: a file at the address of its version never changes."""

ODD = "This page cannot be asked for like that."


async def build(settings: Settings, catalog: Callable[[], Catalog]) -> Service:
    """Wire the console of one tenant; its port is taken before anything else.

    `catalog` loads every tool: a policy's replay and the page of agents need them.
    """
    listening = handed_on_or_new(settings, CONSOLE)
    who = login(settings, CONSOLE)
    broker, client = await connected(who)
    board, people = Board(), People(settings.config_dir)
    sessions = Sessions(settings.console_dir, settings.people_dir, settings.credentials_dir)
    answering = Answering(settings=settings, board=board, sessions=sessions)
    console = Console(
        port=listening.port,
        client=client,
        board=board,
        people=people,
        sessions=sessions,
        door=Door(settings=settings, people=people),
        answering=answering,
        kill_switch=KillSwitch(answering=answering),
        archive=Archive(url=settings.ledger_url, tenant=settings.tenant),
        reads=Reads(requests=Requests(client, who), tenant=settings.tenant, surface=CONSOLE),
        pages=Pages(tenant=settings.tenant, environment=settings.environment),
    )
    reader = CardReader(client=client, login=who, tenant=settings.tenant, board=board)
    health = HealthWatch(run_dir=settings.run_dir)
    serving = partial(serve_http, application(console, health, catalog), listening)
    jobs = (reader.run, health.run, serving)
    return Service(name=CONSOLE, broker=broker, client=client, jobs=jobs)


def application(console: Console, health: HealthWatch, catalog: Callable[[], Catalog]) -> ASGIApp:
    """Every page behind the guard."""
    settings = console.answering.settings
    invites = Invites(settings.console_dir, settings.people_dir)
    overviews = Overviews(console=console, settings=settings, health=health, invites=invites)
    routes = [
        *Logins(console=console, openid=OpenId(settings=settings)).routes(),
        *Screens(console=console).routes(),
        *ChatScreens(console=console).routes(),
        *AgentScreens(console=console, settings=settings, catalog=catalog).routes(),
        *TraceScreens(console=console).routes(),
        *StepUpScreens(console=console, settings=settings).routes(),
        *overviews.routes(),
        *InviteScreens(console=console, invites=invites).routes(),
        *Replays(overviews=overviews, catalog=catalog).routes(),
        Mount(FILES, KeptFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: partial(_no_page, console)})
    return Guard(Languages(app), console.port)


class KeptFiles(StaticFiles):
    """Files at an address of their version, which a browser may keep for good."""

    def file_response(
        self, full_path: PathLike, stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """Answer with a file, and let it be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = KEPT
        return response


async def _no_page(console: Console, request: Request, error: Exception) -> Response:
    """What has no page of its own: said around the navigation to people, in a line to the rest."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    visitor = console.visitor(request)
    if visitor is None or request.method not in SAFE:
        return PlainTextResponse(f"{HTTPStatus(status).phrase}.\n", status)
    return console.problem(visitor, NO_PAGE if status == NOT_FOUND else ODD, status)
