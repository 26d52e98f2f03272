"""The console's fixed words in another language: a catalogue file, and who reads which.

Templates are written in English. For another language each fixed text of a template is replaced by
the catalogue's while the template is read; what the catalogue lacks stays English. What the gate
says of an action is told by `gate_words`; what anybody wrote is not translated.
"""

import re
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from html import escape
from pathlib import Path

import msgspec
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

ENGLISH = "en"
NAMES: Mapping[str, str] = {ENGLISH: "English", "de": "Deutsch"}
COOKIE = "holdpoint_language"

Catalogue = Mapping[str, str]

_NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_SWAPPED = {"de": str.maketrans(",.", ".,")}
"""Signs of a number that stand the other way round."""

spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)
"""The language of the request that is being answered."""

_SPOKEN_ATTRIBUTE = re.compile(r'(?<=\s)(aria-label|title|alt|placeholder|data-name)="([^"]+)"')


def load_catalogue(static: Path, language: str) -> Catalogue:
    """Return each English text with its translation; of English none."""
    if language == ENGLISH:
        return {}
    raw = (static / f"words.{language}.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])


class Translation(Extension):
    """Replaces a template's fixed texts by those of its environment's catalogue."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Go through the template; a tag may begin in one piece of it and end in another."""
        catalogue: Catalogue = self.environment.catalogue  # type: ignore[attr-defined]
        is_in_tag = False
        for token in stream:
            if token.type == "data":
                parts = list(parts_of(token.value, is_in_tag=is_in_tag))
                if parts:
                    last, is_tag = parts[-1]
                    is_in_tag = is_tag and not last.endswith(">")
                text = "".join(_translated(part, catalogue) for part in parts)
                yield Token(token.lineno, "data", text)
            else:
                yield token


def parts_of(text: str, *, is_in_tag: bool) -> Iterator[tuple[str, bool]]:
    """Yield tags and what stands between them, each with whether it is a tag."""
    while text:
        end = text.find(">") + 1 if is_in_tag else text.find("<")
        end = end if end > 0 or (end == 0 and not is_in_tag) else len(text)
        if end:
            yield text[:end], is_in_tag
        text, is_in_tag = text[end:], not is_in_tag


def said(text: str, catalogue: Catalogue) -> str:
    """Return a text in the catalogue's language, with the blanks that stood around it."""
    words = " ".join(text.split())
    if words not in catalogue:
        return text
    before = text[: len(text) - len(text.lstrip())]
    return f"{before}{catalogue[words]}{text[len(text.rstrip()) :]}"


PHRASES = (
    "; nothing has run yet, and anybody who was asked can stop it.",
    ", but the data had changed since the card was shown. Nothing was changed.",
    ", but not started in time; nothing ran.",
    "; a worker is running it.",
    "; the agent may go on.",
    "; it ran and failed.",
    "; about to run.",
    "; nothing ran.",
    ", and it ran.",
    "stopped it and asks people; risk low",
    "stopped it and asks people; risk medium",
    "stopped it and asks people; risk high",
    "stopped it and asks people; risk critical",
    "settled: nobody answered in time",
    "settled: confirmed by",
    "settled: cancelled by",
    "settled: withdrawn by",
    "settled: stopped by the kill switch, which",
    ", after ",
    "pressed Proceed",
    "pressed Cancel",
    "changed the call",
    "found that it happened",
    "found that it did not happen",
    "; the card was in view for",
    "asked for",
    " s more",
    "Approved by",
    "Approved",
    "Cancelled by",
    " said yes",
    " of ",
    " and ",
    "A yes starts a cooling-off of 1 day",
    "A yes starts a cooling-off of",
    ", in which anybody who was asked can stop it; then it runs.",
    "expires after",
    "is parked after",
    "; a yes cools off for",
    ", two people at least",
    "Layer ",
    "Cycle ",
    " tools",
    " tool",
    ", user-facing",
)
"""Parts of a text with names or numbers: `2 of operators`, `Approved by ann and ben, and it ran.`

They are replaced in this order, the longer ones first."""


def phrased(text: str, catalogue: Catalogue) -> str:
    """Return a text of the console's own with names or numbers, in the catalogue's language."""
    whole = said(text, catalogue)
    for phrase in PHRASES if whole == text else ():
        whole = whole.replace(phrase, said(phrase, catalogue))
    return whole


def localized(text: str, language: str) -> str:
    """Return a text with its numbers as the language writes them: `12.500`, `1.250,00`, `5 %`."""
    if language not in _SWAPPED:
        return text
    swapped = _NUMBER.sub(lambda it: it[0].translate(_SWAPPED[language]), text)
    return swapped.replace("%", "\N{NO-BREAK SPACE}%")


def _translated(piece: tuple[str, bool], catalogue: Catalogue) -> str:
    part, is_tag = piece
    if is_tag:
        return _SPOKEN_ATTRIBUTE.sub(
            lambda found: f'{found[1]}="{escape(said(found[2], catalogue))}"', part
        )
    told = said(part, catalogue)
    return part if told == part else escape(told, quote=False)


def language_of(headers: Headers) -> str:
    """Return what the person chose, else the first of the browser's languages that there is."""
    chosen = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    if chosen in NAMES:
        return chosen
    wanted = [_wish(it) for it in headers.get("accept-language", "")[:200].split(",")]
    known = [(weight, name) for weight, name in wanted if name in NAMES and weight > 0]
    return max(known, key=lambda it: it[0], default=(0.0, ENGLISH))[1]


def _wish(entry: str) -> tuple[float, str]:
    """Return `de-AT;q=0.8` as its weight and `de`."""
    name, _, weight = entry.strip().lower().partition(";q=")
    try:
        return float(weight or 1), name.partition("-")[0]
    except ValueError:
        return 0.0, ""


class Languages:
    """Lets each request be answered in its language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note the language, for whatever is drawn meanwhile."""
        if scope["type"] == "http":
            spoken.set(language_of(Headers(scope=scope)))
        await self._app(scope, receive, send)
