"""OpenID Connect against a provider that lies: nobody gets in by any of its lies."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.openid_provider import CLIENT, SECRET, Provider, provider

from holdpoint.console.openid import ATTEMPT_S, Identity, OpenId, OpenIdError
from holdpoint.console.people import People
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

BACK = "http://localhost:8330/login/callback"


@pytest.fixture
def there() -> Iterator[Provider]:
    with provider() as there:
        yield there


@pytest.fixture
def openid(there: Provider, tmp_path: Path) -> OpenId:
    secret = tmp_path / "secret"
    secret.touch(0o600)
    secret.write_text(SECRET)
    settings = Settings(
        state_dir=tmp_path, oidc_issuer=there.url, oidc_client_id=CLIENT, oidc_secret_file=secret
    )
    return OpenId(settings=settings)


async def begun(openid: OpenId, there: Provider) -> tuple[dict[str, str], str]:
    """What the browser brings back, and its own secret."""
    where, browser = await openid.begin(BACK, "/ledger")
    asked = dict(parse_qsl(urlsplit(where).query))
    assert (asked["code_challenge_method"], asked["scope"]) == ("S256", "openid email")
    return dict(parse_qsl(urlsplit(there.authorized(asked)).query)), browser


async def test_a_true_token_names_a_person(openid: OpenId, there: Provider) -> None:
    said, browser = await begun(openid, there)

    who, wanted = await openid.finish(said, browser, BACK)

    assert who == Identity(subject="u-1", email="ann@acme.example")
    assert wanted == "/ledger"


@pytest.mark.parametrize(
    "lies",
    [
        {"nonce": "another"},
        {"aud": "another"},
        {"aud": [CLIENT, "another"]},
        {"azp": "another"},
        {"iss": "https://login.another.example"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"sub": None},
        {"iat": 9_000_000_000},
    ],
    ids=str,
)
async def test_a_lie_in_the_token_lets_nobody_in(
    openid: OpenId, there: Provider, lies: dict[str, Any]
) -> None:
    there.lies = lies
    said, browser = await begun(openid, there)

    with pytest.raises(OpenIdError):
        await openid.finish(said, browser, BACK)


@pytest.mark.parametrize("forged", ["none", "shared", "other"])
async def test_a_signature_that_is_none_lets_nobody_in(
    openid: OpenId, there: Provider, forged: str
) -> None:
    there.forged = forged
    said, browser = await begun(openid, there)

    with pytest.raises(OpenIdError, match="does not verify"):
        await openid.finish(said, browser, BACK)


async def test_a_state_opens_one_login_once_and_in_its_browser(
    openid: OpenId, there: Provider
) -> None:
    said, browser = await begun(openid, there)
    await openid.finish(said, browser, BACK)
    with pytest.raises(OpenIdError, match="used already"):
        await openid.finish(said, browser, BACK)

    said, browser = await begun(openid, there)
    with pytest.raises(OpenIdError, match="another browser"):
        await openid.finish(said, "stolén", BACK)
    with pytest.raises(OpenIdError, match="used already"):
        await openid.finish(said, browser, BACK)
    with pytest.raises(OpenIdError, match="used already"):
        await openid.finish({"code": "c", "state": "made-up"}, browser, BACK)


async def test_a_login_does_not_wait_for_ever(
    openid: OpenId, there: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, browser = await begun(openid, there)
    late = clock.monotonic() + ATTEMPT_S + 1
    monkeypatch.setattr(clock, "monotonic", lambda: late)

    with pytest.raises(OpenIdError, match="used already"):
        await openid.finish(said, browser, BACK)


async def test_a_code_of_another_login_is_worth_nothing(openid: OpenId, there: Provider) -> None:
    """PKCE: the code fits the verifier of the login that it was given for."""
    stolen, _ = await begun(openid, there)
    said, browser = await begun(openid, there)

    with pytest.raises(OpenIdError):
        await openid.finish({**said, "code": stolen["code"]}, browser, BACK)


async def test_another_issuer_is_not_believed(openid: OpenId, there: Provider) -> None:
    said, browser = await begun(openid, there)
    with pytest.raises(OpenIdError, match="Another identity provider"):
        await openid.finish({**said, "iss": "https://evil.example"}, browser, BACK)
    there.names_itself = "https://login.another.example"
    with pytest.raises(OpenIdError, match="names itself"):
        await openid.begin(BACK, "/")


async def test_an_address_that_nobody_verified_names_nobody(
    openid: OpenId, there: Provider
) -> None:
    there.lies = {"email_verified": False}
    said, browser = await begun(openid, there)

    who, _ = await openid.finish(said, browser, BACK)

    assert who == Identity(subject="u-1", email="")


def test_codes_never_travel_in_clear_to_another_machine(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="https"):
        Settings(state_dir=tmp_path, oidc_issuer="http://login.acme.example", oidc_client_id=CLIENT)


def test_only_who_is_in_people_yaml_is_known(tmp_path: Path) -> None:
    (tmp_path / "people.yaml").write_text(
        "people: [{name: ann, email: Ann@acme.example}, {name: ben, subject: u-2, email: b@x.y}]"
    )
    people = People(tmp_path)

    def name_of(subject: str, email: str) -> str:
        found = people.known_as(subject, email)
        return found.name if found else ""

    assert name_of("u-1", "ann@acme.example") == "ann"
    assert name_of("u-2", "") == "ben"
    assert name_of("u-9", "b@x.y") == ""  # his subject is known, and it is another
    assert name_of("u-9", "") == ""
    assert name_of("", "") == ""


async def test_a_provider_that_is_silent_keeps_no_password_waiting(tmp_path: Path) -> None:
    """Anybody can begin a login; passwords and the ledger are read in the same threads."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        issuer = f"http://127.0.0.1:{silent.getsockname()[1]}"
        settings = Settings(state_dir=tmp_path, oidc_issuer=issuer, oidc_client_id=CLIENT)
        openid = OpenId(settings=settings)
        begun = [asyncio.create_task(openid.begin(BACK, "/")) for _ in range(50)]
        try:
            await asyncio.wait_for(asyncio.to_thread(str), 2.0)
        finally:
            silent.close()
            for it in begun:
                it.cancel()
