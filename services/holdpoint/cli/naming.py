"""A hold is named by its id, or by its beginning if only one fits: the same in every command."""

from collections.abc import Sequence

from holdpoint.cli.output import CommandError, ExitCode

SHORTEST_PREFIX = 4
"""Characters: whoever chooses a key chooses a hold id's beginning, so one letter names nothing."""


def check_length(prefix: str, see: str) -> None:
    """Refuse what names nothing; `see` is the command that lists ids."""
    if len(prefix) < SHORTEST_PREFIX:
        text = f"Give at least {SHORTEST_PREFIX} characters of the id. See: {see}"
        raise CommandError(ExitCode.USAGE, "short_id", text)


def the_only(ids: Sequence[str], prefix: str, see: str) -> str:
    """The one id that begins so."""
    if prefix in ids:
        return prefix
    if len(ids) > 1:
        text = f"More than one begins so: {', '.join(ids)}"
        raise CommandError(ExitCode.NOT_FOUND, "ambiguous_id", text)
    if not ids:
        text = f"Nothing here begins with {prefix}. See: {see}"
        raise CommandError(ExitCode.NOT_FOUND, "unknown_id", text)
    return ids[0]
