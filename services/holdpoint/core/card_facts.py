"""Facts of a card as people read them, whatever surface lays them out."""

from holdpoint.core.card_reasons import FINAL, MISSING, NO_TAKING_BACK, RUNS, says_place
from holdpoint.core.card_title import NOT_GIVEN, word
from holdpoint.core.grouped_digits import grouped
from holdpoint.core.plans import PLAN
from holdpoint.core.sentences import shortened
from holdpoint.messages.card import ActionDetail, Card
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Environment, Scope


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
    is_found = all(it.rule != MISSING for it in card.signals)
    return card.ui.action.target if is_found else ""


def target_apart(card: Card) -> str:
    """Return what is acted on; empty where the title names it."""
    target = target_of(card)
    return "" if target in card.title else target


def starts_in(card: Card) -> str:
    """Return the folder that a command starts in, where nobody knows what it changes."""
    action = card.ui.action
    return action.target if action.verb == RUNS and not target_of(card) else ""


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
    is_said = any(it.rule in FINAL or NO_TAKING_BACK in it.reason for it in card.signals)
    return "" if is_said else "no way back is known"


def on_proceed(card: Card) -> str:
    """Return what a yes does: `Holdpoint does this once, exactly as shown: Delete 3 rows`."""
    return f"{step_on_proceed(card)}: {shortened(card.title)}"


def step_on_proceed(card: Card) -> str:
    """Return what a yes does, for a surface where the title stands beside it."""
    voices = card.voices_needed
    after = f"once {voices} people have said yes, " if voices > 1 else ""
    if card.ui.action.type == PLAN:
        is_ours = card.enforcement is not Enforcement.COOPERATIVE
        return f"{after}{STEPS_RUN if is_ours else STEPS_TAKEN}"
    if card.enforcement is Enforcement.COOPERATIVE:
        return f"{after}the agent is told yes and does this itself"
    later = "a cooling-off begins; after it " if card.on_yes else ""
    return f"{after}{later}Holdpoint does this once, exactly as shown"


def on_cancel(card: Card) -> str:
    """Return what a no does: `the 3 rows stay as they are, and the agent is told no`."""
    if card.enforcement is Enforcement.COOPERATIVE:
        return "the agent is told no and must stop, but Holdpoint cannot force it to"
    return f"{_unchanged(card)}, and the agent is told no"


def _unchanged(card: Card) -> str:
    action = card.ui.action
    kind = action.type.removeprefix("batch_")
    if kind in STAYING and action.affected:
        things = counted(card)
        if action.affected == 1:
            return f"the {things.removeprefix('1 ')} stays as it is"
        return f"the {things} stay as they are"
    return "no money moves" if action.amount else "nothing runs"


STEPS_RUN = (
    "the agent may ask for each of these steps once, in this order, and Holdpoint runs it; "
    "a step that needs more than this yes asks again"
)
STEPS_TAKEN = "the agent is told yes and takes these steps itself, each once and in this order"

STAYING = frozenset({"delete", "update"})
"""Kinds of action on something that is there."""


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
