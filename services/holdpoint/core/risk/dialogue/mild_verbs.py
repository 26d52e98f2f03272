"""Deeds that harm nobody when somebody asks for leave to do them: reading, telling, sketching."""

from holdpoint.core.risk.wording import Kind, forms
from holdpoint.core.risk.words import word_set

_TELLS = (
    "read reread look see view watch listen check recheck inspect examine study compare contrast "
    "count measure estimate calculate compute recalculate summarise summarize outline recap "
    "explain describe clarify elaborate mention note remark comment suggest recommend "
    "ask think wonder consider guess assume reflect brainstorm plan sketch draw illustrate "
    "demonstrate show display print plot chart quote cite paraphrase rephrase reword reformulate "
    "translate interpret proofread search browse explore investigate research skim peek glance "
    "repeat reiterate highlight visualise visualize preview shorten simplify condense abbreviate "
    "joke sing recite walk double-check"
)
_SPEAKS = "answer reply respond write speak talk tell say"
_MAKES = (
    "mark insert append make write draft create prepare give do take use start begin add put "
    "include compose have provide offer present propose continue go come get turn set format list "
    "arrange order group keep stay stick skip leave focus send refine improve expand rewrite "
    "restructure split"
)


def _every(bases: str) -> frozenset[str]:
    return frozenset(word for base in bases.split() for word in _spelled(base))


def _spelled(base: str) -> tuple[str, ...]:
    return (*forms(base, Kind.READ), *(_IRREGULAR.get(base) or ()))


_IRREGULAR = {
    "draw": ("drew", "drawn"),
    "give": ("gave", "given"),
    "make": ("made",),
    "take": ("took", "taken"),
    "tell": ("told",),
    "write": ("wrote", "written"),
    "speak": ("spoke",),
    "plan": ("planning", "planned"),
    "plot": ("plotted",),
    "get": ("getting",),
    "put": ("putting",),
    "see": ("saw", "seeing"),
    "show": ("shown",),
    "think": ("thought",),
}
TELLS, _SPEAKING, _MAKING = map(_every, (_TELLS, _SPEAKS, _MAKES))
TEXTS = word_set(
    "answer answers reply summary summaries outline outlines sketch sketches draft drafts list "
    "lists bullet bullets table tables diagram diagrams chart charts graph graphs plot picture "
    "drawing illustration example examples explanation explanations guess look glance peek stab "
    "suggestion suggestions question questions comparison overview recap title titles wording "
    "sentence sentences paragraph paragraphs essay poem story headline caption introduction intro "
    "conclusion abstract plan note notes comment comments hint hints tip tips step-by-step "
    "metaphor analogy joke english german french spanish italian dutch plain simple simpler units "
    "metric imperial celsius emoji emojis markdown jargon abbreviations definition definitions "
    "translation version formula proof calculation estimate basics background context detail "
    "italics bold passage passages transcript transcription timestamp timestamps stamp quotation "
    "quotations footnote footnotes "
    "citation citations caption captions glossary bibliography spelling scene "
    "details feedback opinion thoughts recommendation recommendations chapter chapters section "
    "sections lesson lessons verse verses slide slides"
)
"""What is only said, or shown to whoever asked."""

PAGES = word_set(
    "file files folder folders page pages settings setting menu app link tab window document "
    "documents doc docs spreadsheet sheet stylesheet invoice invoices order orders record ticket "
    "tickets issue issues log logs map calendar profile report email emails message messages "
    "attachment image photo photos history details view dashboard browser terminal editor "
    "notebook readme source config manual shipment both trace traces dump transcript recording "
    "chapter"
)
"""What is opened to be read."""


_OTHERS = word_set(
    "him her them his their customer customers client clients everyone everybody all staff team "
    "tenant tenants parents press public partner supplier board mail email subscribers"
)
_NEAR = 6
_NAMED = 4
"""Words behind a verb among which what it is done to stands."""

_DRAFTS = word_set("draft drafting redraft redrafting")
_OPENING = word_set("open opening reopen reopening")
_SHOWN = PAGES - word_set("link attachment app settings setting config terminal both")
"""What is only shown when it is opened: a link or an attachment may do more."""


TRIES = word_set("run ran running execute executed executing launch start send submit put")
TRIALS = word_set(
    "test tests query count select explain lint linter dry dry-run preview simulation benchmark "
    "report check checks diff status locally sandbox read-only question questions help version"
)
"""What is only tried when it is run, and changes nothing."""


def is_mild(words: list[str], place: int) -> bool:
    """Whether what is done here is only said, thought, shown or read."""
    word = words[place]
    behind = words[place + 1 : place + 1 + _NEAR]
    if word in TELLS or (word in TEXTS and word not in _SPEAKING):
        return True
    if word in _DRAFTS:
        return True
    if word in _OPENING:
        shown = not _SHOWN.isdisjoint(behind[:_NAMED])
        return shown and _OTHERS.isdisjoint(behind) and {"to", "for", "up"}.isdisjoint(behind)
    if word in TRIES and not TRIALS.isdisjoint(behind):
        return True
    if word in _SPEAKING and _OTHERS.isdisjoint(behind):
        told = {"to", "the", "over", "off", "down"}.isdisjoint(behind[:2])
        return told or not TEXTS.isdisjoint(behind)
    return word in _MAKING and not TEXTS.isdisjoint(behind) and _OTHERS.isdisjoint(behind)
