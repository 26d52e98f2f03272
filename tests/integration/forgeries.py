"""Grants that no gate should have given, and somebody who puts them on the bus."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeAlias

from msgspec.structs import replace
from nats.js import JetStreamContext
from tests.running_system import Road, fresh

from holdpoint.core.digest import action_digest
from holdpoint.core.tool import spec_of
from holdpoint.domains.shell.tools import run_command
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import HoldFact, Outcome, Passed
from holdpoint.messages.subjects import hold_subject
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import SIGNATURE_HEADER

Change: TypeAlias = Callable[[Passed], Passed]


def action(**fields: Any) -> Change:
    """The same grant on another action; its digest fits."""

    def change(fact: Passed) -> Passed:
        assert fact.hold.action
        other = replace(fact.hold.action, **fields)
        return replace(fact, hold=replace(fact.hold, action=other, digest=action_digest(other)))

    return change


def grant(**fields: Any) -> Change:
    def change(fact: Passed) -> Passed:
        assert fact.grant
        return replace(fact, grant=replace(fact.grant, **fields))

    return change


def hold(**fields: Any) -> Change:
    return lambda fact: replace(fact, hold=replace(fact.hold, **fields))


NOW = clock.now()
COMMAND = {
    "tool": "run_command",
    "tool_schema_sha256": spec_of(run_command).tool.schema_sha256,
    "arguments": {"command": "echo evil >> {name}"},
}
SIGNED: dict[str, Change] = {
    "wrong_tenant": action(tenant="other"),
    "wrong_audience": grant(aud="domain:database"),
    "another_domain": action(domain="database"),
    "before_the_cooling_off_is_over": hold(
        level=3, outcome=Outcome.CONFIRMED, resolved_at=NOW + timedelta(hours=9)
    ),
    "lives_too_long": grant(exp=NOW + timedelta(hours=9)),
    "other_digest": hold(digest="0" * 64),
    "other_agent": action(agent="rival"),
    "other_principal": action(on_behalf_of="ben"),
    "unknown_tool": action(tool="format_disk"),
    "schema_changed": action(tool_schema_sha256="0" * 64),
    "level_too_low": hold(level=1),
    "not_approved": lambda fact: hold(level=3)(action(**COMMAND)(fact)),
    "confirmed_by_nobody": lambda fact: hold(
        level=3, outcome=Outcome.CONFIRMED, resolved_at=clock.now()
    )(action(**COMMAND)(fact)),
    "no_grant": lambda fact: replace(fact, grant=None),
    "too_old": lambda fact: grant(
        iat=NOW - timedelta(hours=1),
        nbf=NOW - timedelta(hours=1),
        exp=NOW - timedelta(minutes=56),
    )(hold(proposed_at=NOW - timedelta(hours=1))(fact)),
}


class Thief:
    """Somebody with the gate's right on the bus, and whatever keys a test gives."""

    def __init__(self, road: Road, js: JetStreamContext, model: Passed) -> None:
        self.road, self.js, self.model = road, js, model

    def forged(self, name: str, change: Change = lambda fact: fact) -> Passed:
        """Leave to create this file, on a hold of its own."""
        assert self.model.hold.action
        its = replace(self.model.hold.action, arguments={"path": name, "content": "evil"})
        made = replace(self.model.hold, hold_id=fresh("h"), action=its, digest=action_digest(its))
        fact = change(replace(self.model, hold=made, grant=self._now(self.model.grant)))
        forged = fact.hold.action
        if forged is None or "command" not in forged.arguments:
            return fact
        command = forged.arguments["command"].replace("{name}", name)
        return action(arguments={"command": command})(fact)

    async def publish(self, fact: HoldFact, header: Callable[[bytes], str] | None) -> str:
        """On the lane of the shell's workers, whatever it says itself."""
        subject = hold_subject(fact).rsplit(".", 1)[0] + ".shell"
        body = encode_event(
            fact, event_id=fresh("e"), source="thief", subject=subject, at=clock.now(), salt="00"
        )
        await self.publish_raw(subject, body, header(body) if header else None)
        return subject

    async def publish_raw(self, subject: str, body: bytes, header: str | None) -> None:
        headers = {SIGNATURE_HEADER: header} if header else None
        await self.js.publish(subject, body, headers=headers)

    def _now(self, it: Any) -> Any:
        now = clock.now()
        return replace(it, iat=now, nbf=now, exp=now + timedelta(seconds=60), nonce=fresh("n"))
