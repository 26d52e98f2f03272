"""Page of prose in an evidence pack: what happened to one hold, and the card that people saw."""

import html
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from holdpoint.core.card import signals_of
from holdpoint.core.card_facts import amount_of, in_place_of
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.answers import channel_of
from holdpoint.ledger.entries import Record
from holdpoint.messages.answer import Answer
from holdpoint.messages.card import ActionDetail
from holdpoint.messages.hold import Denied, Halted, Hold, Refused, Rendered, Resolved, Resumed
from holdpoint.messages.run import Barred, Finished, Lapsed, Reconciled, Started
from holdpoint.messages.state import Delegate
from holdpoint.messages.subjects import ANSWERS

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "section{border:1px solid #999;border-radius:8px;padding:1rem}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}dt{font-weight:600}"
    "blockquote,dd{border-left:3px solid #999;margin:.25rem 0 .75rem;padding-left:.75rem}"
)


def page(hold: Hold, records: Sequence[Record]) -> str:
    """Return the page; whatever came over the bus stands in it as text."""
    story = "".join(f"<li>{_plain(line)}</li>" for line in _story(records))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>Evidence of hold {_plain(hold.hold_id)}</title><style>{_STYLE}</style>"
        f"<h1>{_plain(hold.title or 'A hold')}</h1><p>{_plain(_summary(hold))}</p>"
        f"{_card(hold)}<h2>What happened</h2><ol>{story}</ol>"
        "<p>Check this pack with <code>holdpoint audit verify PACK.zip</code>.</p></html>\n"
    )


def _summary(hold: Hold) -> str:
    tool = f"to call {hold.action.tool}" if hold.action else "for a yes to a sentence"
    whom = f" for {hold.on_behalf_of}" if hold.on_behalf_of else ""
    voices = (in_place_of(it.person, it.on_behalf_of) for it in hold.voices)
    people = ", ".join(dict.fromkeys(voices)) or "nobody"
    how = hold.outcome.value if hold.outcome else hold.stage.value
    return (
        f"The agent {hold.agent} asked{whom} {tool}. Operation level {hold.level}, risk "
        f"{hold.assessment.level.value}, judged by policy {hold.policy.version}. "
        f"It ended as {how}; said yes: {people}."
    )


def _card(hold: Hold) -> str:
    if hold.ui is None:
        return "<p>No card was shown.</p>"
    facts = "".join(
        f"<dt>{_plain(name)}</dt><dd><pre>{_text(text)}</pre></dd>"
        for name, text in _facts(hold.ui.action)
        if text
    )
    said = _text(hold.ui.message)
    words = f"The agent&#x27;s words:<blockquote><pre>{said}</pre></blockquote>" if said else ""
    reasons = "".join(f"<li>{_plain(it.reason)}</li>" for it in signals_of(hold, None))
    return (
        "<h2>The card as it was shown</h2><section>"
        f"<p><b>{_plain(hold.title)}</b></p><div>{words}</div>"
        f"<dl>{facts}</dl>{f'Reasons:<ul>{reasons}</ul>' if reasons else ''}"
        f"<p>Buttons: {_plain(' / '.join(hold.ui.buttons))}</p></section>"
    )


def _facts(action: ActionDetail) -> Iterator[tuple[str, str]]:
    """Yield each fact of the action with its name; an argument's value is the agent's."""
    yield "Tool", action.tool
    yield "Kind", action.type
    yield "Target", action.target
    yield "Affects", "" if action.affected is None else f"{action.affected:,}"
    yield "Amount", amount_of(action)
    yield "Environment", action.environment.value
    yield "Way back", action.undo or ("there is one" if action.reversible else "none is known")
    for name, value in action.arguments.items():
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        yield f"Argument {name}", text


def _story(records: Sequence[Record]) -> Iterator[str]:
    ordered = sorted(records, key=lambda it: (it.entry.at, it.seq))
    for record in ordered:
        if line := _line(record):
            yield f"{_time(record.entry.at)}: {line}"


def _line(record: Record) -> str:
    if answer := record.message(Answer):
        seconds = f" after {answer.seconds_shown:.0f} s" if answer.seconds_shown else ""
        channel = channel_of(record.entry.subject)
        who = in_place_of(record.place.principal or "", answer.on_behalf_of)
        return f"{who} answered {answer.answer.value} through {channel}{seconds}."
    if order := record.message(Delegate):
        until = f" until {_time(order.until)}" if order.until else ""
        return f"{record.place.principal} let {order.to} answer in their place{until}."
    if refused := record.message(Refused):
        is_answer = refused.cause.startswith(f"{ANSWERS}:")
        what = f"{refused.principal}'s answer" if is_answer else f"What {refused.principal} sent"
        return f"{what} did not count: {refused.text}"
    return _decided(record) or _ran(record)


def _decided(record: Record) -> str:
    if record.message(Halted):
        return "The gate halted it until people answer."
    if record.message(Rendered):
        return "The card was shown."
    if denied := record.message(Denied):
        return f"The gate denied it: {denied.hold.reason}"
    if ended := record.message(Resolved):
        by = f" by {in_place_of(ended.by, ended.hold.closed_for)}" if ended.by else ""
        return f"It was resolved as {ended.outcome.value}{by}."
    if resumed := record.message(Resumed):
        return "It was let go." if resumed.confirmed else "It was not let go."
    return ""


def _ran(record: Record) -> str:
    if started := record.message(Started):
        return f"The worker {started.owner} began."
    if finished := record.message(Finished):
        return f"The run ended as {finished.status.value}."
    if stopped := record.message(Barred) or record.message(Lapsed):
        return f"It did not run: {stopped.reason}"
    if found := record.message(Reconciled):
        return f"{found.by} found that it {'happened' if found.happened else 'did not happen'}."
    return ""


def _time(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def _plain(text: str) -> str:
    return html.escape(one_line(visible(text)))


def _text(text: str) -> str:
    return html.escape(visible(text))
