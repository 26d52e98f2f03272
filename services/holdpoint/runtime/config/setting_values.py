"""Kinds of values that settings have: each refuses in one sentence what it cannot be."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeAlias
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator

HERE = ("localhost", "127.0.0.1", "::1")
"""Hosts that are this machine: what goes there never leaves it."""

BROKER_SCHEMES = ("nats", "tls")
LEDGER_KINDS = ("sqlite", "postgresql")
HIDDEN = "an address with a password"


def shown(value: object) -> str:
    """Return a setting's value for a message; never one that may hold a password."""
    text = str(value)
    return HIDDEN if "@" in text else repr(text)


def _not_empty(given: object) -> object:
    """Refuse an empty path, which would be the working folder."""
    if given == "":
        raise ValueError("it has to be a path; leave the variable out for the default")
    return given


def _issuer(address: str) -> str:
    if address and not is_safe(address):
        raise ValueError("it has to begin with https://, or http:// on this machine")
    return address


def _origin(address: str) -> str:
    """Return the address as browsers name it: without a slash at its end."""
    parts, address = _parts(address), address.rstrip("/")
    if address and not (is_safe(address) and address == f"{parts.scheme}://{parts.netloc}"):
        raise ValueError(
            "it has to be an address without a path, such as https://holdpoint.example.org or "
            "http://localhost:8330"
        )
    return address


def _broker(addresses: str) -> str:
    for one in filter(None, addresses.split(",")):
        parts = _parts(one if "//" in one else f"nats://{one}")
        is_whole = ":" in one or "." in one
        if parts.scheme not in BROKER_SCHEMES or not parts.hostname or not is_whole:
            raise ValueError(
                "it has to be nats://HOST:PORT or tls://HOST:PORT, several with commas between"
            )
    return addresses


def _ledger(url: str) -> str:
    parts = _parts(url)
    if parts.scheme.partition("+")[0] not in LEDGER_KINDS or not parts.path.strip("/"):
        raise ValueError("it has to be sqlite:///PATH or postgresql://USER@HOST/DATABASE")
    return url


def _is_file(path: Path) -> Path:
    with suppress(PermissionError):
        if path.is_file():
            return path
    raise ValueError("there is no such file that this user may read")


def is_safe(address: str) -> bool:
    """Return whether what is sent there is encrypted, or stays on this machine."""
    parts = _parts(address)
    is_local = parts.scheme == "http" and parts.hostname in HERE
    return bool(parts.scheme == "https" and parts.hostname) or is_local


def _parts(address: str) -> SplitResult:
    """Return the parts of an address; nothing of one whose port is no number."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return urlsplit("")
    return parts


SomePath: TypeAlias = Annotated[Path, BeforeValidator(_not_empty)]
SomeFile: TypeAlias = Annotated[Path, BeforeValidator(_not_empty), AfterValidator(_is_file)]
LedgerUrl: TypeAlias = Annotated[str, AfterValidator(_ledger)]
Issuer: TypeAlias = Annotated[str, AfterValidator(_issuer)]
Origin: TypeAlias = Annotated[str, AfterValidator(_origin)]
BrokerUrl: TypeAlias = Annotated[str, AfterValidator(_broker)]
