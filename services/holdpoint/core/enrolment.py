"""Step-up that people who were asked have not set up yet, and where they do."""

from collections.abc import Collection, Mapping

from holdpoint.core.quorum import proves
from holdpoint.messages.card import Card
from holdpoint.messages.hold import Requirement
from holdpoint.messages.policy import Method

PASSKEYS = "add a passkey in the console, under your name"
"""The place to set a passkey up: it needs a browser."""

NAMES: Mapping[Method, str] = {
    Method.CHAT: "a password",
    Method.TOTP: "a one-time code",
    Method.PASSKEY: "a passkey",
}


def missing(asked: Requirement, has: Collection[Method]) -> tuple[Method, ...]:
    """Return the proofs that a person has to set up before their yes can count."""
    return () if proves(asked, {Method.CHAT, *has}) else absent(asked, has)


def absent(asked: Requirement, has: Collection[Method]) -> tuple[Method, ...]:
    """Return the proofs that a yes may take and a person lacks; everybody has a password."""
    known = {Method.CHAT, *has}
    is_enough = proves(asked, {Method.CHAT})
    return () if is_enough else tuple(it for it in asked.proofs if it not in known)


def lacking(
    asked: Requirement | None, enrolled: Mapping[str, Collection[Method]]
) -> dict[str, tuple[Method, ...]]:
    """Return who was asked and lacks which proofs, of those people who are known about."""
    if asked is None:
        return {}
    people = sorted({person for group in asked.approvers.values() for person in group})
    lacks = {it: absent(asked, enrolled[it]) for it in people if it in enrolled}
    return {person: proofs for person, proofs in lacks.items() if proofs}


def has_set_up(card: Card, person: str, method: Method) -> bool:
    """Return whether a person has this proof for their yes, as far as the card knows."""
    return method not in card.missing.get(person, ())


def _needed(card: Card, person: str) -> tuple[Method, ...]:
    """Return what keeps this person's yes from counting: one proof of several is enough."""
    lacks = card.missing.get(person, ())
    return lacks if card.every_proof or len(lacks) == len(card.proofs) else ()


def to_set_up(card: Card, person: str) -> str:
    """Return what this person has to set up before their yes can count; empty if nothing."""
    lacks = _needed(card, person)
    if not lacks:
        return ""
    place = (
        f"Set up codes in the console, under your name, or by: holdpoint people totp {person}"
        if Method.TOTP in lacks
        else "Add one in the console, under your name"
    )
    both = card.every_proof and len(lacks) > 1
    more = f"; then {PASSKEYS}" if both and Method.PASSKEY in lacks else ""
    named = _named(lacks, card)
    return f"A yes to this takes {named}, and {person} has not set that up. {place}{more}"


def named_as_lacking(card: Card, person: str) -> str:
    """Return what this person has to set up, in words: `a one-time code or a passkey`."""
    lacks = _needed(card, person)
    return _named(lacks, card) if lacks else ""


def step_up_of(card: Card) -> str:
    """Return what a yes takes beside the password: `a one-time code or a passkey`."""
    beyond = tuple(it for it in card.proofs if it is not Method.CHAT)
    is_left = Method.CHAT in card.proofs and not card.every_proof
    return "" if is_left else _named(beyond, card)


def not_set_up(card: Card) -> str:
    """Return who cannot give that yet, and where they set it up; empty if everybody can."""
    needed = {who: lacks for who in card.missing if (lacks := _needed(card, who))}
    if not needed:
        return ""
    by_codes = [who for who, lacks in needed.items() if Method.TOTP in lacks]
    by_passkey = any(
        Method.PASSKEY in lacks and (card.every_proof or Method.TOTP not in lacks)
        for lacks in needed.values()
    )
    codes = [f"holdpoint people totp {by_codes[0] if len(by_codes) == 1 else 'NAME'}"]
    places = [*(codes if by_codes else []), *([PASSKEYS] if by_passkey else [])]
    *others, last = needed
    who = f"{', '.join(others)} and {last}" if others else last
    how = "; ".join(places)
    return f"{who} cannot proceed yet, as that is not set up. To set it up: {how}"


def _named(proofs: tuple[Method, ...], card: Card) -> str:
    return (" and " if card.every_proof else " or ").join(NAMES[it] for it in proofs)
