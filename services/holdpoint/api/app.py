"""The HTTP API as a service: on loopback, with the credentials of the agents that it serves."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.api import answers, webhooks
from holdpoint.api.agent_lines import AgentLines
from holdpoint.api.requests import Requests
from holdpoint.api.routes import Routes
from holdpoint.api.tokens import Tokens
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.config.api_files import load_api
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.http_server import serve_http
from holdpoint.runtime.process.listening import handed_on_or_new
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import API

MOST_CONNECTIONS = 2048
"""Long waits of many agents; each agent has 48 of them at most."""


async def build(settings: Settings) -> Service:
    """Wire the HTTP API of one tenant; its port is taken before anything else."""
    listening = handed_on_or_new(settings, API)
    config = load_api(settings.config_dir)
    who = login(settings, API)
    broker, client = await connected(who)
    lines, pool = AgentLines(settings=settings), ThreadPoolExecutor(webhooks.MOST_AT_ONCE)
    hooks = [
        webhooks.Webhook(
            agent=agent,
            url=url,
            secret=webhooks.secret_of(settings.api_dir, agent),
            settings=settings,
            lines=lines,
            pool=pool,
        )
        for agent, url in config.webhooks.items()
    ]
    tokens = Tokens(config_dir=settings.config_dir)
    requests = Requests(settings=settings, tokens=tokens)
    routes = [*Routes(settings=settings, tokens=tokens, lines=lines).routes(), *requests.routes()]
    serving = partial(serve_http, application(routes), listening, MOST_CONNECTIONS)
    following = (job for hook in hooks for job in hook.jobs(client, who))
    return Service(
        name=API,
        broker=broker,
        client=client,
        jobs=(serving, *following),
        at_end=(lines.close, requests.close),
    )


def application(routes: list[Route]) -> Starlette:
    """Every route; what is none is answered in the same form."""
    return Starlette(routes=routes, exception_handlers={HTTPException: _no_route})


async def _no_route(_: Request, error: Exception) -> Response:
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    code = status.phrase.lower().replace(" ", "_")
    return answers.problem(status, code, f"{status.phrase}. The routes stand in /openapi.json.")
