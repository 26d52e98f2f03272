"""Facts of a card as people read them, whatever surface lays them out."""

from holdpoint.core.card_reasons import NO_TAKING_BACK, says_place
from holdpoint.core.card_title import NOT_GIVEN, word
from holdpoint.core.grouped_digits import grouped
from holdpoint.messages.card import ActionDetail, Card
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Environment, Heuristic, Scope


def counted(card: Card) -> str:
    """Return how much the card's action touches: `500 rows`; empty where nobody counted."""
    affected = card.ui.action.affected
    if affected is None:
        return ""
    scope = card.metadata.scope
    unit = scope.type.replace("_", " ") if isinstance(scope, Scope) else "items"
    number = f"{affected:,} {unit.removesuffix('s') if affected == 1 else unit}"
    return number if affected else f"{number}; nothing is there now"


def amount_of(action: ActionDetail) -> str:
    """Return the money that moves: `1,250.00 USD`; empty where none does."""
    return " ".join(grouped(str(part)) for part in (action.amount or {}).values())


def target_of(card: Card) -> str:
    """Return what is acted on; empty where no dry run found it: then only the place is known."""
    is_found = all(it.rule != "plan.missing" for it in card.signals)
    return card.ui.action.target if is_found else ""


def place_of(card: Card) -> str:
    """Return where it lands; empty where a reason says so already."""
    place = card.ui.action.environment
    is_said = any(map(says_place, card.signals))
    return "" if is_said and place is Environment.PRODUCTION else place.value


def undo_of(card: Card) -> str:
    """Return the way back, as far as one is known; empty where a reason says that there is none."""
    action = card.ui.action
    if action.undo or action.reversible:
        return action.undo or "there is a way back, or nothing is changed"
    is_said = any(
        it.heuristic is Heuristic.IRREVERSIBILITY or NO_TAKING_BACK in it.reason
        for it in card.signals
    )
    return "" if is_said else "no way back is known"


def voices_of(card: Card) -> str:
    """Return how many of those needed said yes, and who: `1 of 2 said yes: ben`."""
    said = f": {', '.join(named_voices(card))}" if card.voices else ""
    return f"{len(card.voices)} of {card.voices_needed} said yes{said}"


def in_place_of(person: str, seat: str) -> str:
    """Name a person, and the approver in whose place they answered: `ben (for ann)`."""
    return f"{person} (for {seat})" if seat else person


def changes_of(card: Card) -> tuple[str, ...]:
    """Return what a person changed of the call, as people read it: `path: a -> b`."""
    now = card.ui.action.arguments
    return tuple(
        f"{name}: {_before(card, name)} -> {word(now[name]) if name in now else '(left out)'}"
        for name in (*card.before, *card.added)
    )


def _before(card: Card, name: str) -> str:
    return word(card.before[name]) if name in card.before else NOT_GIVEN


def named_voices(card: Card) -> tuple[str, ...]:
    """Those who said yes, as people read it."""
    return tuple(in_place_of(name, card.voices_for.get(name, "")) for name in card.voices)


def told_so_far(card: Card) -> tuple[tuple[str, str], ...]:
    """Return what became of its time, a name and a text each: people see it on every surface."""
    again = f"{card.reminded} time{'' if card.reminded == 1 else 's'}" if card.reminded else ""
    later = card.asked_from is not None and card.asked_from > card.halted_at
    asked = f"{card.asked_from:%Y-%m-%d %H:%M %Z}" if later and card.asked_from else ""
    known = (
        ("Asked from", asked),
        ("Asked too", f"{card.escalated_to}, as nobody had answered" if card.escalated_to else ""),
        ("Told again", again),
        ("More time", "\n".join(card.extensions)),
    )
    return tuple((name, text) for name, text in known if text)


def takes_code(card: Card) -> bool:
    """Return whether a yes to it takes a one-time code, or may take one in place of a passkey."""
    return Method.TOTP in card.proofs and (card.every_proof or Method.CHAT not in card.proofs)


def may_take_passkey(card: Card) -> bool:
    """Return whether a yes to it takes a passkey, or may take one in place of a one-time code."""
    return Method.PASSKEY in card.proofs and (card.every_proof or Method.CHAT not in card.proofs)


def takes_passkey(card: Card) -> bool:
    """Return whether a yes to it takes a passkey, and nothing else will do."""
    others = {Method.CHAT, Method.TOTP}.intersection(card.proofs)
    return Method.PASSKEY in card.proofs and (card.every_proof or not others)
