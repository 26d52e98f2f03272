"""More words of doubt, which count only where nothing harmless explains them.

Each line is a pattern, as in `doubtful`.
"""

GENERAL = r"""
# single words
doubt(?:s|ed|ful|fully|ing)?
dubious\w*|undocumented|unverified|unconfirmed|unreviewed|unreadable|illegible|smudged
blurr(?:y|ed)|garbled|faded|ambigu\w+|contradict\w*|inconsisten\w+|guess\w*|gambl\w+
conceivably|arguably|possibly|likely|vague(?:ly)?|dunno|untested|untried|murky
puzzl(?:ed|ing)|baffl\w+|confus\w+|unconvinced|s[ck]eptical|hazy|fuzzy|iffy|shaky|sketchy
tentative(?:ly)?|reckon|suspect(?:ed|ing)?|presum\w+|suppos(?:e|ing)|unknown|mystery
wonder(?:s|ing|ed)? (?:\w+ )?(?:between|whether|which|if|who|what)|torn between
clueless|whichever|somehow|questionable|debatable|undecided|speculat\w+|theoretically
ostensibly|purportedly|improvis\w+|wing(?:ing)? it|none of us
(?:nobody|no one|no-one) (?:\w+ ){0,4}(?:told|asked|check\w*|review\w*|approv\w*|confirm\w*|signed|
    agree\w*|answer\w*|repl\w+|respond\w*|object\w*|verif\w*|authori[sz]\w*|picked up)
(?:nobody|no one|no-one) (?:\w+ ){0,2}(?:knows?|knew|sa(?:ys|id)|sure|vouch\w*|owns|test\w*|certain|
    mind\w*|notic\w*|complain\w*|in particular|around|here|else|left|recalls?|remembers?|documented|
    looked|seems|will (?:be able|ever)|is (?:on|in))
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
(?:\w+n[']t|is not|was not) (?:\w+ )?(?:stated|written|recorded|documented|marked|dated|listed|
    said) anywhere
(?:documented|recorded|stated|mentioned|written|found|specified|defined) nowhere
(?:can'?t|cannot|can not|couldn'?t|could not|unable to|(?:n'?t|not) able to|failed to|
    hard to|impossible to|difficult to|without being able to) (?:\w+ )?(?:get (?:hold|through)|
    reach|tell|establish|determine|find|locate|make out|parse|recall|remember|say|see|decide|
    judge|work out|rule out|figure|identify|trace|know|read|be (?:sure|established|verified|
    determined|confirmed|reached|read|identified|certain|found|traced|told|checked))
lost track of|(?:has|have)(?:n't| not) been told|fuzzy (?:on|about)|no guarantees?
not (?:stated|specified|documented|established)|makes me think|more of a guess
off by (?:a factor|one|an order)
# evidence
went (?:with|by|off|on) (?:the|last|an?|my|whatever|what)
(?:\w+n[']t|(?:do|does|did)nt|does not|do not|did not) (?:\w+ )?(?:mention|explain|say)
\w+n[']t able to (?:\w+ )?(?:get (?:hold|through)|reach|find|establish|determine|read|see|ask)
nothing (?:in|on|about|at) (?:\w+ ){1,4}(?:says?|tells?|states?|shows?|explains?|confirms?|names?|
    mentions?)
according to (?:one|some)\b[^.!?]{1,80}\baccording to (?:another|others|the other)
as i (?:remember|recall|understand)
mismatch\w*|discrepanc(?:y|ies)|half[- ]remember\w*|heard (?:nothing|no more)
(?:two|three|several|both) (?:\w+ ){1,2}(?:of|by|with) (?:that|the same|this) (?:name|title|number|
    address)
(?:work|working|going|acting) (?:off|from|by|on) (?:a |an |the |my )?(?:\w+ )?(?:screenshot|photo|
    copy|memory|draft|summary|snippet|hearsay|rumou?r|guess|subject line|headline|preview|fragment)
(?:an?|the) (?:undated|unsigned|unlabell?ed|unmarked|uncertified|partial|incomplete|truncated) (?:
    \w+ )?(?:copy|version|scan|draft|form|mandate|order|note|page|invoice|contract|prescription|
    label)
(?:in|at|on|give|gives|show|shows) (?:\w+ ){0,2}different (?:places|dates|figures|numbers|amounts|
    names|values|addresses|spots|sums|accounts)
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
    turned up|alike|(?:is|are|was|were) (?:\w+ )?listed|share|in use|in question)
(?:%|per ?cent) (?:that|it)
i(?:'m| am) (?:just |simply |only )?(?:trusting|relying on|going by|banking on|counting on|
    betting on)
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
i'?(?:ll| will) (?:treat|count) [^.!?;]{1,40} as (?:an? |if |the )?(?:yes|no|approv\w+|confirm\w*|
    consent\w*|permission|agreement|done|paid|final|good|ok\w*|zero|nothing|valid|closed|it)
i'?(?:ll| will) assume (?:that|it|this|you|he|she|they|we|there|nobody|everyone|everybody|yes|no|so)
i'?(?:ll| will) (?:go|run|settle) (?:with|for|on) (?:it|that|this|one|whichever|what|the
    (?:\w+ )?(?:one|likel\w+|closest|nearest|obvious|usual|default|first match))
(?:can'?t|cannot|can not|couldn'?t) vouch|six of one
(?:would|might|may|could) be (?:safer|better|wiser|smarter|best|wise) to (?:ask|check|wait|verify|
    confirm|test)\b[^.!?]{0,40}\bbut
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
