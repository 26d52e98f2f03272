"""`make-key` and `token` of `agents` and `people`: proofs of who asks the HTTP API."""

import re
import warnings
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import msgspec
import typer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey
from msgspec.structs import replace

from holdpoint.cli import output
from holdpoint.cli.session import JsonOption, agent_of, begun, person_of
from holdpoint.runtime.config import files
from holdpoint.runtime.config.api_files import API_FILE, KEYS_FOLDER, ApiConfig, load_api
from holdpoint.runtime.config.settings import SHIPPED_CONFIG, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock

ALGORITHM = "EdDSA"
LIVES_S = 600

Kind: TypeAlias = Literal["agent", "person"]
PARTS: dict[Kind, str] = {"agent": "agents", "person": "people"}
"""The part of api.yaml in which each kind of owner stands."""

AgentArgument = Annotated[str, typer.Argument(help="The agent, as agents.yaml names it.")]
PersonArgument = Annotated[str, typer.Argument(help="The person, as people.yaml names them.")]
OutOption = Annotated[Path, typer.Option("--out", help="Where the private key is written.")]
KeyOption = Annotated[Path, typer.Option("--key", help="The private key.")]


class Made(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Result of `make-key`, with the agent or the person."""

    agent: str = ""
    person: str = ""
    kid: str
    private_key: str
    public_key: str


class Token(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Result of `token`, with the agent or the person."""

    agent: str = ""
    person: str = ""
    token: str
    expires_in: int


def make_agent_key(agent: AgentArgument, out: OutOption, *, as_json: JsonOption = False) -> None:
    """Make a key for an agent of the HTTP API, and tell the lines that api.yaml needs."""
    settings = begun()
    _make(settings, "agent", agent_of(settings, agent), out, as_json=as_json)


def agent_token(agent: AgentArgument, key: KeyOption, *, as_json: JsonOption = False) -> None:
    """Print a token for ten minutes of the HTTP API. An agent makes its own, in the same way."""
    settings = begun()
    _print_token(settings, "agent", agent_of(settings, agent), key, as_json=as_json)


def make_person_key(person: PersonArgument, out: OutOption, *, as_json: JsonOption = False) -> None:
    """Make a key with which a person asks the coordinator over HTTP. It answers no card."""
    settings = begun()
    _make(settings, "person", person_of(settings, person).name, out, as_json=as_json)


def person_token(person: PersonArgument, key: KeyOption, *, as_json: JsonOption = False) -> None:
    """Print a token with which a person asks the coordinator over HTTP, for ten minutes."""
    settings = begun()
    _print_token(settings, "person", person_of(settings, person).name, key, as_json=as_json)


def _make(settings: Settings, kind: Kind, name: str, out: Path, *, as_json: bool) -> None:
    if settings.config_dir == SHIPPED_CONFIG:
        raise SetupError("The built-in configuration is not written to. Make yours: holdpoint init")
    key = OKPKey.generate_key("Ed25519")
    kid = f"{name}-{clock.new_nonce()[:6]}"
    public = settings.config_dir / KEYS_FOLDER / f"{kid}.pem"
    public.parent.mkdir(exist_ok=True)
    try:
        files.private_folder(out.parent)
        files.create(out, key.as_pem(private=True), files.PRIVATE)
    except FileExistsError:
        raise SetupError(f"{out} exists already. Name another file with --out.") from None
    except OSError as error:
        raise SetupError(f"{out} cannot be written: {error.strerror}.") from None
    files.create(public, key.as_pem(private=False), files.PUBLIC)
    if as_json:
        made = Made(kid=kid, private_key=str(out), public_key=str(public))
        output.emit(replace(made, **{kind: name}))
        return
    owner = "the agent" if kind == "agent" else name
    output.say(f"The private key is {out}: give it to {owner}, and to nobody else.")
    output.say(f"Its lines in {settings.config_dir / API_FILE}, under `{PARTS[kind]}:`\n")
    output.say(f"  - {kind}: {name}\n    keys: {{{kid}: {KEYS_FOLDER}/{kid}.pem}}")
    output.say("\nThen: holdpoint provision, and start holdpoint up again.")


def _print_token(settings: Settings, kind: Kind, name: str, key: Path, *, as_json: bool) -> None:
    config = load_api(settings.config_dir)
    try:
        private = OKPKey.import_key(files.read_secret(key))
        public = _bare(private.as_pem(private=False))
    except (JoseError, ValueError, TypeError) as error:
        raise SetupError(f"{key} is no private Ed25519 key in PEM.") from error
    kids = [kid for kid, pem in _pems(config, kind, name).items() if _bare(pem) == public]
    if not kids:
        raise SetupError(f"{settings.config_dir / API_FILE} gives {name} no such key.")
    made = _signed(config, name, kids[0], private)
    if as_json:
        output.emit(replace(Token(token=made, expires_in=LIVES_S), **{kind: name}))
        return
    output.document(made)


def _pems(config: ApiConfig, kind: Kind, name: str) -> dict[str, bytes]:
    """The public keys that api.yaml gives to this agent or person, by their `kid`."""
    if kind == "agent":
        return {kid: it.pem for kid, it in config.keys.items() if it.agent == name}
    return {kid: it.pem for kid, it in config.person_keys.items() if it.person == name}


def _signed(config: ApiConfig, name: str, kid: str, private: OKPKey) -> str:
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
        return jwt.encode({"alg": ALGORITHM, "kid": kid}, claims, private, [ALGORITHM])


def _bare(pem: bytes) -> bytes:
    return re.sub(rb"\s", b"", pem)


def mount_agents(agents: typer.Typer) -> None:
    """Add these commands to `holdpoint agents`."""
    agents.command("make-key")(make_agent_key)
    agents.command("token")(agent_token)


def mount_people(people: typer.Typer) -> None:
    """Add these commands to `holdpoint people`."""
    people.command("make-key")(make_person_key)
    people.command("token")(person_token)
