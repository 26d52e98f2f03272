"""`holdpoint keys`: the signing keys of gate and workers, and the gate's sealing key."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.domains import domain_names
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, begun
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import AUDIT, GATE, Keyset, Signer, load_unsealer, worker_role
from holdpoint.runtime.security.keys import revoke as revoke_key
from holdpoint.runtime.security.keys import rotate as rotate_key
from holdpoint.runtime.security.keyset_files import (
    PublicSigningKey,
    new_root,
    pinned_root,
    read_keyset,
    sign_with_root,
)

keys = typer.Typer(help="Keys that sign what gate and workers say.", no_args_is_help=True)

root = typer.Typer(help="The offline root that signs the keyset.", no_args_is_help=True)
keys.add_typer(root, name="root")
KeyFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The root's secret half, which stays offline.")
]

SOON = timedelta(days=30)
"""A key that ends within this time is to be rotated."""

PROBE = b"holdpoint keys check"


class KeyLine(msgspec.Struct, frozen=True, kw_only=True):
    """One key, as `holdpoint keys list` tells it; never its secret half."""

    key_id: str
    role: str
    not_before: datetime
    not_after: datetime
    counts: bool
    """True if its signatures count now."""

    secret_here: bool
    """True if this machine can sign with it."""


@keys.command(name="list")
def list_keys(*, as_json: JsonOption = False) -> None:
    """List every signing key and when it counts. With --json: one key per line."""
    folder, now = begun().keys_dir, clock.now()
    lines = [_line(key, folder, now) for key in read_keyset(folder)]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        counts = f"counts until {line.not_after:%Y-%m-%d}" if line.counts else "does not count"
        here = "" if line.secret_here else ", secret half elsewhere"
        output.show(Text(f"{line.key_id:<48} {line.role:<18} {counts}{here}"))
    if not lines:
        output.say("There are no keys yet. Make them with: holdpoint provision")


@keys.command()
def rotate(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="gate, or worker:<domain>")],
    *,
    overlap_hours: Annotated[
        float, typer.Option(min=0, help="For so long older keys of the role still count.")
    ] = 24.0,
    as_json: JsonOption = False,
) -> None:
    """Make a new key for a role: services sign with it within a second.

    The old one counts until the overlap is over.
    """
    settings = begun()
    known = _roles(settings)
    if role not in known:
        text = f"There is no role {role}. There are: {', '.join(known)}."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_role", text)
    overlap = timedelta(hours=overlap_hours)
    made = rotate_key(settings.keys_dir, role, clock.now(), overlap)
    if as_json:
        output.emit(_line(made, settings.keys_dir, clock.now()))
    else:
        waits = pinned_root(settings.keys_dir) is not None
        when = "once the root has signed it: holdpoint keys root sign" if waits else "from now on"
        output.say(f"{role} signs with {made.key_id} {when}.")


@keys.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `holdpoint keys list` names it.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Deny a key: what it signs from now on counts for nothing, and nothing more runs by it."""
    settings, now = begun(), clock.now()
    folder = settings.keys_dir
    if key_id not in {key.key_id for key in read_keyset(folder)}:
        text = f"There is no key {key_id}. See: holdpoint keys list"
        raise CommandError(ExitCode.NOT_FOUND, "unknown_key", text)
    revoke_key(folder, key_id, now)
    ended = next(key for key in read_keyset(folder) if key.key_id == key_id)
    if as_json:
        output.emit(_line(ended, folder, now))
    else:
        output.say(f"{key_id} counts no more.")
    for role in sorted({ended.role} & {role for role, _ in _without_key(settings, now)}):
        output.warn(
            f"{role} has no key left and cannot sign. Make one: holdpoint keys rotate {role}"
        )


@keys.command()
def check(*, as_json: JsonOption = False) -> None:
    """Check that every role can sign, and that its signatures verify. Exit code 1 if not."""
    found = list(problems(begun(), clock.now()))
    if as_json:
        output.emit({"problems": found})
    else:
        for problem in found:
            output.say(problem)
        if not found:
            output.say("Every role can sign, and its signatures verify.")
    if found:
        raise typer.Exit(ExitCode.FAILED)


@root.command()
def new(key_file: KeyFile, *, as_json: JsonOption = False) -> None:
    """Make an offline root, sign the keyset with it, and pin it: no other keyset counts then."""
    settings = begun()
    public = new_root(settings.keys_dir, key_file)
    if as_json:
        output.emit({"root": public, "key_file": str(key_file)})
    else:
        output.say(f"The root {public} is pinned. Take {key_file} offline, and keep it.")


@root.command()
def sign(key_file: KeyFile, *, as_json: JsonOption = False) -> None:
    """Sign the keyset with the offline root, with the changes that wait for it."""
    settings = begun()
    signed = sign_with_root(settings.keys_dir, key_file)
    if as_json:
        output.emit({"signed": [key.key_id for key in signed]})
    else:
        output.say(f"The keyset is signed: {len(signed)} keys.")


def problems(settings: Settings, now: datetime) -> Iterator[str]:
    """Yield what is wrong with the keys of this machine."""
    keyset = Keyset(settings.keys_dir)
    try:
        load_unsealer(settings.keys_dir)
        without = dict(_without_key(settings, now))
    except HoldpointError as error:
        yield str(error)
        return
    for role in _roles(settings):
        if role in without:
            yield without[role]
        else:
            yield from _role_problems(settings.keys_dir, role, keyset, now)


def _role_problems(folder: Path, role: str, keyset: Keyset, now: datetime) -> Iterator[str]:
    try:
        header = Signer(folder, role, keyset).sign(PROBE)
        keyset.verify(PROBE, header, role, clock.now())
        newest = keyset.newest(role, now)
    except HoldpointError as error:
        yield f"{role}: {error}"
        return
    if newest.not_after - now < SOON:
        yield f"{role}: its key ends on {newest.not_after:%Y-%m-%d}: holdpoint keys rotate {role}"


def _without_key(settings: Settings, now: datetime) -> Iterator[tuple[str, str]]:
    lines = read_keyset(settings.keys_dir)
    for role in _roles(settings):
        if not any(key.role == role and _counts(key, now) for key in lines):
            yield role, f"{role}: no key counts. Make one: holdpoint keys rotate {role}"


def _roles(settings: Settings) -> tuple[str, ...]:
    return (GATE, AUDIT, *map(worker_role, domain_names(settings)))


def _line(key: PublicSigningKey, folder: Path, now: datetime) -> KeyLine:
    return KeyLine(
        key_id=key.key_id,
        role=key.role,
        not_before=key.not_before,
        not_after=key.not_after,
        counts=_counts(key, now),
        secret_here=(folder / f"{key.key_id}.key").exists(),
    )


def _counts(key: PublicSigningKey, now: datetime) -> bool:
    return key.not_before <= now < key.not_after


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(keys, name="keys")
