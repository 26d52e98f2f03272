"""Still more words of doubt: guesses, suppositions, evidence at odds, low figures, likely harm.

Each line is a pattern, as in `doubtful`; they count as those in `unsure` do, beside another act.
"""

PRESUMED = r"""
# guesses
ball-?park(?: (?:figure|estimate|number|guess|sum|amount)|[,:] \w+)
back[- ]of[- ](?:the|an)[- ]envelope|give or take|(?:out )?on a limb
(?:at|as) a rough (?:guess|estimate|count|approximation)
by my (?:(?:rough|quick|hasty|loose|crude|own) )*(?:reckoning|estimate|estimation|arithmetic)
by my (?:rough|quick|hasty|loose|crude) \w+
as (?:best|far|much|well|near)(?: as)? i (?:can |could )?(?:recall|remember|reconstruct)
from what i (?:can |could )?(?:recall|remember|reconstruct|piece together|gather)
(?:wouldn't|would not|won't) (?:\w+ )?(?:bet|stake|wager|gamble) (?:\w+ ){0,4}(?:on|that)
(?:wouldn't|would not|won't) (?:\w+ )?put (?:\w+ ){0,2}(?:money|name|house|cent|penny|dollar)
(?:i|we|i've|i'm|we've)(?: have| had| am| just| simply)* (?:made up|making up|invented|inventing|
    fabricated|fabricating|conjured)
plucked (?:\w+ ){1,4}(?:out of|from)|out of thin air
(?:an?|the|some) (?:\w+ )?(?:made[- ]up|invented|fictitious|plausible|plausible-looking|
    likely-looking|arbitrary) (?:\w+ ){0,3}(?:values?|names?|dates?|numbers?|codes?|ids?|figures?|
    amounts?|address(?:es)?|references?|cent(?:re|er)s?|entry|entries|quantity|quantities|rates?|
    reasons?|prices?|weights?|doses?)
(?:used|entered|filled in|put(?: in| down)?) an? (?:\w+ )?placeholder
(?:pick|picked|picking|choose|chose|choosing|take|took|taking) (?:one|any|an?)\b[^.!?;,]{0,40}
     at random
(?:see|seeing|find out|until) (?:which )?(?:one |any )?(?:of (?:them|these|those) )?(?:sticks|works|
    fits|is accepted|goes through|gets accepted)
# suppositions
(?:i'm|i am|we're|we are|i've|i have|we've|we have)(?: \w+)? (?:treating|treated|regarding|regarded|
    taking|taken|considering|considered|counting|counted|reading|interpreting|interpreted)
     (?:[^.!?;,]|\b\w\.){1,40} (?:as|to be|to mean)
considering [^.!?;,]{1,40} to be
(?:counting|taking|reading|treating) [^.!?;,]{1,40} as (?:an? |the )?(?:yes|no|agreement|approval|
    consent|permission|confirmation|go-ahead)
(?:must|will|can only|could only) have (?:meant|intended|wanted|been (?:referring|thinking)|
    referred|had in mind)
(?:surely|obviously|evidently|clearly|doubtless|plainly|no doubt) (?:meant|intended|wanted|means|
    wants|intends|had in mind)
(?:i've|i have|we've|we have|i|we)(?: just| simply)? (?:supposed|presumed|surmised|conjectured|
    inferred|deduced|extrapolated|infer|deduce|surmise|conclude(?:d)? from)
(?:i'm|i am|we're|we are)(?: just| simply)? (?:inferring|supposing|presuming|surmising|deducing|
    extrapolating|concluding|gathering from)
let's (?:just )?(?:say|suppose|assume|pretend)
no (?:\w+ ){1,4}(?:was|were|is|are|has been|have been|being|having been) (?:given|stated|named|
    specified|supplied|provided|indicated|mentioned)
with no (?:\w+ ){1,3}(?:given|stated|named|specified|supplied|provided|indicated|mentioned)
(?:wasn't|weren't|isn't|aren't|was not|were not|hasn't been|haven't been|never) (?:given|named|
    supplied|provided|indicated|mentioned|filled in)
# evidence at odds, or none
(?:say|says|said|shows?|reads?|gives?|lists?|states?|claims?|names?)\b[^.!?;:]{1,40} (?:but|while|
    whereas|yet) (?:\w+ ){1,5}(?:says?|shows?|reads?|gives?|lists?|states?|claims?|names?)
(?:has|have)\b[^.!?;:]{1,40} (?:but|while|whereas) (?:\w+ ){1,4}(?:has|have)
one (?:\w+ ){0,2}(?:says|shows|reads|gives|has|states|lists)\b[^.!?]{1,50}\bthe (?:next|other|
    second|third|last)(?: \w+){0,2} (?:says|shows|reads|gives|has|states|lists)
(?:opposite|different|opposing|conflicting|contrary) (?:directions|ways)
(?:both|two|three|four|several|all|multiple) (?:\w+ ){0,4}(?:claim|claims|claiming|purport|purports|
    profess) to be
(?:two|three|four|five|six|seven|eight|nine|ten|several|many|multiple|both|candidates|options)
    \b[^.!?]{0,60}\b(?:none|neither|no one)(?: \w+){0,4} (?:marked|flagged|labell?ed|tagged|listed|
    designated|identified|preferred|indicated|highlighted|active)
nothing (?:\w+ ){0,4}(?:show|say|tell|indicate|shows|says|tells|indicates) (?:\w+ )?(?:whether|
    if|which|who|what|where|when)
(?:no (?:hint|indication|sign|clue|mark)|(?:doesn't|does not|don't|do not) (?:show|indicate|reveal|
    tell)) (?:\w+ ){0,3}(?:whether|if|which|who)
(?:lists|names|gives|shows|mentions) (?:two|three|four|several|multiple|more than one|different)
     (?:\w+ )?(?:possibilit\w+|candidates|options|alternatives|names|people|approvers|addresses|
    accounts|dates|values|numbers|contacts|owners|codes|rates|prices|spellings|variants|persons|managers)
differ(?:s|ed)? (?:on|about|over|as to)
(?:barely|hardly|scarcely|only partly|partly|half|poorly|not very) (?:legible|readable|visible|
    decipherable|audible|intelligible)
# harm that may come
(?:could|might|may) (?:\w+ )?(?:end|wind) up \w+ing|(?:may|might) or (?:may|might) not
(?:could|may|might) (?:very )?well \w+
(?:could|might|may) (?:\w+ )?(?:void|waive|forfeit|breach|expose|double|duplicate|bounce|violate|
    invalidate|strand|overcharge)
(?:could|might|may) (?:create|trigger|cause|send|make|produce|book) (?:a|an|the)? ?(?:\w+ )?(?:
    second|duplicate|double|wrong|penalty|fee|charge)
"""
"""In words."""

_FIGURE = r"(?:0?\.[0-6]\d*(?:\D|\.\D|\.?\z)|[1-7]?\d ?(?:%|percent\b|per cent\b))"
_OF_TEN = r"[1-6](?: out of |/)(?:10|ten)\b"
_FEW = r"(?:low|lowish|weak|poor|limited|shaky|slim|thin|moderate)\b"
_ONLY = (
    r"(?: (?:is|was|at|of|only|just|about|around|roughly|a|rather|quite|fairly|very|merely|"
    r"barely)\b)*"
)
_ON = (
    r"(?: (?:in|on|of|for|about|that|score|level|rating|value|here|with|regarding)\b"
    r"[^.!?;:]{0,50}?)"
)
_MATCHES = (
    r"(?:scor(?:e|es|ed|ing)|similarity|match(?:er)?|classifier|probability|likelihood|"
    r"recognition|detector|ocr|fingerprint|face|voice|iris|signature)"
)

LOW_FIGURES = (
    rf"\b(?:confidence|certainty){_ON}?[:=,]?{_ONLY} (?:{_FIGURE}|{_OF_TEN}|{_FEW})",
    rf"\b{_MATCHES}\b[^.!?]{{0,40}}?[ :=(]{_FIGURE}",
    r"\b0?\.[1-7]\d* (?:probability|likelihood|chance|confidence)\b",
)
"""How sure something is, in figures: patterns as they stand, below eighty in a hundred."""
