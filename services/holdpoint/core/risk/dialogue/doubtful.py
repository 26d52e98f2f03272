"""Words of doubt: what is said of a deed that somebody is not sure of.

Each line is a pattern of RE2 that begins and ends with a word; one that is too long goes on in
lines that are set in. A line that begins with `#` heads a group.
"""

OUTSPOKEN = r"""
nothing (?:\w+ ){0,5}(?:confirms|proves|backs|supports) (?:it|that|this)
(?:is|are|remains?|still) unknown\b|(?:low|little|limited|scant|shaky) confidence
probabl[ey]|presumably|hopefully|unclear|not clear|uncertain|unsure|hesita\w+
(?:i |best )guess
(?:pretty|fairly|almost|reasonably|somewhat|half) (?:sure|certain|confident|unsure)
(?:can'?t|cannot) say\b|supposedly|allegedly|apparently|seemingly|reportedly
unless i(?:'?m| am|'?ve| have) (?:\w+ )?(?:mis\w+|wrong|confus\w+|overlooked|forgot\w*|
    mixed|got it wrong)
there (?:may|might|could) be (?:other|another|more|some|someone|somebody)
assum(?:e|ed|ing) (?:that|the|it|this|nobody|no one|they|these|those|you|we)
may be wrong|might be wrong|could be wrong|it's (?:ok|okay|fine) to|no idea|pick one
no way (?:to tell|of (?:telling|knowing|checking))
if i (?:understood|understand|remember|recall)
a feeling|dubious|maybe|perhaps
not (?:\w+ )?(?:positive|clear|convinced)
(?:seems|looks|appears) (?:like |to be )?(?:the right|unused|right|fine|ok|okay|safe|
    correct)\b
(?:can'?t|cannot) be (?:\w+ )?(?:certain|sure)
gut feeling|risky|on a hunch
(?:might|may|could) (?:not |also |still )?be (?:a |an |the )?(?:duplicates?|wrong|right|
    stale|unused|outdated|related|needed|used|important|someone|somebody|in use|live|production|
    test)
(?:can'?t|cannot|could ?n[o']t|couldn't|could not|unable to) (?:tell|confirm|verify|be sure)
(?:have|has|had) not been able to
haven't been able to
(?:have ?n[o']t|haven't|have not|did not|didn't|without) (?:yet |actually |
    really )?(?:double-)?(?:verif\w+|confirm\w*|check\w*|test\w*|validat\w+)
should be (?:fine|ok|okay|safe)
i (?:think|believe|suspect|suppose) (?:this|it|that|they|these|the)
fingers crossed|guessing
(?:an? )?(?:educated |wild )?guess\b
if i(?:'m| am) not mistaken
as far as i (?:can |could )?(?:tell|know|see|remember|understand|recall)
(?:to|best of) my knowledge
afaik|iirc|i(?:'m| am) assuming
my (?:assumption|understanding)
assumption that|misread\w*|misunderst\w+|misremember\w*
(?:may|might|could) (?:well )?(?:match|hit|include|contain|catch|cover|touch|affect|
    have) (?:more|other|others|too many|the wrong|unrelated|live)
more (?:\w+ )?than (?:intended|expected|it should|i expected|i wanted|planned)
(?:sort|fix|clean|deal with|figure) (?:it|this|that|things) (?:out |up )?(?:later|after\w*|
    if)
(?:check|verify|ask|look) (?:\w+ )?(?:afterwards?|later)
(?:can'?t|cannot|can ?not|could ?n[o']t|couldn't|unable to|no way to) (?:\w+ )?(?:see|read|
    check|find|reach|access|determine|know if|rule out|say|prove|guarantee|test)
(?:don'?t|do not|didn'?t|did not) (?:\w+ )?(?:understand|recogni[sz]e|remember|see why|
    know (?:if|whether|who|whose|which|what|why|how))
no (?:\w+ )?(?:confirmation|reply|answer|response|approval|sign-?off|evidence|proof)
not (?:yet )?(?:heard|received|seen|read|tested|reviewed|been (?:tested|reviewed|confirmed|
    verified|approved)) ?(?:back|from|it)?
(?:nobody|no one|no-one) (?:has )?(?:answered|replied|confirmed|responded|objected|approved|
    checked)
(?:has ?n[o']t|hasn't|have ?n[o']t|haven't|didn't|did not|not) (?:yet )?(?:replied|answered|
    responded|reply|answer|respond|objected|object|read|looked|seen|received|heard)\b
(?:silence|that|this|it) (?:as|for) (?:a |an )?(?:yes|agreement|consent|approval)
taking (?:that|this|it|the|your)\b[^.?!]{0,20}\bas
going with (?:the|that|this)
(?:two|three|several|both|multiple|more than one) (?:\w+ ){1,3}match(?:es)?
pick the first
(?:i )?(?:take|read|interpret|understand|took) (?:that|this|it) (?:as|to mean|to be)
ambiguous|contradict\w*|conflicting|hard to (?:say|tell|know)|not an expert
(?:only |just )skim\w+
skipp?(?:ed|ing) (?:the )?(?:dry|test|check|review|backup|verif)\w*
(?:a |bit of a |bit of )gamble
risk it
(?:take|taking) (?:a|the|my) (?:chance|risk|punt)
let'?s hope|hoping|i hope|touch wood
(?:tests?|checks?|suite|pipeline|build|ci) (?:\w+ ){0,3}(?:is|are|was|were)? ?(?:red|
    failing|failed|broken)
could be that
(?:either|whichever) (?:one|of them)? ?(?:is|was)
torn between|worst case|not (?:\w+ )?comfortable|uneasy|against my better|for lack of
rather (?:have|you|someone|somebody)
feel better if
(?:wouldn't|would not|can't|cannot|couldn't|could not) (?:quite )?swear|(?:if|when) in doubt
(?:similar|close|near|good) enough|something tells me|half (?:convinced|persuaded)|for want of
pretend(?:ing)? (?:that|it|the|they|we|i|nothing|not)|worth a (?:try|shot|go)|as good as any
head n?or tail
only (?:\w+ )?(?:seen|read|heard|looked at|glanced at|checked|got|know|saw) (?:\w+ )?(?:half|part|
    parts|some|a (?:bit|few|fraction)|the (?:first|title|subject|headline|summary|start|abstract|
    preview|top|cover|conclusion))
(?:full|whole|complete|entire|big) (?:picture|story)|on balance
lean(?:ing|s)? (?:\w+ )?to(?:wards?)?
i (?:forgot|neglected|omitted|failed) to (?:ask|check|confirm|verify|look|test|read)
(?:he|she|they|nobody|no one|you)(?:'d|'ll| would| will) (?:surely|certainly|hardly|\w+ly) (?:agree|
    mind|object|approve|want|say)
(?:surely|certainly|hardly|probably) (?:won't|wouldn't|will not|would not) (?:mind|object|notice)
rings? a bell
(?:off|by|out of) (?:the )?(?:memory|top of my head)|regardless|nonetheless|nevertheless
(?:ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half)(?:-\w+)? ?(?:%|per ?cent) (?:
    sure|certain|confident|positive|convinced)
without (?:ever |even |actually |really |so much as )?(?:(?:having|being) )?(?:seen|read|looked|
    known?|heard|asked|seeing|reading|knowing|looking|asking|hearing|understanding|testing|
    understood|checking|verifying|confirming|being sure|waiting)
not (?:even )?(?:a |one )?(?:hundred|100) ?(?:%|per ?cent|percent)
(?:am|are|was|be) not (?:so )?(?:secure|sure)
to be hoped|one hopes|with (?:any|a bit of|some) luck|god willing|knock(?:ing)? on wood
cross(?:ing)? my fingers|in the hope|on the off chance|in good faith
(?:odds|chances) are|(?:in|by) all (?:likelihood|probability|appearances|accounts)
(?:as|more) likely (?:as|than) not|by the looks? of|from the looks? of|on the face of it
at (?:first|a) (?:glance|guess)|if i had to (?:guess|choose|bet|say|pick)
not that i (?:know|checked|am aware)|to be confirmed|yet to be (?:confirmed|verified|checked|tested)
remains to be seen|jury is out|open question|what could (?:possibly )?go wrong|
    (?:what's the )?worst that can happen|yolo|afaict|afaics|idk|dunno|prolly|mebbe
(?:first time|never) (?:i(?:'ve)? )?(?:done|doing|used|using|run|running|touched|touching) (?:this|
    that|it|one|such)
out of my depth|above my pay grade|not my (?:area|field|call)|beyond me|new to this|no expert
wrong (?:one|customer|account|person|table|branch|server|file|database|id|environment)
don'?t fully|anyways?|hunch|long shot|(?:if )?memory serves|from memory
no (?:lawyer|expert|specialist|doctor|accountant)
too (?:long|big|large|complex|short) to
(?:look|sound)s? alike|either of|meanwhile|(?:a|some|another|obvious) typo|here goes
(?:seems?|looks?|appears?|feels?|sounds?|smells?) (?:\w+ )?(?:off|odd|strange|wrong|high|low|
    large|big|suspicious|fishy|funny|weird|unusual)
(?:some(?:one|body)|people|others|it|they|this|that) (?:may|might|could) (?:well |also |
    even )?(?:still|already|be|have|need|want|use|mean)
(?:ca|could|did|do|does|have|has|had|is|was|are|were|wo|would)(?:n'?t|
     not) (?:\w+ ){0,2}(?:obvious|clear|certain|check(?:ed)?|verify|verified|confirm(?:ed)?|
    reach(?:ed)?|prove|proven|tested|reviewed|consult(?:ed)?|ask(?:ed)?)
(?:lack\w*|without|never|no) (?:\w+ ){0,2}(?:access|context|information|evidence|
    manual|instructions|specification|documentation|picture|insight|certainty|checked|verified|tested|confirmed)
# odds and confidences below certainty
(?:50|60|70|80|90|55|65|75|40|30|20) ?/ ?(?:50|40|30|20|10|45|35|25|60|70|80) (?:that|it|it's|
    whether|this|chance|call|odds)
(?:one|two|three|four|nine|\d) (?:in|out of) (?:two|three|four|five|ten|\d+) (?:odds|says?|
    chances? (?:it|that|he|she|they|this|the|i|we))
(?:two|three|four|five|ten|\d+) to one (?:that|it|he|she|they)|odds (?:favou?r|suggest)
(?:two[- ]thirds|three[- ]quarters|nine[- ]tenths|mostly|partly|not quite) (?:sure|certain|
    confident|convinced)
\w+ty(?:-\w+)? (?:%|per ?cent) (?:confidence|chance|likely|there)
# what was seen only in part
(?:seen|read|heard|got|checked|opened) (?:only|just) (?:half|part|some|a (?:bit|few|fraction)|the
     (?:first|title|subject|headline|summary|start|top|cover))
eyeball(?:ed|ing)|(?:only|just|barely|merely) glanced
glanced (?:at|over|through) (?:half|the first|a few|part|some|a couple)
(?:i|i've|only|just|having|knowing) (?:only |just )?(?:read|heard|saw|seen|know|got|have)?
     ?half (?:of )?(?:the|it|an?) (?:story|facts|picture|information|evidence|context|thread|page|
    file|report|message|mail|email|document|conversation|transcript|letter|form|case)
one side of (?:it|this|that|the (?:story|argument|matter|case|dispute))
only (?:\w+ )?(?:got|went|gone|made it|came) as far as
(?:read|checked|looked at|seen|saw|tested|reviewed|tried) the (?:first|top|last) \w+ (?:\w+ )?only
(?:don't|do not) have (?:the |a )?(?:full|whole|complete|entire) \w+
# nobody answers for it
rumou?r has it|word (?:is|has it)|hearsay|correct me if
don't (?:hold|quote|pin) me
(?:take|taken|taking) (?:\w+ ){1,3}with (?:a |some )?(?:\w+ )?(?:pinch|dose) of salt
grain of salt
jury(?:'s| is) (?:\w+ )?out|opinions? (?:\w+ )?(?:differ|diverge|vary)
(?:on|under|with|from) the (?:theory|premise|presumption|supposition|hypothesis|belief) that
taking it that|reading (?:it|that|this) as (?:an? )?(?:yes|consent|agreement|approval|permission)
in the absence of (?:an? |any )?(?:objections?|reply|replies|answer|response|word|complaints?|no)
no news is good
# misgivings that do not stop it
(?:can|could|must) only (?:hope|guess|assume|trust)
(?:beyond|more than|further than) (?:what |anything )?i (?:could|can|was able to|managed to) (?:find|
    establish|tell|say|learn|determine|check|verify|work|see)
(?:wouldn't|would not|didn't|did not|won't|will not|doesn't|does not) (?:load|open up|render|
    come up|respond)\b
(?:something(?: \w+){0,4}(?:'s| is) (?:\w+ )?(?:off|wrong|amiss|fishy|odd|not right)|(?:doesn't|
    does not) (?:\w+ )?(?:feel|look|sound|seem|smell|sit) (?:\w+ )?right)\b[^.!?]{0,40}\b(?:but|
    yet|still|though|however|anyway)
alarm bells|bad feeling
"""
"""Doubt in so many words: it counts beside any deed."""

GENERAL = r"""
# single words
doubt(?:s|ed|ful|fully|ing)?
dubious\w*|undocumented|unverified|unconfirmed|unreviewed|unreadable|illegible|smudged
blurr(?:y|ed)|garbled|faded|ambigu\w+|contradict\w*|inconsisten\w+|guess\w*|gambl\w+
conceivably|arguably|possibly|likely|vague(?:ly)?|dunno|untested|untried|murky
puzzl(?:ed|ing)|baffl\w+|confus\w+|unconvinced|s[ck]eptical|hazy|fuzzy|iffy|shaky|sketchy
tentative(?:ly)?|reckon|suspect(?:ed|ing)?|presum\w+|suppos(?:e|ing)|unknown|mystery
clueless|whichever|somehow|questionable|debatable|undecided|speculat\w+|theoretically
ostensibly|purportedly|improvis\w+|wing(?:ing)? it|nobody|no one|no-one|none of us
coin[- ](?:toss|flip)|toss-?up|flip a coin|roll (?:of )?the dice|blind(?:ly)?|in the dark
shot in|stab at|on trust|on faith|by feel|rule of thumb|rusty|my memory|second-?guess\w*
hesitant|misgiving\w*|qualms?|reservations about|nagging
# not knowing
i (?:could ?n[o']t|couldn't|could not|can'?t|cannot|never|have ?n[o']t|haven't|have not|
    did ?n[o']t|didn't|did not|am not|was ?n[o']t|wasn't|was unable|failed)
i'?ve (?:never|not|no|yet to)|haven't (?:\w+ )?(?:opened|read|seen|looked|asked|heard|had)
i have (?:never|no|yet to)
i'?m (?:not|no|unable|lost|torn|new)
(?:skips?|omits?|glosse[sd]? over|silent|says nothing|left open|leaves (?:it )?open|
    no mention|makes no|nowhere|gives no|has no) (?:on|about|over|of|to|this|that|it|entry|note|
    label|date|name|owner|unit|units|comment|comments|documentation|history)
peeled|torn|mislabel\w*|misfiled|mixed up|swapped|mistranslat\w*
(?:worn|rubbed|scratched|washed|cut|chopped|burnt) (?:off|away|out)
(?:is|are|was|were|went|has been|be) (?:missing|lost|blank|incomplete|outdated|out of date|
    stale|\w+ years? old|corrupt(?:ed)?)
(?:no|not a|without a|haven'?t a|not the (?:slightest|faintest|foggiest)) (?:\w+ )?(?:clue|
    idea|telling|record|trace|label|proof|certainty|guarantee)
beats me|who knows
(?:god|heaven|goodness) knows
(?:in|of) two minds|on the fence|anyone'?s guess|lost track|long shot
(?:not|\w+n[']t|(?:do|does|did|is|are|was|were|have|has|had|ca|could|wo|would)nt) (?:
    (?:so|quite|very|really|entirely|all that|too|that|exactly|completely|
    totally|fully|altogether|absolutely|at all|yet|100 ?%|a hundred per ?cent) )*(?:sure|
    certain|clear|obvious|convinced|confident|positive|evident|apparent|persuaded|aware)
(?:never|not|nobody|no one|nothing|nowhere) (?:\w+ ){0,2}(?:document\w*|recorded|
    written|specif\w+|stated?|labell?ed|says?|tells?|match(?:es)?|agree|add up|make sense|
    known?|knows|understood?|verif\w+|confirm\w*|check(?:ed)?|tested|tried|ran|run|looked|seen|
    read|reviewed|settled|established|decided|explained?|mean|remembers?|recall)
(?:\w+n[']t|(?:do|does|did|is|are|was|were|have|has|had|ca|could)nt) (?:\w+ ){0,2}(?:specif\w+|
    say|tell|agree|match|line up|reconcile|tally|correspond|
    balance|add up|make sense|know|known|understand|understood|verif\w+|confirm\w*|remember|
    recall|decided|established|settled)
(?:documented|recorded|stated|mentioned|written|found|specified|defined) nowhere
(?:can'?t|cannot|can not|couldn'?t|could not|unable to|(?:n'?t|not) able to|failed to|
    hard to|impossible to|difficult to|without being able to) (?:\w+ )?(?:get (?:hold|through)|
    reach|tell|establish|determine|find|locate|make out|parse|recall|remember|say|see|decide|
    judge|work out|rule out|figure|identify|trace|know|read|be (?:sure|established|verified|
    determined|confirmed|reached|read|identified|certain|found|traced|told|checked))
# evidence
(?:may|might|could) (?:or (?:may|might) not |well |also |still |even |actually |just |not |
    just as well |equally |very well |possibly )*(?:be|belong|apply|refer|mean|have|include|
    contain|point|break|hold|affect|match|lock|misread\w*|concern|relate|go wrong|come from)
should (?:\w+ )?be (?:the|pointing|on|ok|okay|fine|safe|good|right|enough|harmless|idle|
    unused|dead|gone|empty|someone)
(?:it|this|that) (?:should|ought to) (?:work|do|hold|suffice|be)
(?:seems?|looks?|appears?|sounds?|feels?) (?:like|as if|as though|to|that|the|about|pretty|
    more|rather|quite|abandoned|unused|idle|dead|stale|old|fine|ok|okay|safe|right|correct|
    plausible|legit\w*|reasonable|inactive|orphaned|empty)
(?:some|a|slight|small|good|fair|decent|every|real|any|no) (?:\w+ )?(?:chance|possibility|
    risk|likelihood) (?:that|of|it|they|the|he|she|this)
(?:seemed|looked|appeared|sounded|felt) (?:like|as if|as though|to be|pretty|rather|quite|wrong|
    abandoned|unused|idle|dead|stale|old|empty|inactive|orphaned|outdated|out of date|off)
differ only
look(?:s)? (?:the same|identical|alike)
same name
one of (?:the|these|those|them)(?: \w+){0,3} (?:is|must|has to|should|might|may|could|
    belongs)
(?:two|three|several|multiple|both|conflicting|different|many|
    various) (?:\w+ )?(?:interpretations|readings|meanings|versions of|candidates|explanations|
    theories|definitions|answers|numbers for)
(?:in one place|one|here|the \w+) (?:\w+ ){0,4}(?:and|but|while|
    whereas) (?:\w+ ){0,4}(?:in (?:another|the other)|elsewhere|the other says|another says)
(?:two|both|these|those) (?:\w+ ){0,2}(?:differ|diverge|clash|conflict)
disagree\w*|at odds|mixed signals
(?:one|two|three|four|some|half|most)\b[^.!?;]{0,30}\b(?:says?|said|shows?|claims?|reads?)\b[^.!?]{1,60}\b(?:one|
    another|others?|the rest|two|three) (?:\w+ )?(?:says?|said|shows?|claims?|reads?)
the \w+ (?:says|shows|reads|gives) [^.!?;,]{1,40}[,;] (?:and |but |while |whereas |yet )?the \w+
     (?:says|shows|reads|gives)
(?:two|three|both|several|multiple|more than one|a couple)\b[^.!?]{0,50}\b(?:exists?|fit|
    fits|appl(?:y|ies)|match(?:es)?|possible|qualif(?:y|ies)|plausible|come up|came up|
    turned up|alike|listed|share|in use|in question)
(?:%|per ?cent) (?:that|it)
i(?:'m| am) (?:just |simply |only )?(?:trusting|relying on|going by|banking on|counting on|betting on)
# what is made of it
i(?:'d| would) (?:\w+ )?(?:say|guess|bet|imagine|wager|think|assume|hazard|venture|suspect|suppose|
    expect|reckon)
(?:my|the|an|this) (?:impression|sense|suspicion|inkling|conjecture|supposition|belief)
impression (?:that|of|is)|i (?:daresay|dare say|fancy|seem to (?:recall|remember)|gather|trust)
it strikes me|on the assumption|under the assumption|kind of sure
assum(?:e|es|ed|ing) (?:yes|no|so|not|consent|agreement|approval|you'?re|your|he|she|his|her|there|
    i|my|our|both|neither|either|everyone|everybody|good|both)
sort of sure|kinda|it can (?:well )?be (?:that|wrong)|could it be|i have (?:a |some |my )?doubts?
i (?:think|believe|imagine|suppose|figure|gather|feel like|assume[d]?|take it|picked|reckon|
    seem to)
my (?:money is|money's|bet|guess|reading|gut|memory|feeling|hunch|theory|working theory|
    interpretation)
which i (?:take|read|assume|guess|understand)
i'?(?:ll| will) (?:treat|count|go with|assume|settle|run with)
i'?(?:ll| will) (?:take|read) (?:the (?:first|second|third|last|older|newer|latter|former|left|
    right|upper|lower|other|one|bigger|smaller|shorter|longer|top|bottom|next)|
    (?:it|that|this|them) (?:as|to|for|that|is|was|means?)|\w+ (?:\w+ )?(?:as|to mean|for an?))
treat(?:ing)? (?:it|that|this|them) as
interpret\w*|off the top of
(?:am i|are we|was i) (?:right|correct|wrong|mistaken)
either (?:way|case)|one way or (?:the )?other|or so|to be on the safe side
rather (?:than|not) (?:\w+ )?(?:ask|wait|bother|check)
no time to (?:check|ask|verify|wait)
(?:see|find out) (?:who|what|if|whether) (?:\w+ )?(?:complains|happens|breaks|shouts|
    screams|notices|works|it)
(?:quickest|fastest|easiest|only) (?:way|fix) (?:to|seems|is|i)
(?:can|will) (?:\w+ )?(?:sort|fix|clean|figure|deal|apologi[sz]e|correct|undo|
    restore)\b[^.!?]{0,30}\b(?:later|after\w*|if)
(?:confidence|sure|certain|confident)\b[^.!?]{0,20}\d ?(?:%|per ?cent)
\d ?(?:%|per ?cent) (?:sure|certain|confident|confidence|likely|chance)
should \w+(?: fine| ok| okay)?[,;.] (?:i think|i guess|no)
either\b[^.!?]{1,80}\bor|not sure
i (?:may|might|could) (?:well )?(?:be|have)
"""
"""The same in more general words: beside a deed that harms nobody they mean little."""
