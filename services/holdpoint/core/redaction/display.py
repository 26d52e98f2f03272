"""Other people's words, made safe to show: what hides is made visible, secrets are covered."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, TypeAlias
from urllib.parse import quote

from holdpoint.core.redaction.credential_names import HUMP
from holdpoint.core.redaction.credential_values import Span, reads_as_words
from holdpoint.core.redaction.credentials import credentials_in
from holdpoint.core.redaction.prose import spoken_secrets
from holdpoint.messages.base import JsonObject

MASK = "•••"

Cover: TypeAlias = Callable[[str], str]
"""Covers what must not be shown in a text."""

_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
)
"""Accents, and Thai and Lao: people write two on one letter (Vietnamese does), never a third."""

_POINTS = (
    f"{_MARKS}\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0730-\u074a\u08ca-\u08ff"
)
"""Those, and the points of Hebrew, Arabic and Syriac, of which a letter carries up to four."""

_HIDDEN = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    f"|(?<=[{_MARKS}]{{2}})[{_MARKS}]|(?<=[{_POINTS}]{{4}})[{_POINTS}]"
)
"""Controls (but newline and tab), bidi, zero-width and filler characters, selectors, tags, and
marks piled so high on one letter that they lie over other lines."""

_SENSITIVE = re.compile(
    r"(?:^|[\W_])"
    r"(?:password|passwd|passphrase|passcode|pwd|secret|token|credential|cookie|authorization"
    r"|bearer|otp|cvv|cvc|(?:api|access|private|secret|signing|encryption)[\W_]?key)"
    r"s?\d*(?:$|[\W_])",
    re.IGNORECASE,
)

NAMES_KNOWN, LONGEST_KNOWN = 4096, 64
"""Arguments' names that were looked at before, and how long one may be to be kept in mind."""

SHORTEST_SECRET = 4
"""Covering every occurrence of a shorter value would make ordinary text unreadable."""

MOST_SECRETS = 64
"""Real calls carry a handful; beyond this whole texts are covered, so that nobody is kept busy."""

MOST_CREDENTIALS = 16
"""How many of a call's credentials are looked for where nothing else would tell them."""


def visible(text: str) -> str:
    r"""The text with each hidden character written out: `\x1b`, `\u{202e}`."""
    return _HIDDEN.sub(_written, text)


def one_line(text: str) -> str:
    r"""The text with line ends and tabs written out too: a title has one line, `ls\nrm -r /`."""
    return text.replace("\n", r"\n").replace("\t", r"\t")


def hides(text: str) -> bool:
    """Return whether something in the text would not have been seen."""
    return _HIDDEN.search(text) is not None


def is_sensitive(name: str) -> bool:
    """Return whether an argument of this name is covered even when no schema marks it."""
    return _sounds_secret(name) if len(name) <= LONGEST_KNOWN else _sounds_secret.__wrapped__(name)


def masked(value: JsonObject, pointers: tuple[str, ...], run: frozenset[str]) -> JsonObject:
    """The arguments with every secret covered, wherever it stands, and every string visible."""
    hide = cover_all(secrets_in(value, pointers), run)
    covered: JsonObject = _masked(value, "", frozenset(pointers), hide)
    return covered


def pointers_of(value: JsonObject) -> tuple[str, ...]:
    """The JSON pointer of each argument."""
    return tuple(f"/{_token(key)}" for key in value)


def secrets_in(value: Any, pointers: tuple[str, ...]) -> tuple[str, ...]:
    """The texts that must stand on no card, longest first."""
    found = {text for text in _secrets(value, "", frozenset(pointers)) if text}
    return tuple(sorted(found, key=lambda text: (-len(text), text)))


def texts_in(value: Any) -> list[str]:
    """Every text and number in the value, not its names."""
    match value:
        case dict():
            return [text for part in value.values() for text in texts_in(part)]
        case list():
            return [text for part in value for text in texts_in(part)]
        case None | bool():
            return []
        case _:
            return [str(value)]


def cover(secrets: tuple[str, ...]) -> Cover:
    """Make what covers each secret in a text: in any case, and as JSON, SQL and URLs write it."""
    listed = [secret for secret in secrets if len(secret) >= SHORTEST_SECRET]
    if len(listed) > MOST_SECRETS:
        return _covered_whole
    forms = sorted({form for secret in listed for form in _forms(secret)}, key=len, reverse=True)
    return partial(_covered, tuple(forms))


def cover_credentials(text: str, run: frozenset[str]) -> str:
    """The text with what is recognisably a credential covered, and nothing else."""
    return _pierced(text, 0, credentials_in(text, run))


def cover_spoken(text: str) -> str:
    """The text with whatever a sentence calls a secret covered: for where nobody decides by it."""
    return _pierced(text, 0, spoken_secrets(text))


def cover_lines(lines: Sequence[str], run: frozenset[str]) -> tuple[str, ...]:
    """Cover the lines of one text: a key may take several."""
    ends = list(accumulate(len(line) + 1 for line in lines))
    spans = credentials_in("\n".join(lines), run)
    placed = zip(lines, [0, *ends[:-1]], strict=True) if lines else ()
    return tuple(_pierced(line, start, spans) for line, start in placed)


def cover_all(secrets: tuple[str, ...], run: frozenset[str]) -> Cover:
    """Make what covers each of these secrets in a text, and every credential."""
    hide = cover(secrets)
    return lambda text: cover_credentials(hide(text), run)


def credentials_of(texts: Iterable[str], run: frozenset[str]) -> tuple[str, ...]:
    """The credentials in these texts, longest first, as far as they read like nothing else."""
    found = {text[start:end] for text in texts for start, end in credentials_in(text, run)}
    longest_first = sorted(found, key=lambda it: (-len(it), it))
    return tuple(it for it in longest_first if not reads_as_words(it))[:MOST_CREDENTIALS]


def cover_piece(piece: str, secrets: tuple[str, ...]) -> str:
    """A piece cut out of a text, covered also where the cut went through a secret."""
    if len(secrets) > MOST_SECRETS:
        return MASK
    folded = _lower(unicodedata.normalize("NFKC", piece))
    cut = any(_is_cut(folded, form) for secret in secrets for form in _forms(secret))
    return MASK if cut else cover(secrets)(piece)


def _pierced(text: str, offset: int, spans: Iterable[Span]) -> str:
    """The text, which begins at this offset, with each span of it covered."""
    parts, at, last = [], 0, offset + len(text)
    for start, end in spans:
        if offset <= start < last:
            parts += [text[at : start - offset], MASK]
            at = end - offset
    return "".join((*parts, text[at:]))


def _covered_whole(_: str) -> str:
    return MASK


def _covered(forms: tuple[str, ...], text: str) -> str:
    lower = _lower(text)
    for form in forms:
        if form in lower:
            text = _replaced(text, lower.split(form), len(form))
            lower = _lower(text)
    return text


def _replaced(text: str, between: list[str], length: int) -> str:
    ends = list(accumulate(len(part) + length for part in between))
    starts = [0, *ends[:-1]]
    return MASK.join(text[at : at + len(part)] for at, part in zip(starts, between, strict=True))


def _lower(text: str) -> str:
    """In lower case, each character in its place."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _forms(secret: str) -> Iterable[str]:
    """Yield how other people's texts may write it, in lower case."""
    normal = unicodedata.normalize("NFKC", secret)
    written = (
        secret,
        normal,
        json.dumps(secret)[1:-1],
        json.dumps(normal, ensure_ascii=False)[1:-1],
        secret.replace("'", "''"),
        quote(secret, safe="", errors="replace"),
    )
    return {_lower(form) for form in written if len(form) >= SHORTEST_SECRET}


def _is_cut(piece: str, secret: str) -> bool:
    if len(piece) >= SHORTEST_SECRET and piece in secret:
        return True
    lengths = range(SHORTEST_SECRET, min(len(piece) + 1, len(secret)))
    return any(piece.startswith(secret[-n:]) or piece.endswith(secret[:n]) for n in lengths)


def _written(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"  # noqa: PLR2004  # one byte


def _masked(value: Any, pointer: str, secret: frozenset[str], hide: Cover) -> Any:
    match value:
        case _ if pointer in secret:
            return MASK
        case dict():
            return _object(value, pointer, secret, hide)
        case list():
            return [_masked(part, f"{pointer}/{at}", secret, hide) for at, part in enumerate(value)]
        case str():
            return visible(hide(value))
        case _:
            return value


def _object(value: JsonObject, pointer: str, secret: frozenset[str], hide: Cover) -> JsonObject:
    """No argument stands in another one's place: names that look the same get a star."""
    shown: JsonObject = {}
    for key, part in value.items():
        name = visible(hide(key))
        while name in shown:
            name += "*"
        below = f"{pointer}/{_token(key)}"
        shown[name] = MASK if is_sensitive(key) else _masked(part, below, secret, hide)
    return shown


@lru_cache(maxsize=NAMES_KNOWN)
def _sounds_secret(name: str) -> bool:
    return _SENSITIVE.search(HUMP.sub("_", name)) is not None


def _secrets(value: Any, pointer: str, secret: frozenset[str]) -> list[str]:
    if pointer in secret:
        return texts_in(value)
    match value:
        case dict():
            return [
                text
                for key, part in value.items()
                for text in (
                    texts_in(part)
                    if is_sensitive(key)
                    else _secrets(part, f"{pointer}/{_token(key)}", secret)
                )
            ]
        case list():
            parts = enumerate(value)
            return [t for at, part in parts for t in _secrets(part, f"{pointer}/{at}", secret)]
        case _:
            return []


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
