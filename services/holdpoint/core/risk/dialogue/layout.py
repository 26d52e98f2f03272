"""What only lays a text out is no part of what it says: tags, emphasis, gaps, broken lines."""

import re
from itertools import pairwise

import msgspec

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.text import Folded

_tag = re.compile(
    r"</?(?:p|b|i|u|em|strong|br|hr|div|span|li|ul|ol|h[1-6]|blockquote|td|tr|code|pre)"
    r"(?:\s+[\w:-]{1,30}\s*=[^<>\n]{0,80}|\s*)/?>"
)
_emphasis = re.compile(r"(?<!\w)_(?=\w)|(?<=[\w.!?])_(?!\w)")
_run = re.compile(r"[ \t\xa0]{2,}|[\t\xa0]")
_GAPS = ("  ", "\t", "\xa0")
"""One of these is in each run."""

_broken = re.compile(
    r"(?<=[^\W_])([,'\"]{0,2})\n(?=[a-z0-9$€£'\"(/~]|-\w{1,4}(?:\s|\Z))(?!\d{1,3}[.)]\s)"
)


def spoken(text: Folded) -> Folded:
    """The text with a blank for each tag, sign of emphasis, and run of blanks."""
    text = closed_words(text)
    plain = _unmarked(_undressed(_simply_marked(_unwrapped(text.folded))))
    if ".." in plain and len(plain) == len(text.nfkc):
        plain = _pause.sub(lambda found: _paused(found, text.nfkc), plain)
    if not any(map(plain.__contains__, _GAPS)):
        return text if plain == text.folded else msgspec.structs.replace(text, folded=plain)
    runs = [(0, 0), *((one.start(), one.end()) for one in _run.finditer(plain))]
    return closed_words(_closed_up(text, plain, runs))


def _unmarked(plain: str) -> str:
    """Without tags and emphasis; what is asked in brackets stands by itself."""
    if "<" in plain:
        plain = _tag.sub(lambda found: " " * len(found[0]), plain)
    if "\u00d7" in plain:
        plain = plain.replace("\u00d7", "x")
    if "**" in plain:
        plain = _bold.sub("  ", plain)
    if "_" in plain:
        plain = _emphasis.sub(" ", plain)
    if "?)" in plain:
        plain = _aside.sub(r"; \1 ", plain)
    if "&" in plain:
        plain = _blank.sub(lambda found: " " * len(found[0]), plain)
    return plain


def _simply_marked(text: str) -> str:
    """What stands in rows of marks, or escaped ones, is quoted as in single ones."""
    return _marks.sub(_as_one, text) if any(map(text.__contains__, _ROWS)) else text


def _as_one(found: re.Match[str]) -> str:
    """A row of quotation marks as one, beside what is quoted."""
    mark, size = found[0][-1], len(found[0])
    opens = found.string[found.end() : found.end() + 1].isalnum()
    return mark.rjust(size) if opens else mark.ljust(size)


_ROWS = ('""', "''", '\\"')
_marks = re.compile(r"\\+\"|\"{2,}|'{2,}")
_bold = re.compile(r"\*\*(?!\w)|(?<!\w)\*\*")
_aside = re.compile(r" \(([^()\n]{2,300}\?)\)(?=[.!;]?[ \t]*(?:\n|\Z))")
"""A question in brackets at the end of a line is a sentence by itself."""

_blank = re.compile(r"&(?:nbsp|ensp|emsp|thinsp|#160|#32|#xa0|#x20);")
_pause = re.compile(r"(?<=\w)\.{2,}[ ]+(?=[\w$€£(])")


def _paused(found: re.Match[str], written: str) -> str:
    """`I will... delete it`: where no capital follows, no sentence has ended."""
    return found[0] if written[found.end()].isupper() else " " * len(found[0])


def _undressed(text: str) -> str:
    """Blanks for what stands around the whole of it: marks, a bullet, a remark such as `So,`.

    What stands between marks as a whole is what somebody says, and quotes nobody.
    """
    if "," in text[:MAX_REMARK] and (remark := _remark.match(text)):
        text = " " * remark.end() + text[remark.end() :]
    if text.lstrip(" ")[:1] not in _DRESSES:
        return text
    bullet = _bullet.match(text)
    if bullet:
        text = bullet[0].replace(bullet[1], " " * len(bullet[1])) + text[bullet.end() :]
    for opens, closes in _AROUND:
        said = text.strip()
        inner = said[len(opens) : -len(closes)]
        if said.startswith(opens) and said.endswith(closes) and not _again(inner, opens, closes):
            start = len(text) - len(text.lstrip())
            blank, gone = " " * len(opens), " " * len(closes)
            rest = text[start + len(said) :]
            text = f"{text[:start]}{blank}{inner}{gone}{rest}"
    return text


def _again(inner: str, opens: str, closes: str) -> bool:
    """Whether the marks stand inside it too; an apostrophe in a word is none."""
    if opens == "'":
        return not inner or _single.search(inner) is not None
    if opens == '"':
        return not inner or _paired.fullmatch(inner) is None
    return not inner or opens in inner or closes in inner


_AROUND = (("**", "**"), ("__", "__"), ('"', '"'), ("'", "'"), ("`", "`"), ("\u201c", "\u201d"))
_DRESSES = frozenset("\"'`*_>#-+\u201c")
_bullet = re.compile(r"([>#]+|[-*+])[ \t]+(?=[\w\"'*\u201c])")
_single = re.compile(r"(?<!\w)'|(?<!s)'(?!\w)")
_paired = re.compile(r'[^"]*(?:(?<=[\s(])"[^"]*"(?!\w)[^"]*)*')
"""Quotations inside, each of them whole."""

MAX_REMARK = 40
_remark = re.compile(
    r"(?:(?:just )?(?:so|as) you (?:know|can see|see|said|asked|wanted|wished|requested)|"
    r"(?:since|because) you asked|before you ask|if you (?:must know|ask me)|when you read this|"
    r"as (?:planned|agreed|promised|discussed|requested|instructed|usual|always)|thank you|thanks|"
    r"so|yes|ok|okay|sure|right|well|great|good|alright|no problem|of course|certainly|hi|hello)"
    r"(?: [a-z]+)?, +"
)
"""What somebody says before what they have to say."""


def _unwrapped(text: str) -> str:
    """What the texts of a JSON object say, where they stand, each by itself."""
    held = _wrapped.fullmatch(text) if text[:1] == "{" else None
    if held is None:
        return text
    start, end = held.span(1)
    said = held[1].replace("\\n", "  ").replace('\\"', ' "')
    before = _key.sub(lambda found: (";" if found[1] else "").ljust(len(found[0])), text[:start])
    return f"{before}{said}{' ' * (len(text) - end)}"


_key = re.compile(r'("?)\s*[{,]\s*"[\w-]{1,40}"\s*:\s*"')


_wrapped = re.compile(
    r'\{(?:\s*"[\w-]{1,40}"\s*:\s*"[^"\\]{0,80}"\s*,){0,8}\s*"[\w-]{1,40}"\s*:\s*"(.*)"\s*\}\s*',
    re.DOTALL,
)


def _closed_up(text: Folded, plain: str, runs: list[tuple[int, int]]) -> Folded:
    """Each run as one blank; places are kept."""
    kept: list[int] = []
    for (_, start), (end, _) in pairwise([*runs, (len(plain), len(plain))]):
        kept.extend(range(start, end + 1) if end < len(plain) else range(start, end))
    origin = text.origin
    blank = plain.translate(_BLANK)
    return msgspec.structs.replace(
        text,
        folded="".join(map(blank.__getitem__, kept)),
        origin=tuple(kept) if origin is None else tuple(origin[at] for at in kept),
    )


_BLANK = str.maketrans("\t\xa0", "  ")
_SCATTERED = 4
"""Ends of lines, at least, of a text that has hardly a blank: a word on each line is no list."""


def flowing(text: Folded) -> Folded:
    """The text with a blank where a line only goes on in the next: not in a list, in lower case."""
    if "\n" not in text.folded:
        return text
    lines = text.folded.count("\n")
    if lines >= _SCATTERED and lines > 2 * text.folded.count(" "):
        return msgspec.structs.replace(text, folded=text.folded.replace("\n", " "))
    shouts = text.nfkc.isupper()
    joined = _broken.sub(
        lambda found: f"{found[1]} " if shouts or _goes_on(text, found.end()) else found[0],
        text.folded,
    )
    return msgspec.structs.replace(text, folded=joined)


_break = re.compile(
    r"(?<![.!?;\s])(?<![.!?;][\"')\]])(?P<hyphen>(?<=[^\W\d_])-)?"
    r"[ ]*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*"
    r"(?:(?:[-*+•>]|\d{1,2}[.)])\s+)*(?=\S)"
)
"""An end of a line that ends no sentence, with the bullets before what follows."""

_first_letters = re.compile(r"[^\W\d_]*")
_last_letters = re.compile(r"[^\W\d_]*\Z")


def unbroken(text: Folded) -> Folded | None:
    """The text with a blank for each line break and bullet inside of a sentence, if it has any.

    None for a break behind a hyphen, and no hyphen where a verb was parted.
    """
    folded = text.folded
    found = [*_break.finditer(folded)] if len(folded.splitlines()) > 1 else []
    if not found:
        return None
    gaps = {at for one in found for at in _dropped(one, folded)}
    plain = _break.sub(lambda one: (one["hyphen"] or "") + " " * _blanks(one), folded)
    return closed_words(without(text, plain, gaps))


def _blanks(found: re.Match[str]) -> int:
    return len(found[0]) - len(found["hyphen"] or "")


def _dropped(found: re.Match[str], folded: str) -> range:
    """All but one blank; behind a hyphen all, with the hyphen where it only parts a verb."""
    start, end = found.span()
    if not found["hyphen"]:
        return range(start + 1, end)
    before = _last_letters.search(folded[max(0, start - _LONGEST) : start])
    after = _first_letters.match(folded, end)
    verb = f"{before[0] if before else ''}{after[0] if after else ''}"
    return range(start + (verb not in SPOKEN), end)


_LONGEST = 20
"""Letters of a verb, at most."""


def _goes_on(text: Folded, place: int) -> bool:
    return not text.nfkc[text.span(place, place + 1)[0]].isupper()


_LEAST_LETTERS = 4
"""Letters of a word that is read through its gaps."""

_MOST_LETTERS = max(map(len, SPOKEN))

_spaced_out = shared(r"\b[a-z][ .*_-][a-z][ .*_-][a-z][ .*_-][a-z](?:\b|_)")
_spaced_letters = re.compile(r"(?<![^\W_])[a-z]([ .*_-])[a-z](?:\1[a-z]){2,}(?![^\W_])")


def closed_words(text: Folded) -> Folded:
    """The text with its spelled-out verbs as words; places are kept."""
    folded = text.folded
    if not _spaced_out(folded):
        return text
    gaps = {at for found in _spaced_letters.finditer(folded) for at in _gaps_to_close(found)}
    if not gaps:
        return text
    return without(text, folded, gaps)


def without(text: Folded, folded: str, gaps: set[int]) -> Folded:
    """The text in these letters, as many as it has, without those at these places."""
    kept = [at for at in range(len(folded)) if at not in gaps]
    origin = text.origin
    return msgspec.structs.replace(
        text,
        folded="".join(folded[at] for at in kept),
        origin=tuple(kept) if origin is None else tuple(origin[at] for at in kept),
    )


def _gaps_to_close(found: re.Match[str]) -> list[int]:
    """The gaps to close: all but the one behind the verb, if more letters follow."""
    length = _verb_length(found[0][::2])
    behind = found.start() + 2 * length - 1
    return [at for at in range(found.start() + 1, found.end(), 2) if length and at != behind]


def _verb_length(letters: str) -> int:
    """Return the length of the longest verb that these letters begin with; 0 without one."""
    lengths = range(min(len(letters), _MOST_LETTERS), _LEAST_LETTERS - 1, -1)
    return next((length for length in lengths if letters[:length] in SPOKEN), 0)
