"""Which rules fired and were left aside, and why: for whoever asks; nothing is judged by this."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk.dialogue.door import read_dialogue
from holdpoint.core.risk.dialogue.layout import flowing
from holdpoint.core.risk.heard import LESS
from holdpoint.core.risk.heuristics import MAX_EVIDENCE
from holdpoint.core.risk.patterns import BadPatternError, Hit, matcher
from holdpoint.core.risk.reading import Case
from holdpoint.core.risk.scan import Scan, listed_in
from holdpoint.core.risk.sql.analyzer import without_data
from holdpoint.messages.policy import Pack, Policy
from holdpoint.messages.risk import Assessment

LISTED = "command.high_risk"
"""The rule of what stands on the list of high-risk commands."""

READS = "what is run there only reads"
PARSED = "it was parsed, and what it does decides in place of this rule"
STORED = "it stands only in what a statement stores"
RUNS_NOT = "what is run there was read, and it is no such danger"
NOTED = "it stands only in words that nobody runs: looked for, written down, part of others"
SAYS_NOT = "read in its sentence, it says nothing of the kind"


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """A rule whose words stand there, and which says nothing about them."""

    rule: str
    reason: str
    """Why it was left aside, in one sentence."""

    span: tuple[int, int]
    """Where `text` has the words, in characters."""

    evidence: str
    """The words, at most 200 characters."""

    pack: str = ""
    """The pack that the rule comes from, with its version; empty for what is not a pack's."""


def left_aside(case: Case, found: Assessment, policy: Policy) -> tuple[Aside, ...]:
    """Every rule of the policy that fires on the text as it stands, and has no signal."""
    counted = {signal.rule for signal in found.signals}
    try:
        fired = matcher(policy.patterns).hits(case.text)
    except BadPatternError:
        return ()
    hits = tuple(hit for hit in fired if hit.pattern.id not in counted)
    gone = dict(_in_sentence(fired, case)) if case.level is None else {}
    told = [_aside(hit.pattern.id, hit.span, gone.get(hit.pattern.id, ""), case, hit)
            for hit in hits]  # fmt: skip
    packs = packs_of(policy.packs)
    named = (replace(one, pack=packs.get(one.rule, "")) for one in told)
    listed = () if LISTED in counted else listed_in(case.text.folded, policy)
    return (*named, *(_aside(LISTED, span, "", case, None) for span in listed))


def packs_of(packs: Iterable[Pack]) -> Mapping[str, str]:
    """The pack that each rule comes from, as people know it."""
    return {rule: pack_name(pack) for pack in packs for rule in pack.rules}


def pack_name(pack: Pack) -> str:
    """`seed-002 1`, as people know it."""
    return " ".join(part for part in (pack.name, pack.version) if part)


def _aside(rule: str, span: tuple[int, int], reason: str, case: Case, hit: Hit | None) -> Aside:
    start, end = case.text.span(*span)
    why = reason or (SAYS_NOT if case.level is None else _in_programs(span, case, hit))
    words = case.text.nfkc[start:end][:MAX_EVIDENCE]
    return Aside(rule=rule, reason=why, span=(start, end), evidence=words)


def _in_sentence(fired: tuple[Hit, ...], case: Case) -> Iterator[tuple[str, str]]:
    """Each rule that a sentence takes back, with what took it back."""
    told, left = read_dialogue(flowing(case.text).folded), Scan(hits=fired)
    for reason, less in LESS:
        before = {hit.pattern.id for hit in left.hits}
        left = less(left, case.text, told) if left.hits else left
        for rule in before - {hit.pattern.id for hit in left.hits}:
            yield rule, reason


def _in_programs(span: tuple[int, int], case: Case, hit: Hit | None) -> str:
    """The same of what is run, as `scan` leaves it aside."""
    ran = case.programs
    if not ran.complete:
        return NOTED
    if ran.reads_only:
        return READS
    if hit is not None and hit.pattern.commands:
        return PARSED
    data = without_data(case.text.folded) if ran.sql else case.text.folded
    return STORED if case.text.folded[slice(*span)] not in data else RUNS_NOT
