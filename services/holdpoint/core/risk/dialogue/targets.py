"""What the next act hangs on: its object, its place, its amount, leave for it, what it would break.

A doubt about one of these is a doubt about the act, though none is announced yet:
`I think this is the right bucket`, not `I think this is the nicest photo`.
"""

from collections.abc import Mapping
from typing import Any

import re2


def _any_of(lines: str, stands_for: Mapping[str, str]) -> str:
    """Return the lines as one pattern of RE2; one that is too long goes on in lines set in.

    `<things>` and the like stand for the words in `stands_for`.
    """
    whole = re2.sub(r"\n    ", "", lines).splitlines()
    every = [line for line in whole if line and line[0] != "#"]
    pattern = rf"\b(?:{'|'.join(every)})\b"
    for name, words in stands_for.items():
        pattern = pattern.replace(name, words)
    return pattern


PLACES = (
    "(?:environments?|envs?|clusters?|servers?|hosts?|hostnames?|nodes?|instances?|machines?|vms?|"
    "tenants?|accounts?|buckets?|databases?|dbs?|branch(?:es)?|repos?|repositor(?:y|ies)|"
    "namespaces?|regions?|recipients?|payees?|mailbox(?:es)?|sandbox|production|prod|staging|dev)"
)
"""Where something is done: to take one of these for another is to do it somewhere else."""

THINGS = (
    rf"(?:{PLACES}|files?|folders?|director(?:y|ies)|paths?|tables?|schemas?|invoices?|tickets?|"
    "keys?|tokens?|records?|rows?|projects?|workspaces?|subscriptions?|volumes?|disks?|"
    "partitions?|backups?|snapshots?|customers?|clients?|addresse?s?|ibans?|amounts?|"
    "currenc(?:y|ies)|sums?|contacts?|devices?|ids?|configs?|configurations?|indexe?s?|one|"
    "person|option)"
)
"""What something is done to."""

_STANDS_FOR = {
    "<things>": THINGS,
    "<places>": PLACES,
    "<values>": (
        "(?:name|id|number|path|password|passphrase|pin|hostname|host|port|address|iban|amount|"
        "currency|limit|recipient|payee|sum|date|table|bucket|account|branch|key|email|username|"
        "login)"
    ),
    "<named>": "(?:test|staging|production|prod|live|dev|sandbox|main|primary|real|current)",
    "<is>": (
        r"(?:'s| is| isn't| was|'re| are| must be| (?:may|might|could|should|can|will)(?: \w+)? be|"
        r" (?:seems?|appears?) to be)(?: not| only| still)?"
    ),
    "<you>": (
        "(?:you|he|she|they|somebody|someone|(?:the |a )?(?:user|client|customer|owner|manager|"
        "boss|team))"
    ),
    "<harms>": (
        "(?:breaks?|damages?|corrupts?|destroys?|erases?|wipes?|deletes?|loses?|disrupts?|affects?|"
        "hits?|touch(?:es)?|takes? [^,.?!]{1,30} down|takes? down|interrupts?|locks?)"
    ),
    "<picked>": (
        "(?:pick|choos|tak|us|select|default|go|settl|opt)(?:e|ing|ting|ling)? "
        "(?:on |for |with |to )?(?:the )?(?:first|second|third|last|former|latter|default|"
        "most recent|more recent|newest|newer|latest|oldest|older|larger|smaller|either|any)"
    ),
}
"""The last one: one is taken of several that nobody told apart."""

_HANGS_ON = r"""
# its object and its place
(?:right|wrong|correct|proper|intended|actual|real|live) (?:\w+ ){0,2}<things>
(?:which|whose|what) (?:of (?:the|these|those) )?(?:\w+ ){0,3}<things>
which (?:of )?(?:these|those|the \w+|\w+) (?:is|are|was) (?:the )?(?:real|right|current|
    live|newer|old)
(?:this|that|it|these|those|they)<is> (?:probably |likely |really |actually )?(?:the |our |a |an |
    one of the )?(?:\w+ )?<places>
(?:seems?|looks?|appears?) like (?:the |a |an |our )?<named> <things>
(?:sure|certain|unsure|uncertain|doubts|mistaken|wrong|confident|guess|assumption|
    clear) (?:\w+ )?(?:about|of|on|at) (?:this|that|the|his|her|their|your) (?:\w+ )?<things>
(?:verify|check|confirm|confirmed|vouch for) (?:this|that|the) (?:\w+ )?(?:address|iban|amount|
    currency|recipient|payee|target|sum|identity)
<things> is (?:ours|mine|yours|his|hers|theirs|live|idle)
the \w+'s identity
who owns
this (?:match|choice|mapping)
guess(?:ing|es)? (?:at )?(?:the|his|her|your|their|its|it's)? ?(?:\w+ )?<values>
either (?:of them|(?:of the )?(?:\w+ )?<things>)
distinguish (?:them|the \w+)
them apart
# what somebody wants
(?:this|that|it)(?:'s| is| was) (?:really )?what <you> (?:\w+ )?(?:want\w*|mean\w*|asked|intend\w*)
which\b[^,]{0,40} <you> (?:mean|meant|want|wanted|had in mind|asked for|referred to)
<you> (?:\w+ )?(?:meant|wants?|wanted|intended) (?:all|both|every\w*|the (?:other|first|second|
    whole|entire|<things>)|<things> \w+|(?:it|them) (?:gone|\w+ed))
<you> (?:\w+ )?mean (?:the |this |that )?(?:\w+ ){0,2}<things>
whether \w+ (?:\w+ )?(?:consented|approved|agreed|authori[sz]ed|signed off)
whether (?:the|this|that|an?|his|her|their|your) (?:\w+ )?<things> exists?
mis(?:understood|interpreted|read) (?:you|what|the|your)
understanding of (?:the|this|your) (?:request|task|instructions?|order)
# leave for it
should (?:really )?(?:be doing|do|run|touch) (?:this|it|that)
is responsible for
(?:have|has|had|got|gave|given|lack|needs?|without) (?:\w+ ){0,2}(?:permission|authori[sz]ation|
    authority|clearance|consent|approval)
(?:allowed|permitted|authori[sz]ed|supposed|entitled) to
<you> (?:\w+ )?(?:consented|approved?|agreed|authori[sz]ed|signed off)
# what it would do
(?:this|that|it|which|nothing|won't|not|doesn't|will|might|may|could|
    would)(?: \w+ly| will| well| also| just| even)? <harms>
side effects?
(?:unintended|unforeseen|unwanted) \w+
safe to
(?:ir)?reversible
(?:be )?undone
rolled back
what (?:will|would|might|could) happen
what (?:this|that|it)(?: \w+){0,2} (?:does|do)
(?:depends? on|uses?|needs?|relies on) (?:this|it|these|them|that)
(?:nobody|no one|anyone|anybody|someone|somebody) (?:\w+ )?(?:uses|needs|owns|depends)
(?:is|are|be|'re|'s) (?:\w+ )?(?:duplicates?|unused|stale|orphaned|obsolete|backed up|in use|
    (?:only |still |no longer |not )(?:used|needed))
migration (?:finished|worked|succeeded|ran|went)
^should be (?:fine|ok|okay|safe|good|alright|harmless)
(?:this|that|it) is (?:fine|safe|ok|okay)
# how much
how much (?:to|i|we|they|he|she|should)
the (?:full |total |exact )?amount
the currency
in (?:euros?|dollars?|cents|pounds|francs)
<picked>
"""
"""A pattern a line, as in `qualms`."""

_hangs_on: Any = re2.compile(_any_of(_HANGS_ON, _STANDS_FOR))


def concerns_the_act(text: str) -> bool:
    """Whether a text names something that an act of the agent's hangs on."""
    return _hangs_on.search(text) is not None
