"""`holdpoint agents make-key` and `token`: how an agent proves itself to the HTTP API."""

import re
import warnings
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from holdpoint.cli import output
from holdpoint.cli.session import JsonOption, agent_of, begun
from holdpoint.runtime.config import files
from holdpoint.runtime.config.api_files import API_FILE, load_api
from holdpoint.runtime.config.settings import SHIPPED_CONFIG
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

KEYS_FOLDER = "api_keys"
ALGORITHM = "EdDSA"
LIVES_S = 600


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint agents make-key`."""

    agent: str
    kid: str
    private_key: str
    public_key: str


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint agents token`."""

    agent: str
    token: str
    expires_in: int


def make_key(
    agent: Annotated[str, typer.Argument(help="The agent, as agents.yaml names it.")],
    out: Annotated[Path, typer.Option("--out", help="Where its private key is written.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Make a key for an agent of the HTTP API, and tell the lines that api.yaml needs."""
    settings = begun()
    name = agent_of(settings, agent)
    if settings.config_dir == SHIPPED_CONFIG:
        raise SetupError("The built-in configuration is not written to. Make yours: holdpoint init")
    key = OKPKey.generate_key("Ed25519")
    kid = f"{name}-{clock.new_nonce()[:6]}"
    public = settings.config_dir / KEYS_FOLDER / f"{kid}.pem"
    public.parent.mkdir(exist_ok=True)
    try:
        files.create(out, key.as_pem(private=True), files.PRIVATE)
    except FileExistsError:
        raise SetupError(f"{out} exists already. Name another file with --out.") from None
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}.") from None
    files.create(public, key.as_pem(private=False), files.PUBLIC)
    if as_json:
        output.emit(Made(agent=name, kid=kid, private_key=str(out), public_key=str(public)))
        return
    output.say(f"The private key is {out}: give it to the agent, and to nobody else.")
    output.say(f"Its lines in {settings.config_dir / API_FILE}, under `agents:`\n")
    output.say(f"  - agent: {name}\n    keys: {{{kid}: {KEYS_FOLDER}/{kid}.pem}}")


def token(
    agent: Annotated[str, typer.Argument(help="The agent, as agents.yaml names it.")],
    key: Annotated[Path, typer.Option("--key", help="Its private key.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Print a token for ten minutes of the HTTP API. An agent makes its own, in the same way."""
    settings = begun()
    name = agent_of(settings, agent)
    config = load_api(settings.config_dir)
    try:
        private = OKPKey.import_key(files.read_secret(key))
        public = private.as_pem(private=False)
    except (JoseError, ValueError, TypeError) as error:
        raise SetupError(f"{key} is no private Ed25519 key in PEM.") from error
    kids = [kid for kid, it in config.keys.items() if _bare(it.pem) == _bare(public)]
    if not kids or config.keys[kids[0]].agent != name:
        raise SetupError(f"{settings.config_dir / API_FILE} gives {name} no such key.")
    now = int(clock.now().timestamp())
    claims = {
        "iss": config.issuer,
        "aud": config.audience,
        "sub": name,
        "iat": now,
        "exp": now + LIVES_S,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # RFC 9864 calls EdDSA by another name
        made = jwt.encode({"alg": ALGORITHM, "kid": kids[0]}, claims, private, [ALGORITHM])
    if as_json:
        output.emit(Token(agent=name, token=made, expires_in=LIVES_S))
        return
    output.document(made)


def _bare(pem: bytes) -> bytes:
    return re.sub(rb"\s", b"", pem)


def mount(agents: typer.Typer) -> None:
    """Add these commands to `holdpoint agents`."""
    agents.command("make-key")(make_key)
    agents.command()(token)
