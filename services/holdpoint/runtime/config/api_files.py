"""api.yaml: the agents and people that the HTTP API serves, their keys, and agents' webhooks."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from holdpoint.messages.base import ID_PATTERN
from holdpoint.runtime.config import files
from holdpoint.runtime.config.yaml_files import Part, read
from holdpoint.runtime.errors import SetupError

API_FILE = "api.yaml"
KEYS_FOLDER = "api_keys"
"""Holds the public keys, beside that file."""

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

Id = Annotated[str, Field(pattern=ID_PATTERN)]


class ServedEntry(Part):
    """One agent that the HTTP API serves."""

    model_config = ConfigDict(strict=True)

    agent: Id
    """Its name in agents.yaml."""

    keys: Annotated[dict[Id, str], Field(min_length=1)]
    """Public Ed25519 keys in PEM, by the `kid` of its tokens: files beside api.yaml."""

    webhook: str = ""
    """The address that is told what becomes of its calls; `https://`, or this machine."""

    @field_validator("webhook")
    @classmethod
    def _is_safe(cls, webhook: str) -> str:
        parts = urlsplit(webhook)
        here = parts.scheme == "http" and parts.hostname in LOOPBACK_NAMES
        if webhook and not (here or (parts.scheme == "https" and parts.hostname)):
            raise PydanticCustomError("bad_address", "it does not begin with https://")
        return webhook


class AskerEntry(Part):
    """One person who asks the coordinator over HTTP."""

    model_config = ConfigDict(strict=True)

    person: Id
    """Their name in people.yaml."""

    keys: Annotated[dict[Id, str], Field(min_length=1)]
    """Public Ed25519 keys in PEM, as an agent has them."""


class ApiFile(Part):
    """api.yaml."""

    model_config = ConfigDict(strict=True)

    issuer: Annotated[str, Field(min_length=1)] = "holdpoint-agents"
    """The `iss` that a token has to carry."""

    audience: Annotated[str, Field(min_length=1)] = "holdpoint"
    """The `aud` that a token has to carry."""

    agents: list[ServedEntry] = []
    people: list[AskerEntry] = []


@dataclass(frozen=True, kw_only=True)
class AgentKey:
    """A public key, and the agent whose it is."""

    agent: str
    pem: bytes


@dataclass(frozen=True, kw_only=True)
class PersonKey:
    """A public key, and the person whose it is."""

    person: str
    pem: bytes


@dataclass(frozen=True, kw_only=True)
class ApiConfig:
    """The content of api.yaml with its keys read."""

    issuer: str
    audience: str
    keys: Mapping[str, AgentKey]
    """By `kid`."""

    person_keys: Mapping[str, PersonKey]
    """The same of people, who ask the coordinator and nothing else."""

    webhooks: Mapping[str, str]
    """The address of each subscribed agent."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that are served."""
        return tuple(dict.fromkeys(it.agent for it in self.keys.values()))

    @property
    def people(self) -> tuple[str, ...]:
        """The people who may ask."""
        return tuple(dict.fromkeys(it.person for it in self.person_keys.values()))


def load_api(config_dir: Path) -> ApiConfig:
    """Read api.yaml; without that file no agent is served. Raises SetupError."""
    path = config_dir / API_FILE
    file = read(path, ApiFile) if path.exists() else ApiFile()
    names = [entry.agent for entry in file.agents]
    people = [entry.person for entry in file.people]
    kids = [kid for entry in file.agents for kid in entry.keys]
    kids += [kid for entry in file.people for kid in entry.keys]
    for what, said in (("agent", names), ("person", people), ("kid", kids)):
        if twice := sorted({it for it in said if said.count(it) > 1}):
            raise SetupError(f"{path}: the {what} {', '.join(twice)} stands more than once.")
    return ApiConfig(
        issuer=file.issuer,
        audience=file.audience,
        keys={
            kid: AgentKey(agent=entry.agent, pem=_pem(path, entry.agent, name))
            for entry in file.agents
            for kid, name in entry.keys.items()
        },
        person_keys={
            kid: PersonKey(person=entry.person, pem=_pem(path, entry.person, name))
            for entry in file.people
            for kid, name in entry.keys.items()
        },
        webhooks={entry.agent: entry.webhook for entry in file.agents if entry.webhook},
    )


def _pem(path: Path, owner: str, name: str) -> bytes:
    try:
        pem = files.read_text(path.parent / name)
    except OSError as error:
        text = f"{path}: the key {name} of {owner} cannot be read: {error.strerror}."
        raise SetupError(text) from None
    if "PRIVATE" in pem or "BEGIN PUBLIC KEY" not in pem:
        raise SetupError(f"{path}: the key {name} of {owner} is no public key in PEM.")
    return pem.encode()
