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
(?:beyond|more than|further than) (?:what |anything )?i (?:could|can|was able to|managed to) (?:
    find|establish|tell|say|learn|determine|check|verify|work|see)
(?:something(?: \w+){0,4}(?:'s| is) (?:\w+ )?(?:off|wrong|amiss|fishy|odd|not right)|(?:doesn't|
    does not) (?:\w+ )?(?:feel|look|sound|seem|smell|sit) (?:\w+ )?right)\b[^.!?]{0,40}\b(?:but|
    yet|still|though|however|anyway)
alarm bells|bad feeling
"""
"""Doubt in so many words: it counts beside any deed."""
