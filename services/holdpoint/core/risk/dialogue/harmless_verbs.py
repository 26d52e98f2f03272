"""The closed class of what harms nothing: reading, asking, thinking, telling, waiting, computing.

Whatever else an agent announces is a deed, also when no list holds its verb.
"""

from holdpoint.core.risk.dialogue.verbs import NEUTRAL, SPOKEN
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

_BASES = NEUTRAL | word_set(
    # perceiving and finding out
    "read reread look see view watch hear listen notice observe spot scan skim browse peek glance "
    "inspect examine study review check recheck verify validate confirm double-check cross-check "
    "compare contrast match diff count recount measure gauge weigh time find locate search seek "
    "hunt dig explore investigate research query list enumerate discover detect catch sniff taste "
    "feel touch smell smoke probe poll ping monitor track trace observe audit survey sample "
    "benchmark profile inventory sift comb hover peruse consult canvass interview test "
    # computing and showing
    "estimate calculate compute recompute figure determine establish ascertain identify total "
    "tally sum average round convert parse extract decode tokenise tokenize hash group "
    "categorise categorize classify cluster filter sort rank order-by score rate grade annotate "
    "highlight underline display show print output echo plot chart graph draw sketch paint render "
    "visualise visualize map illustrate demonstrate preview simulate model emulate rehearse "
    "prototype trial dry-run zoom scroll page tabulate benchmark interpolate extrapolate infer "
    "deduce derive solve prove debug troubleshoot diagnose reproduce reconstruct replay trawl "
    # talking
    "ask inquire enquire question query clarify explain describe tell say speak talk chat answer "
    "reply respond reiterate repeat mention note remark comment report summarise summarize outline "
    "recap conclude discuss debate argue suggest propose recommend advise warn remind inform thank "
    "apologise apologize greet congratulate welcome acknowledge admit assure reassure emphasise "
    "emphasize stress quote cite refer point interpret translate paraphrase rephrase reword "
    "proofread spell pronounce recite sing brief narrate elaborate call ring phone escalate flag "
    "raise beg wish promise swear joke lie complain object request require prompt "
    # thinking and planning
    "think wonder consider reconsider reflect ponder muse guess assume presume suppose suspect "
    "imagine believe know understand learn memorise memorize remember forget hope expect "
    "anticipate predict forecast plan intend prepare prep decide choose pick select opt prefer "
    "hesitate doubt evaluate assess analyse analyze judge reason brainstorm agree disagree "
    "aim assess ensure envisage formulate strategise strategize lean tend fear worry "
    "like love enjoy appreciate want need care mind bet "
    # waiting, leaving things as they are
    "wait hold stay remain stand sit rest sleep refrain abstain avoid decline defer "
    "leave keep refuse ignore skip delay postpone pass back hang "
    # going about it
    "continue proceed start begin try attempt go come get take be have do make use utilise "
    "utilize employ work act handle address deal process perform conduct carry complete finalise "
    "finalize finish follow focus return revisit navigate visit head log iterate "
    "loop step walk cycle gather collect fetch retrieve obtain acquire pull load reload refresh "
    "download open save store copy backup back-up export cache bookmark navigate enter input "
    "access connect authenticate login receive pick bring scrape crawl stream record capture "
    "re-run re-check re-read re-count re-fetch re-query re-open "
    "re-test photograph rerun compress mark log spin grab snag "
    # making what harms nobody, and its looks
    "draft redraft write jot compose sketch create generate design prototype build compile format "
    "indent align wrap number bullet centre center crop colour color capitalise capitalize bold "
    "tidy polish lay stack document paste type "
    # helping
    "help assist aid support guide lead accompany provide offer present introduce teach coach "
    "suggest include cover share supply tailor personalise personalize accommodate "
    # living
    "cook bake stir simmer boil fry grill chop eat drink walk drive ride travel attend "
    "meet play laugh smile celebrate dance swim hike shop breathe live be become seem appear "
    "rain snow drizzle hail thunder "
    "happen indicate represent signify denote imply entail allow cause result arrive "
    "depart land fly sail reside range vary span wish ever even all both too rather quite "
    "indeed surely maybe perhaps exist mean matter depend relate belong consist contain "
    "lie last cost fit suit differ "
    "may might can could would should must will not never also just only probably always"
)


def _forms(base: str) -> tuple[str, ...]:
    """Every form that it may take; a form that no one uses does no harm."""
    stem = base.removesuffix("e")
    return (
        base, f"{base}s", f"{base}es", f"{stem}ed", f"{base}{base[-1]}ed", f"{stem}ing",
        f"{base}ing", f"{base}{base[-1]}ing", f"{base.removesuffix('y')}ied",
    )  # fmt: skip


_NO_ACT = word_set(
    "during nothing something anything everything morning evening including excluding regarding "
    "concerning according depending assuming given thing things king string spring ring wing "
    "ceiling building meeting setting settings training pricing shipping rating spelling meaning "
    "beginning missing existing pending outstanding remaining warning feeling wedding housing "
    "clothing parking banking gaming marketing engineering accounting advertising processing "
    "funding staffing hosting networking upcoming incoming ongoing outgoing interesting willing "
    "boring exciting amazing surprising confusing misleading promising corresponding underlying "
    "surrounding morning's sibling siblings bring sling bling timing lying dying being having "
    "notwithstanding owing pertaining considering judging speaking seeing knowing "
    "hoping doing going making taking getting coming saying looking lacking wrong young long done "
    "found known seen made said told heard thought understood based supposed related needed "
    "required able located interested used named called listed shown given written mentioned "
    "provided noted informed asked contacted expected eligible refunded-to open often even then "
    "when between seven eleven ten garden children women men golden hidden token kitchen chicken "
    "speed feed need indeed seed exceed succeed bed red led fed shed hundred sacred naked wicked "
    "processed credited notified charged applied logged signed displayed redirected prompted"
)
"""What only ends like a verb that is under way or done, and what it says does nothing."""

HARMLESS = (
    frozenset(form for base in _BASES for form in _forms(base))
    | _NO_ACT
    | frozenset(
        word for word, verb in SPOKEN.items() if verb.kind is Kind.READ and verb.form is Form.ING
    )
)
"""Every form of every such verb, with the words that only look like one."""
