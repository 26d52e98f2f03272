"""The shell's results in words: for chats, for voices, and with the next steps."""

from holdpoint.core.spoken import counted, number
from holdpoint.core.tool import Result
from holdpoint.domains.shell.execute import Ran
from holdpoint.domains.shell.files import Entry, Listing, Piece
from holdpoint.domains.shell.safe_paths import Place
from holdpoint.messages.action import Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

EXCERPT = 4000
"""Characters of a command's output in `formatted`; all that was kept stands in `data`."""


def list_action(path: str) -> AvailableAction:
    """Look at a folder."""
    return AvailableAction(
        tool="list_directory",
        params={"path": path},
        label="List the folder",
        description="See the names of the files and folders in it.",
    )


def read_action(path: str, offset: int, label: str) -> AvailableAction:
    """Look into a file."""
    params: JsonObject = {"path": path} | ({"offset": offset} if offset else {})
    described = "See the text that follows." if offset else "See the text of this file."
    return AvailableAction(tool="read_file", params=params, label=label, description=described)


def listed(place: Place, found: Listing) -> Result:
    """A folder's names."""
    count = len(found.entries)
    many = "more than " if found.more else ""
    entries = f"{count} entry" if count == 1 else f"{count} entries"
    files = [entry for entry in found.entries if entry.kind == "file"]
    return Result(
        status=RunStatus.DONE,
        data={
            "path": place.path,
            "entries": [{"name": e.name, "kind": e.kind, "size": e.size} for e in found.entries],
            "more": found.more,
        },
        formatted="\n".join([f"{place.path}: {many}{entries}", *map(_line, found.entries)]),
        formatted_spoken=f"The folder has {many}{counted(count, 'entry', 'entries')}.",
        message_for_user=f"The folder has {many}{entries}. Shall I open one of them?",
        available_actions=tuple(
            read_action(f"{place.path}/{entry.name}", 0, f"Read {entry.name}")
            for entry in files[:3]
        ),
    )


def read(place: Place, piece: Piece) -> Result:
    """A file's text."""
    rest = piece.size - piece.next_offset
    more = f" {rest} more bytes follow." if rest > 0 else ""
    return Result(
        status=RunStatus.DONE,
        data={
            "path": place.path,
            "text": piece.text,
            "offset": piece.offset,
            "next_offset": piece.next_offset,
            "size": piece.size,
        },
        formatted=_excerpt(piece.text),
        formatted_spoken=f"The file has {counted(piece.size, 'byte', 'bytes')}.",
        message_for_user=f"Here is {place.path}.{more}",
        available_actions=(
            *((read_action(place.path, piece.next_offset, "Read on"),) if rest > 0 else ()),
            list_action(_above(place)),
        ),
    )


def created(place: Place, size: int, executed: JsonObject) -> Result:
    """A new file stands."""
    return Result(
        status=RunStatus.DONE,
        data={"path": place.path, "size": size},
        formatted=f"Created {place.path} ({_bytes(size)}).",
        formatted_spoken=f"The file was created with {counted(size, 'byte', 'bytes')}.",
        message_for_user=f"I created {place.path}.",
        available_actions=(
            read_action(place.path, 0, "Read the new file"),
            list_action(_above(place)),
        ),
        executed=executed,
    )


def ran(command: Ran, root: str, executed: JsonObject) -> Result:
    """A command ended, one way or another."""
    error = _went_wrong(command)
    output = "\n".join(part for part in (command.stdout, command.stderr) if part)
    code = command.code
    return Result(
        status=RunStatus.FAILED if error else RunStatus.DONE,
        data={
            "exit_code": code if code is not None and code >= 0 else None,
            "signal": -code if code is not None and code < 0 else None,
            "stdout": command.stdout,
            "stderr": command.stderr,
            "truncated": command.truncated,
            "timed_out": command.timed_out,
        },
        formatted=_excerpt(output) or "The command said nothing.",
        formatted_spoken=_spoken(command),
        message_for_user=f"The command failed: {error}" if error else "The command has run.",
        available_actions=(list_action(root),),
        error=error,
        executed=executed,
    )


def refused(error: str, root: str) -> Result:
    """Say that nothing was done."""
    return Result(
        status=RunStatus.FAILED,
        formatted=error,
        formatted_spoken="That did not work, and nothing was changed.",
        message_for_user=error,
        available_actions=(list_action(root),),
        error=error,
    )


def changed(expected: JsonObject, plan: Plan, root: str) -> Result:
    """Return a refusal: the card's facts no longer hold."""
    moved = expected.get("conditions", {}) != plan.conditions
    gone = f"The working folder {root} was moved or replaced since the card"
    text = f"{gone if moved else _difference(expected, plan)}: nothing was run."
    return Result(
        status=RunStatus.PRECONDITION_FAILED,
        data={"expected": expected, "found": {"affected": plan.affected, "files": plan.files}},
        formatted=text,
        formatted_spoken="The files have changed since the confirmation. Nothing was run.",
        message_for_user=f"{text} Propose it again to have it confirmed as it is now.",
        available_actions=(list_action(root),),
        error=text,
    )


def _difference(expected: JsonObject, plan: Plan) -> str:
    known: dict[str, str] = expected.get("files") or {}
    both = sorted({*known, *plan.files})
    other = next((name for name in both if known.get(name) != plan.files.get(name)), "")
    if other:
        return f"`{other}` no longer holds what the card showed"
    if known:
        return "A file that would run cannot be read"
    now = (
        "nobody can say how many now"
        if plan.affected is None
        else f"it would be {plan.affected} now"
    )
    return f"The card said {expected.get('affected')} files, and {now}"


def _went_wrong(command: Ran) -> str:
    if command.flooded:
        return "it said more than it may and was ended; what it did before stands."
    if command.timed_out:
        return "its time was up and it was ended; what it did before stands."
    if command.code is None:
        return "nobody knows how it ended; what it did before stands."
    if command.code < 0:
        return f"signal {-command.code} ended it; what it did before stands."
    return f"it ended with exit code {command.code}." if command.code else ""


def _spoken(command: Ran) -> str:
    if command.timed_out or command.flooded or command.code is None or command.code < 0:
        return "The command was ended before it was done."
    if command.code:
        return f"The command failed with exit code {number(command.code)}."
    return "The command has run."


def _line(entry: Entry) -> str:
    return f"- {entry.name}" + ("/" if entry.kind == "folder" else f" ({_bytes(entry.size)})")


def _above(place: Place) -> str:
    return place.path.rpartition("/")[0]


def _excerpt(text: str) -> str:
    if len(text) <= EXCERPT:
        return text
    return f"{text[:EXCERPT]}\n… {len(text) - EXCERPT} more characters stand in `data`"


def _bytes(size: int) -> str:
    return f"{size} byte{'' if size == 1 else 's'}"
