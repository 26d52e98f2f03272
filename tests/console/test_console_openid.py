"""Logged in through an identity provider, a person answers in their own name as ever."""

import re
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import pytest
from tests.actors import Guests
from tests.browser import Program
from tests.console.test_console_doors import csrf_in, form_of, half_in
from tests.openid_provider import CLIENT, SECRET, Provider, provider
from tests.running_system import PEOPLE_YAML, Road, running
from tests.waiting import eventually

from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(120)]

PEOPLE = PEOPLE_YAML.replace("name: ann,", "name: ann, email: ann@acme.example,")


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """The browser is us."""


async def comes_back(road: Road, there: Provider) -> tuple[Program, str, int]:
    """Through the provider and back: the program, the page, and its status."""
    program = Program(url=road.settings.console_url)
    left = await program.get("/login/openid?next=/ledger")
    assert left.status == 303, left.text
    program.cookies.update(left.cookies)
    where = left.headers["location"]
    assert where.startswith(there.url)
    asked = dict(re.findall(r"[?&]([a-z_]+)=([^&]*)", where))
    assert asked["client_id"] == CLIENT
    try:
        build_opener(_Stay).open(where)
        raise AssertionError("the provider sends nobody back")
    except OSError as sent:
        back = urlsplit(sent.headers["Location"])  # type: ignore[attr-defined]
    reply = await program.get(f"{back.path}?{back.query}")
    program.cookies.update({key: value for key, value in reply.cookies.items() if value})
    return program, reply.text, reply.status


async def test_who_comes_from_the_provider_answers_in_their_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.touch(0o600)
    secret.write_text(SECRET)
    with provider() as there:
        monkeypatch.setenv("HP_OIDC_ISSUER", there.url)
        monkeypatch.setenv("HP_OIDC_CLIENT_ID", CLIENT)
        monkeypatch.setenv("HP_OIDC_SECRET_FILE", str(secret))
        async with running(tmp_path, own={}, console=True, people_yaml=PEOPLE) as road:
            await answers(road, there)
            there.person = {"sub": "u-9", "email": "zoe@acme.example", "email_verified": True}
            _, page, status = await comes_back(road, there)
            assert (status, "people.yaml does not" in page) == (403, True)


async def answers(road: Road, there: Provider) -> None:
    async with AsyncExitStack() as stack:
        robot = await Guests(road=road, stack=stack).agent()
        mark, call = await robot.command()
        hold_id = (await robot.pending(call)).hold_id
        program, page, status = await comes_back(road, there)
        assert status == 200, page
        carries = {"X-Holdpoint-Csrf": csrf_in(page), "X-Holdpoint-Page": half_in(page)}

        async def shown() -> str:
            reply = await program.get(f"/holds/robot/{hold_id}")
            assert "data-hold" in reply.text, reply.text[:500]
            return reply.text

        form = form_of(await eventually(shown), hold_id)

        async def counted() -> bool:
            told = await program.post(f"/holds/robot/{hold_id}/answer", form, carries)
            assert "too quick" in told.text or '"counted":true' in told.text, told.text
            return '"counted":true' in told.text

        assert await eventually(counted)
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
        assert road.runs_of(mark) == 1
        row = await road.ended(hold_id)
        assert "ann" in str(row)
