"""People and their groups, read again whenever people.yaml changes."""

from pathlib import Path

import structlog

from holdpoint.messages.catalog import Person, may_answer
from holdpoint.runtime.config.registry import PEOPLE_FILE, load_people
from holdpoint.runtime.errors import SetupError

log = structlog.get_logger(__name__)


class People:
    """People by name; a file that cannot be read changes nobody's groups."""

    def __init__(self, config_dir: Path) -> None:
        self._path = config_dir / PEOPLE_FILE
        self._stamp = 0
        self._known: dict[str, Person] = {}

    def find(self, name: str) -> Person | None:
        """The person of that name, as the file says now."""
        self._refresh()
        return self._known.get(name)

    def known_as(self, subject: str, email: str) -> Person | None:
        """The person whom the identity provider means; a subject in the file beats any address."""
        self._refresh()
        people = self._known.values()
        by_subject = (it for it in people if it.subject and it.subject == subject)
        by_email = (
            it
            for it in people
            if not it.subject and it.email and it.email.casefold() == email.casefold()
        )
        return next(by_subject, None) or next(by_email, None)

    def in_slack(self, user: str) -> Person | None:
        """The person with this member id in Slack."""
        self._refresh()
        return next((it for it in self._known.values() if it.slack and it.slack == user), None)

    def everybody(self) -> tuple[Person, ...]:
        """All of them, in the file's order."""
        self._refresh()
        return tuple(self._known.values())

    def delegates_of(self, name: str) -> tuple[str, ...]:
        """Everybody else who may answer in this person's place once they delegate to them."""
        self._refresh()
        able = (it for it in self._known.values() if it.groups and may_answer(it))
        return tuple(it.name for it in able if it.name != name)

    def _refresh(self) -> None:
        try:
            stamp = self._path.stat().st_mtime_ns
            if stamp != self._stamp:
                self._known = {person.name: person for person in load_people(self._path)}
                self._stamp = stamp
        except (OSError, SetupError) as error:
            log.warning("people_unreadable", why=str(error))
