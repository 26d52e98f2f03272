"""`holdpoint audit verify, prove, consistency`: what nobody has to believe.

Exit codes: 0 all is well, 1 something was tampered with, is missing or cannot be proved, 2 the
question is wrong, 4 the ledger cannot be read, or signatures could not be verified.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NoReturn, TypeVar

import msgspec
import typer
from sqlalchemy import Connection

from holdpoint.audit.checkpoint_keys import (
    checked_note,
    origin_of,
    public_keys,
    read_verifier_key,
)
from holdpoint.audit.export_check import is_export
from holdpoint.audit.proofs import (
    NotProvenError,
    check_event,
    check_growth,
    event_named,
    prove_event,
    read_proof,
)
from holdpoint.audit.verify import NOT_ASKED, Depth, Problem, Report, verify
from holdpoint.cli.audit_session import UrlOption, answered, asked
from holdpoint.cli.commands.audit_evidence import is_pack, verify_evidence
from holdpoint.cli.commands.audit_export import verify_exported
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.read_notes import record_read
from holdpoint.core.checkpoint import Checkpoint, notes_in
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.security.keyset_files import KEYSET_FILE

OK, BAD, USAGE, UNSIGNED = 0, 1, 2, 4

T = TypeVar("T")

_Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
_Keys = Annotated[
    list[str] | None,
    typer.Option("--key", help="A key of the audit, <name>+<id>+<key>; default: the keyset's."),
]

_KeysFolder = Annotated[
    Path | None, typer.Option(help="With a zip file: the folder of the keys that count.")
]
_Kept = Annotated[
    list[Path] | None,
    typer.Option(help="A file with checkpoints that you kept; may be said more than once."),
]


def verify_ledger(  # noqa: PLR0913  # each is one option
    file: Annotated[
        Path | None,
        typer.Argument(help="What `audit prove`, `evidence` or `export` wrote, and no ledger."),
    ] = None,
    *,
    checkpoint: _Kept = None,
    tree: Annotated[
        bool, typer.Option("--tree", help="Only events, tree, checkpoints and sequences.")
    ] = False,
    signatures: Annotated[
        bool, typer.Option("--signatures", help="These and every signature, but no derived row.")
    ] = False,
    key: _Keys = None,
    keys: _KeysFolder = None,
    as_json: _Json = False,
    ledger: UrlOption = "",
) -> None:
    """Verify a ledger offline, one proof of an event, the evidence of a hold, or an export.

    Exit code 0 when all is as it was written, 1 when something was changed or is missing, 2 when
    a file or key cannot be read, or an option does not fit, 4 when the ledger cannot be read, or
    nothing was found wrong and signatures could not be verified, unless only --tree was asked for.
    """
    if file is not None:
        _check_fits("checkpoint", checkpoint, "a file")
        _check_fits("tree", tree, "a file")
        _check_fits("signatures", signatures, "a file")
        _check_fits("ledger", ledger, "a file")
        _verify_file(file, key, keys, as_json=as_json)
        return
    _check_fits("keys", keys, "a ledger")
    _check_fits("tree", tree and signatures, "--signatures, which checks the tree too")
    depth = Depth.TREE if tree else Depth.SIGNATURES if signatures else Depth.EVERYTHING
    report = _verified(ledger, checkpoint or [], key, depth)
    if as_json:
        typer.echo(msgspec.json.encode(report))
    else:
        _print_report(report)
    raise typer.Exit(_exit_code(report, depth))


def prove(
    event: Annotated[
        str, typer.Argument(help="Its number in the ledger, or its message: CALLS@robot:17.")
    ],
    *,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; default: event-N.json.")
    ] = None,
    key: _Keys = None,
    as_json: _Json = False,
    ledger: UrlOption = "",
) -> None:
    """Write a proof that an event is in the ledger; `audit verify FILE` checks it anywhere.

    The file holds the event's message as it was stored: anyone who gets it can read it.
    """
    keys = _keys(key)
    record_read(ledger, "prove", {"event": event})

    def ask(connection: Connection) -> tuple[int, bytes]:
        seq = event_named(connection, event)
        return seq, msgspec.json.format(msgspec.json.encode(prove_event(connection, seq, keys)))

    seq, content = _asked(ledger, ask)
    path = out or Path(f"event-{seq}.json")
    try:
        files.create(path, content, files.PRIVATE)
    except OSError as error:
        text = f"{path} cannot be written: {error.strerror}."
        raise CommandError(ExitCode.FAILED, "unwritable", text) from None
    if as_json:
        typer.echo(msgspec.json.encode({"event": seq, "file": str(path)}))
    else:
        typer.echo(f"Proof of event {seq}: {path}. Check it with: holdpoint audit verify {path}")


def consistency(
    old: Annotated[Path, typer.Argument(help="A file with the older checkpoint.")],
    new: Annotated[Path, typer.Argument(help="A file with the newer checkpoint.")],
    *,
    key: _Keys = None,
    as_json: _Json = False,
    ledger: UrlOption = "",
) -> None:
    """Prove that the ledger of the newer checkpoint continues that of the older one.

    Of a file with more than one checkpoint the newest counts. Exit code 1 when it does not.
    """
    first, then = (_checkpoints_in(path, key)[-1] for path in (old, new))
    try:
        path = _asked(ledger, lambda it: check_growth(it, first, then))
    except SignatureError as error:
        typer.echo(one_line(visible(str(error))))
        raise typer.Exit(BAD) from None
    if as_json:
        proof = {"old": first.size, "new": then.size, "path": path}
        typer.echo(msgspec.json.encode(proof))
    else:
        text = f"{then.size:,} events continue the {first.size:,}: proved with {len(path)} hashes."
        typer.echo(text)


def add_to(audit: typer.Typer) -> None:
    """Add these commands."""
    audit.command(name="verify")(verify_ledger)
    audit.command()(prove)
    audit.command()(consistency)


def _asked(ledger: str, question: Callable[[Connection], T]) -> T:
    try:
        return asked(ledger, question)
    except NotProvenError as error:
        raise CommandError(ExitCode.FAILED, "not_proven", str(error)) from None


def _verified(
    ledger: str, checkpoints: Sequence[Path], key: Sequence[str] | None, depth: Depth
) -> Report:
    said = _keys(key) if key else None
    keyset = Keyset(Settings().keys_dir)
    held = [it for path in checkpoints for it in _checkpoints_in(path, key)]
    return answered(
        ledger, lambda url: verify(url, held, keyset, _progress, depth=depth, audit_keys=said)
    )


def _check_fits(option: str, given: object, subject: str) -> None:
    """Refuse an option that would be ignored: an auditor would take it for obeyed."""
    if given:
        raise typer.BadParameter(f"--{option} does not go with {subject}.")


def _verify_file(
    file: Path, key: Sequence[str] | None, keys: Path | None, *, as_json: bool
) -> None:
    try:
        if is_pack(file):
            _check_fits("key", key, "a zip file: name a folder with --keys")
            if keys is not None and not (keys / KEYSET_FILE).is_file():
                _end(f"{keys} is no folder of keys: {KEYSET_FILE} is not in it.")
            verify_zip = verify_exported if is_export(file) else verify_evidence
            verify_zip(file, keys, as_json=as_json)
        _check_fits("keys", keys, "a proof: say the key with --key")
        _verify_proof(file, key, as_json=as_json)
    except OSError as error:
        _end(f"{file} cannot be read: {error.strerror}.")
    except SetupError as error:
        _end(str(error))


def _verify_proof(file: Path, key: Sequence[str] | None, *, as_json: bool) -> None:
    known = _keys(key)
    try:
        proof = read_proof(file.read_bytes())
    except SignatureError as error:
        _end(f"{file}: {error}")
    try:
        proven = check_event(proof, known)
    except SignatureError as error:
        typer.echo(one_line(visible(f"{file}: {error}")))
        raise typer.Exit(BAD) from None
    if as_json:
        typer.echo(msgspec.json.encode(proven))
        return
    where = f"message {proven.sequence} of {proven.stream}"
    typer.echo(one_line(visible(f"Event {proven.event}: {proven.type}, {where}, {proven.time}")))
    typer.echo(
        f"It is in the ledger {proven.origin}, under a checkpoint of {proven.size:,} events."
    )
    if proven.erased:
        typer.echo("Its body was erased: the file proves what the event was, not what it said.")
    if not proven.key_is_known:
        typer.echo("The file itself names the key that signed. Compare it, or say yours: --key.")


def _checkpoints_in(path: Path, key: Sequence[str] | None) -> list[Checkpoint]:
    """Return a file's checkpoints, oldest first; ends the command where one does not count."""
    try:
        found = list(notes_in(path.read_text()))
    except (OSError, UnicodeDecodeError) as error:
        _end(f"{path} cannot be read: {error}.")
    try:
        held = [checked_note(note, _keys(key)) for note in found]
    except SignatureError as error:
        _end(f"{path}: {error}")
    wanted = origin_of(Settings().tenant)
    if not held:
        _end(f"{path} holds no checkpoint.")
    if (others := {it.origin for it in held} - {wanted}) and not key:
        _end(f"{path} is of the ledger {min(others)}, and this is {wanted}.")
    return sorted(held, key=lambda it: it.size)


def _keys(said: Sequence[str] | None) -> list[bytes]:
    """Return the keys that count: those that were said, else those of the keyset."""
    try:
        if said:
            return [key for _, key in map(read_verifier_key, said)]
        return public_keys(Keyset(Settings().keys_dir))
    except SignatureError as error:
        raise typer.BadParameter(str(error), param_hint="--key") from None
    except SetupError:
        return []


def _end(text: str) -> NoReturn:
    typer.echo(one_line(visible(text)), err=True)
    raise typer.Exit(USAGE)


def _progress(done: int, of: int) -> None:
    """Tell on one line of a terminal how far it has come."""
    if sys.stderr.isatty():
        typer.echo(f"\r{done:,} of {of:,} events verified", nl=done >= of, err=True)


def _exit_code(report: Report, depth: Depth) -> int:
    if report.problems:
        return BAD
    return UNSIGNED if report.signatures_not_verified and depth is not Depth.TREE else OK


def _print_report(report: Report) -> None:
    typer.echo(f"{report.events:,} events. Checked: {'; '.join(report.checked)}.")
    for problem in report.problems:
        typer.echo(_line(problem))
    if report.checkpoint:
        typer.echo(f"The newest checkpoint, to keep elsewhere:\n\n{visible(report.checkpoint)}")
    if report.uncovered:
        typer.echo(f"Events that no checkpoint covers yet: {report.uncovered:,}.")
    if report.erased:
        typer.echo(f"{report.erased:,} bodies were erased; their leaves are in the tree.")
    if why := report.signatures_not_verified:
        typer.echo(f"Signatures were not verified again. {one_line(visible(why))}")
    typer.echo(_verdict(report))


def _verdict(report: Report) -> str:
    if report.problems:
        return "Not as it was written."
    if report.signatures_not_verified in {"", NOT_ASKED}:
        return "All as it was written."
    return "Nothing was changed, and nobody verified who signed it. --tree asks for no signatures."


def _line(it: Problem) -> str:
    source = f" ({it.stream}:{it.sequence}, leaf {it.leaf})" if it.stream else ""
    return one_line(visible(f"{it.check}: {it.row}{source} {it.text}"))
