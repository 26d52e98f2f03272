"""`holdpoint backup` and `restore`: everything that is kept, in one file that can be checked.

Broker store, keys and ledger belong together, so all of it is copied while nothing runs.
"""

import hashlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.commands.reset import alone
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import JsonOption, begun
from holdpoint.ledger import postgresql_copy
from holdpoint.ledger.engines import file_of, local_file, place_of
from holdpoint.runtime.config import files, remembered
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

MANIFEST = "manifest.json"
STATE, CONFIG, LEDGER = "state", "config", "ledger"
"""The three parts of a backup; the ledger's only where it lies outside of the state folder."""

LEFT_OUT = frozenset({"run", "compiled", "demo"})
"""Files that are true only while it runs, or made again."""

BLOCK_BYTES = 1024 * 1024
SUFFIXES = ("", "-wal", "-shm")
"""A SQLite ledger's files."""

DUMPED = f"{LEDGER}/ledger.dump"
"""A ledger in PostgreSQL."""

WithoutLedger = Annotated[
    bool,
    typer.Option(
        "--without-ledger", help="Leave a ledger in PostgreSQL out: it is copied elsewhere."
    ),
]
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a .tar.gz file.")]


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a backup."""

    path: str
    sha256: str
    mode: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Content of a backup, and its tenant."""

    tenant: str
    release: str
    files: list[Kept]


class Copied(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `backup` and `restore`."""

    file: str
    tenant: str
    release: str
    files: int


def backup(
    file: BackupFile, *, without_ledger: WithoutLedger = False, as_json: JsonOption = False
) -> None:
    """Write state folder, ledger and configuration into one file, while nothing runs."""
    settings = begun()
    if not settings.keys_dir.is_dir():
        raise SetupError(f"There is nothing to back up in {settings.state_dir}.")
    with alone(settings):
        manifest = write_backup(settings, file, with_ledger=not without_ledger)
    _tell(file, manifest, "is written", as_json=as_json)


def write_backup(settings: Settings, file: Path, *, with_ledger: bool) -> Manifest:
    """Write everything of a system that does not run; a file that exists stays as it is.

    A ledger in PostgreSQL can be left out; one in a file is always in it.
    """
    if file.exists():
        raise CommandError(ExitCode.FAILED, "exists", f"{file} exists already, and stays as it is.")
    with tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
        parts = [*_parts(settings)]
        if with_ledger and local_file(settings.ledger_url) is None:
            parts.append((DUMPED, Path(folder) / "ledger.dump"))
            postgresql_copy.dump(settings.ledger_url, parts[-1][1])
        manifest = Manifest(
            tenant=settings.tenant,
            release=version("holdpoint"),
            files=[_kept(name, path) for name, path in parts],
        )
        _write(file, manifest, parts)
    return manifest


def restore(file: BackupFile, *, as_json: JsonOption = False) -> None:
    """Put a backup back into an empty state folder, once every byte of it was checked."""
    settings = begun()
    if settings.state_dir.exists() and any(settings.state_dir.iterdir()):
        text = f"{settings.state_dir} is not empty. Name another folder with HP_STATE_DIR."
        raise CommandError(ExitCode.FAILED, "not_empty", text)
    files.private_folder(settings.state_dir.absolute().parent)
    with tempfile.TemporaryDirectory(dir=settings.state_dir.absolute().parent) as folder:
        manifest = _unpacked(file, Path(folder))
        if manifest.tenant != settings.tenant:
            raise SetupError(
                f"{file} belongs to the tenant {manifest.tenant}. Set HP_TENANT={manifest.tenant}."
            )
        _put_back(settings, Path(folder))
    _tell(file, manifest, "is restored", as_json=as_json)


def _parts(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Every file that is kept, with its name in the backup."""
    state = settings.state_dir
    for path in sorted(state.rglob("*")):
        inside = path.relative_to(state)
        if path.is_file() and not path.is_symlink() and inside.parts[0] not in LEFT_OUT:
            yield f"{STATE}/{inside}", path
    for path in sorted(settings.config_dir.rglob("*")):
        if path.is_file():
            yield f"{CONFIG}/{path.relative_to(settings.config_dir)}", path
    ledger = local_file(settings.ledger_url)
    if ledger and not ledger.absolute().is_relative_to(state.absolute()):
        for path in (ledger.with_name(f"{ledger.name}{it}") for it in SUFFIXES):
            if path.exists():
                yield f"{LEDGER}/ledger.db{path.name.removeprefix(ledger.name)}", path


def _write(file: Path, manifest: Manifest, parts: list[tuple[str, Path]]) -> None:
    """Write it beside its place, for its owner alone; it holds keys and the ledger in clear."""
    handle, draft = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as out, tempfile.NamedTemporaryFile() as about:
            about.write(msgspec.json.encode(manifest))
            about.flush()
            with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
                archive.add(about.name, MANIFEST)
                for name, path in parts:
                    archive.add(path, name)
            out.flush()
            os.fsync(out.fileno())
        Path(draft).replace(file)
    finally:
        Path(draft).unlink(missing_ok=True)


def _unpacked(file: Path, folder: Path) -> Manifest:
    """Unpack it, and check each file against the manifest; SetupError for anything else."""
    try:
        with tarfile.open(file, "r:gz") as archive:
            for member in archive:
                _extract(archive, member, folder)
        manifest = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, EOFError, tarfile.TarError, msgspec.DecodeError) as error:
        raise SetupError(f"{file} is no whole backup: {error}. Nothing was restored.") from error
    found = {str(it.relative_to(folder)) for it in folder.rglob("*") if it.is_file()} - {MANIFEST}
    wrong = found ^ {it.path for it in manifest.files}
    wrong |= {it.path for it in manifest.files if _differs(folder / it.path, it)}
    if wrong:
        raise SetupError(f"{file} was changed: {min(wrong)}. Nothing was restored.")
    for it in manifest.files:
        (folder / it.path).chmod(it.mode)
    return manifest


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write one file below the folder; links, devices and ways out of it are not taken."""
    inside = Path(member.name)
    content = archive.extractfile(member) if member.isreg() else None
    if content is None or inside.is_absolute() or ".." in inside.parts:
        raise tarfile.TarError(f"{member.name} is no file of a backup")
    files.private_folder((folder / inside).parent)
    with (folder / inside).open("xb") as out:
        shutil.copyfileobj(content, out, BLOCK_BYTES)


def _put_back(settings: Settings, folder: Path) -> None:
    """Move the parts to their places; a configuration that is there already stays."""
    dumped = folder / DUMPED
    has_dump = dumped.exists()
    if has_dump:
        _load(settings, dumped)
    moves = [*_ledger_moves(settings, folder / LEDGER)]
    if settings.state_dir.exists():
        settings.state_dir.rmdir()
    (folder / STATE).rename(settings.state_dir)
    for path, place in moves:
        files.private_folder(place.parent)
        shutil.move(path, place)
    if (folder / CONFIG).is_dir() and not settings.config_dir.exists():
        shutil.move(folder / CONFIG, settings.config_dir)
    _name_ledger(settings, has_dump=has_dump)


def _load(settings: Settings, dumped: Path) -> None:
    """Put a ledger from PostgreSQL into the database that the settings name."""
    if local_file(settings.ledger_url) is not None:
        raise SetupError(
            "The ledger of this backup is from PostgreSQL. Name an empty database for it: "
            "HP_LEDGER_URL=postgresql://<user>@<host>/<database>. Nothing was restored."
        )
    postgresql_copy.load(settings.ledger_url, dumped)
    dumped.unlink()


def _ledger_moves(settings: Settings, folder: Path) -> Iterator[tuple[Path, Path]]:
    """Return where each file of a ledger goes that lay outside of the state folder."""
    for path in folder.iterdir() if folder.is_dir() else ():
        ledger = file_of(settings.ledger_url)
        place = ledger.with_name(f"{ledger.name}{path.name.removeprefix('ledger.db')}")
        if place.exists():
            raise SetupError(f"{place} exists already. Move it away, then restore again.")
        yield path, place


def _name_ledger(settings: Settings, *, has_dump: bool) -> None:
    """Let the state folder remember this ledger: the one that it knew may be in use elsewhere."""
    known = remembered.read(settings.state_dir)
    was = known.pop(remembered.LEDGER, "")
    if remembered.LEDGER in settings.model_fields_set:
        known[remembered.LEDGER] = settings.ledger_url
    if was and local_file(was) is None and not has_dump:
        output.warn(
            f"The backup does not hold the ledger, which was kept in {place_of(was)}. Restore that "
            "database too before the next holdpoint up, and name it with HP_LEDGER_URL: the folder "
            "then remembers it."
        )
    if known or was:
        remembered.write(settings.state_dir, known)


def _kept(name: str, path: Path) -> Kept:
    return Kept(path=name, sha256=_digest(path), mode=path.stat().st_mode & 0o777)


def _differs(path: Path, kept: Kept) -> bool:
    return not path.is_file() or _digest(path) != kept.sha256


def _digest(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _tell(file: Path, manifest: Manifest, done: str, *, as_json: bool) -> None:
    result = Copied(
        file=str(file),
        tenant=manifest.tenant,
        release=manifest.release,
        files=len(manifest.files),
    )
    if as_json:
        output.emit(result)
    else:
        output.say(f"{file} {done}: {result.files} files of {result.tenant}.")


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    for each in (backup, restore):
        app.command()(each)
