"""`holdpoint intents`: what agents said they were about to do, as examples to learn from.

Secrets are covered as on a card, and with them every secret of any argument in the ledger, whatever
a sentence calls a password or a key, and whatever looks like one: nobody learns from those.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import typer
from msgspec.structs import replace
from sqlalchemy import Connection

from holdpoint.cli import output
from holdpoint.cli.domains import catalog
from holdpoint.cli.ledger_session import LedgerOption, SinceOption, snapshot
from holdpoint.cli.session import JsonOption, begun
from holdpoint.core.card import Shown, card_of
from holdpoint.core.catalog import Catalog
from holdpoint.core.redaction.credentials import LAST_DIGITS
from holdpoint.core.redaction.display import (
    MASK,
    MOST_SECRETS,
    Cover,
    cover,
    cover_spoken,
    pointers_of,
    secrets_in,
)
from holdpoint.core.risk import SOUNDS
from holdpoint.ledger.verdicts import Judged, judged, outcomes, said
from holdpoint.messages.call import Intent, Propose
from holdpoint.messages.hold import Hold, Outcome
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.risk import IntentMetadata, RiskLevel, Scope
from holdpoint.policy_lab.judge import Judgement

OPEN = "open"
"""The outcome of a sentence that nobody has answered yet."""

_NOWHERE = Shown(group="", state="", seal_key="", revision=0)

intents = typer.Typer(help="What agents said they were about to do.", no_args_is_help=True)


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One sentence, what was detected in it, and what became of it."""

    hold_id: str
    agent: str
    sentence: str
    metadata: IntentMetadata
    outcome: str
    """`pass`, `witness` or `deny` at once; else how its hold ended, or `open`."""

    rule: str
    """The first of the rules that its level comes from; empty when none fired."""

    rules: list[str]


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """Worth of the learned reader in a month."""

    month: str
    sentences: int
    raised: int = 0
    """Those that it raised."""

    alone: int = 0
    """Of these, the ones that nothing else would have asked about."""

    confirmed: int = 0
    """People's answers to what it raised alone."""

    cancelled: int = 0


@intents.command()
def report(
    *, since: SinceOption = None, ledger: LedgerOption = "", as_json: JsonOption = False
) -> None:
    """Show by month how often the learned reader raised a sentence, and how people answered."""
    with snapshot(ledger) as connection:
        ended = outcomes(connection, None)
        said = [one.hold for one in judged(connection, since) if one.hold.action is None]
    months = months_of(said, ended)
    if as_json:
        output.emit(*months)
        return
    for one in months:
        output.say(_month_line(one))


def _month_line(one: Month) -> str:
    answers = f"{one.confirmed} confirmed, {one.cancelled} cancelled"
    raised = f"{one.raised} of {one.sentences} sentences raised"
    return f"{one.month}: {raised}, {one.alone} by the reader alone ({answers})"


def months_of(said: Iterable[Hold], ended: Mapping[str, Outcome]) -> list[Month]:
    """Count the sentences of each month, the oldest first."""
    found: dict[str, Month] = {}
    for hold in said:
        name = f"{hold.proposed_at:%Y-%m}"
        month = found.get(name, Month(month=name, sentences=0))
        signals = hold.assessment.signals
        raised = any(one.rule == SOUNDS for one in signals)
        asks = (one for one in signals if one.level >= RiskLevel.HIGH)
        alone = raised and all(one.rule == SOUNDS for one in asks)
        outcome = ended.get(hold.hold_id) if alone else None
        found[name] = replace(
            month,
            sentences=month.sentences + 1,
            raised=month.raised + raised,
            alone=month.alone + alone,
            confirmed=month.confirmed + (outcome is Outcome.CONFIRMED),
            cancelled=month.cancelled + (outcome is Outcome.CANCELLED),
        )
    return [found[name] for name in sorted(found)]


@intents.command()
def export(
    *, since: SinceOption = None, ledger: LedgerOption = "", as_json: JsonOption = False
) -> None:
    """Print each sentence in the ledger with what became of it, one JSON object a line."""
    _ = as_json  # it is JSON for programs in any case
    tools = catalog(begun())
    with snapshot(ledger) as connection:
        hide = _covers(connection, tools)
        ended = outcomes(connection, None)
        for one in judged(connection, since):
            if one.hold.action is None:
                output.emit(_example(one, ended.get(one.hold.hold_id, OPEN), hide))


def _example(one: Judged, ended: str, hide: Cover) -> Example:
    hold = one.hold
    card = card_of(hold, None, _NOWHERE)
    found = Judgement(verdict=one.verdict, assessment=hold.assessment)
    return Example(
        hold_id=hold.hold_id,
        agent=hold.agent,
        sentence=hide(card.ui.message),
        metadata=_metadata(card.metadata, hide),
        outcome=ended if one.verdict is VerdictKind.HOLD else one.verdict.value,
        rule=next(iter(found.deciding), ""),
        rules=list(dict.fromkeys(signal.rule for signal in hold.assessment.signals)),
    )


def _metadata(shown: IntentMetadata, hide: Cover) -> IntentMetadata:
    told = replace(shown, action_type=hide(shown.action_type))
    if isinstance(shown.scope, Scope):
        return replace(told, scope=replace(shown.scope, type=hide(shown.scope.type)))
    return told


def _covers(connection: Connection, tools: Catalog) -> Cover:
    """Covers every secret of the ledger; a few at a time, or whole texts would be covered."""
    every = {secret for call in said(connection) for secret in _secrets(call, tools)}
    longest_first = sorted(every, key=lambda secret: (-len(secret), secret))
    starts = range(0, len(longest_first), MOST_SECRETS)
    covers = [cover(tuple(longest_first[at : at + MOST_SECRETS])) for at in starts]
    return lambda text: _covered(text, covers)


def _covered(text: str, covers: Sequence[Cover]) -> str:
    for hide in covers:
        text = hide(text)
    text = _last_digits.sub(MASK, text)
    return _opaque.sub(MASK, _called_secret.sub(rf"\1{MASK}", cover_spoken(text)))


_last_digits = re.compile(rf"{MASK}\d{{{LAST_DIGITS}}}\b")
"""Of a payment card, which people on a card know it by."""

_called_secret = re.compile(
    r"(?i)(\b(?:pass(?:word|wd|phrase|code)|secret|token|pin|api[ _-]?key|access[ _-]?key"
    r"|credential)s?\b\W{0,3}(?:is|are|was|to)?[\s:=]{1,3})"
    r"(\"[^\"]*\"|'[^']*'|(?=\S*\d)[^\s\"']{4,})"
)
_opaque = re.compile(r"(?<![\w/.-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])\w[\w+/=-]{23,}(?![\w/.-])")
"""Letters and digits of which nobody could make a word."""


def _secrets(call: Propose | Intent, tools: Catalog) -> tuple[str, ...]:
    """Of a tool that nobody knows every argument, as on its card."""
    if isinstance(call, Intent):
        return secrets_in(call.action_detail, ())
    tool = tools.find(call.tool)
    return secrets_in(call.arguments, tool.secret if tool else pointers_of(call.arguments))


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(intents, name="intents")
