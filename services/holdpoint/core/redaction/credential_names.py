"""Credentials that a name gives away: `PASSWORD=…`, `"api_key": "…"`, `--token …`, `Bearer …`.

What a text runs is never taken for a credential, whatever its name: `TOKEN=rm; $TOKEN -r /srv`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from holdpoint.core.redaction.credential_values import (
    QUOTE,
    Span,
    is_mixed,
    reads_as_words,
    value_at,
)

LONGEST_NAME = 64
TEXTS_KNOWN = 32
"""A call's texts are asked about for each of its card's texts."""

_HINT = re.compile(
    r"pass|pw|secret|token|key|cookie|authorization|bearer|identified|otp|cv[vc]|one-time",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    rf"(?<![\w.-])(?P<dashes>-{{0,2}})(?P<name>[A-Za-z_][\w.-]{{1,{LONGEST_NAME - 1}}}+)"
    r"(?P<sign>\\{0,2}[\"']?[ \t]{0,4}+(?:=>|:=|={1,2}+|:)[ \t]{0,4}+)",
    re.ASCII,
)
_FLAGGED = re.compile(
    rf"(?<![\w.-])--?(?P<name>[A-Za-z][\w-]{{1,{LONGEST_NAME - 1}}}+)[ \t]{{1,4}}+", re.ASCII
)
_OPENING = re.compile(QUOTE)

HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SECRET_NAME = re.compile(
    r"(?:password|passwd|passphrase|passcode"
    r"|(?:^|[._-])(?:pwd|pass|secret|token|bearer|otp|cvv|cvc|cookie|secret[._-]key[._-]base"
    r"|(?:api|access|private|secret|signing|encryption|account|shared|master)[._-]?key))[._-]?\d*$",
    re.IGNORECASE,
)
_SWITCH = re.compile(r"(?:no|ask|prompt|skip|show|with|without)-", re.IGNORECASE)
"""Begins a flag that takes no value: `--no-password`."""

_ASKS_ITSELF = re.compile(
    r"(?<![\w-])(?:psql|pg_\w+|createdb|createuser|dropdb|mysql\w*|mariadb[\w-]*)(?![\w-])"
)
"""Programs whose `--password` takes no word behind it."""

_AUTHORIZATION = re.compile(
    rf"authorization{QUOTE}[ \t]{{0,4}}+[:=][ \t]{{0,4}}+{QUOTE}"
    r"(?P<scheme>(?:bearer|basic|token|apikey|key|aws4-hmac-sha256)[ \t]{1,4}+)?"
    r"|(?<![\w-])bearer[ \t]{1,4}+",
    re.IGNORECASE | re.ASCII,
)

_SPOKEN = re.compile(
    r"(?<![\w-])(?:(?:pass(?:word|phrase|code)|pwd?|otp|one-time[ -]code)[ \t]{1,4}+"
    r"(?:is[ \t]{1,4}+|(?=['\"]))"
    r"|identified[ \t]{1,4}+by[ \t]{1,4}+(?=['\"]))",
    re.IGNORECASE,
)
"""`the password is …`, and as SQL says it: `WITH PASSWORD '…'`, `IDENTIFIED BY '…'`."""

_SETTING = re.compile(r"(?<![\w-])set[ \t]{1,4}+(?P<name>[\w./:-]{2,128}+)[ \t]{1,4}+",
                      re.IGNORECASE | re.ASCII)  # fmt: skip
"""`aws configure set aws_secret_access_key …`."""

_SHELL = r"(?:ba|da|z|k|a)?sh"
_RUN = re.compile(
    r"(?:^|[;|&(`\n]|(?<![\w-])(?:sudo|exec|eval|xargs|env|nohup|then|do|else|command|source|"
    rf"{_SHELL})(?:[ \t]++-[^\s;|&]++){{0,8}})[ \t]*+[\"']?\$\{{?(\w++)",
    re.ASCII,
)
_PIPELINE_END = re.compile(r"[;\n]|&&|\|\|")
_DECODER = re.compile(
    rf"(?<![\w-])(?:base(?:32|64)|xxd)(?![\w-])|\|[ \t]*+(?:sudo[ \t]++)?{_SHELL}(?![\w-])"
    rf"|(?<![\w-]){_SHELL}[ \t]*+<<<"
)
_WRAPPER = re.compile(
    r"(?<![\w-])(?:sudo|doas|env|xargs|nice|ionice|timeout|setsid|nohup|stdbuf|watch|parallel|ssh"
    r"|su|runuser|chroot|exec|eval|command|find)(?![\w-])"
)
_WORD = re.compile(r"(?<!\S)(?!-)\S++[ \t]++[\"']?\$\{?(\w++)\}?+[\"']?(?![^\s;|&)])", re.ASCII)
"""A word of its own, and no option's value: a wrapper may run it."""

_READ = re.compile(r"\$\{?(\w++)", re.ASCII)


def named_in(text: str, run: frozenset[str]) -> Iterator[Span]:
    """Each value that stands behind a name or a word that says what it is; `run` see `run_in`."""
    if not _HINT.search(text):
        return
    yield from _assigned(text, run)
    yield from _flagged(text)
    yield from _authorizing(text)
    yield from _told(text)


@lru_cache(maxsize=TEXTS_KNOWN)
def run_in(text: str) -> frozenset[str]:
    """The names whose values the text runs as a command, or decodes to run them."""
    if "$" not in text:
        return frozenset()
    run = set(_RUN.findall(text))
    for pipeline in _PIPELINE_END.split(text):
        if _DECODER.search(pipeline):
            run.update(_READ.findall(pipeline))
        if _WRAPPER.search(pipeline):
            run.update(_WORD.findall(pipeline))
    return frozenset(run)


def _assigned(text: str, run: frozenset[str]) -> Iterator[Span]:
    read_to = 0
    for match in _ASSIGNED.finditer(text):
        name = match["name"]
        if match.start() < read_to or name in run or not _is_secret(name):
            continue
        found = _behind(text, match.end(), loose=match["sign"][-1] in " \t")
        if found and not (match["dashes"] and _refers(name, text[slice(*found)])):
            read_to = found[1]
            yield found


def _flagged(text: str) -> Iterator[Span]:
    loose = _ASKS_ITSELF.search(text) is not None
    for match in _FLAGGED.finditer(text):
        name = match["name"]
        if not _is_secret(name) or _SWITCH.match(name) or text.startswith("-", match.end()):
            continue
        found = _behind(text, match.end(), loose=loose)
        if found and not _refers(name, text[slice(*found)]):
            yield found


def _authorizing(text: str) -> Iterator[Span]:
    read_to = 0
    for match in _AUTHORIZATION.finditer(text):
        if match.start() < read_to:
            continue
        if found := _behind(text, match.end(), loose=match["scheme"] is None):
            read_to = found[1]
            yield found


def _told(text: str) -> Iterator[Span]:
    told = [match.end() for match in _SPOKEN.finditer(text)]
    settings = (it for it in _SETTING.finditer(text) if _is_secret(it["name"]))
    for at in (*told, *(setting.end() for setting in settings)):
        if found := _behind(text, at, loose=True):
            yield found


def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(HUMP.sub("_", name)) is not None


def _behind(text: str, at: int, *, loose: bool) -> Span | None:
    """The value here or in the quote that opens here; without a quote, no word where `loose`."""
    opening = _OPENING.match(text, at)
    start = opening.end() if opening else at
    found = value_at(text, start)
    if found and loose and start == at and reads_as_words(text[slice(*found)]):
        return None
    return found


def _refers(flag: str, value: str) -> bool:
    """Return whether the flag says which secret, not what it is: `--secret=prod-db`."""
    return flag == "secret" and not is_mixed(value)
