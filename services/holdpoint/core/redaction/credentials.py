"""Credentials in a text: known by their own shape, by their place, or by their name.

A credential has no blank, quote or shell sign; whatever comes behind one stays in sight. Each
pattern keeps what it took (`++`) or is bounded, so that any text is read in linear time.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from holdpoint.core.redaction.credential_names import named_in
from holdpoint.core.redaction.credential_values import (
    QUOTE,
    VALUE,
    Span,
    is_mixed,
    joined,
    value_at,
)
from holdpoint.core.redaction.payment_cards import payment_cards

TEXTS_KNOWN = 128
"""A card says the same thing in several places, and is drawn several times."""

SHORTEST_LINE = 40
"""Characters of a private key's line; its last one may be shorter."""

_SHAPE = re.compile(
    r"""(?<![\w-])(?:
      (?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])
    | gh[pousr]_[A-Za-z0-9]{20,}+ | github_pat_\w{20,}+ | glpat-[\w-]{16,}+
    | xox[a-z]-[\w-]{10,}+ | [srp]k[_-](?:live|test)[_-]\w{10,}+ | whsec_\w{16,}+
    | sk-(?:ant|proj|svcacct|admin)-[\w-]{12,}+ | sk-or-v\d-\w{16,}+ | sk-[A-Za-z0-9]{20,}+
    | AIza[\w-]{30,}+ | ya29\.[\w-]{20,}+ | SG\.[\w-]{16,}+\.[\w-]{16,}+
    | (?:npm|hf)_[A-Za-z0-9]{30,}+ | pypi-[\w-]{40,}+
    | S[UAOCNX][A-Z2-7]{56}(?![A-Za-z0-9])
    | eyJ[\w-]{6,}+\.[\w-]{6,}+\.[\w-]*+
    )""",
    re.ASCII | re.VERBOSE,
)
"""Keys of AWS, GitHub, GitLab, Slack, Stripe, OpenAI, Anthropic, Google, SendGrid, npm, Hugging
Face and PyPI, seeds of NATS, and JSON web tokens."""

_IN_ADDRESS = re.compile(
    r"://[^\s/:@?#'\"`;|&$()<>\\]{0,128}+:([^\s/?#'\"`;|&$()<>\\•]{1,256})@", re.ASCII
)

_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"(?:\\[nr]|\s|(?<=-----))([A-Za-z0-9+/]{4,}+={0,2})(?=[\s\\-]|$)", re.ASCII)

_CLIENT = re.compile(
    r"(?<![\w.-])(mysql|mariadb|sshpass|redis-cli|ldap|login|openssl|unzip|zip|7z|curl|wget)[\w-]{0,16}+"
    r"(?=[ \t])((?:[^\n;|&'\"]++|'[^'\n]*+'|\"[^\"\n]*+\")*)",
    re.ASCII,
)
_BEHIND_P = re.compile(rf"(?<=[ \t])-p{QUOTE}{VALUE}", re.ASCII)
_FLAGS = {
    "mysql": _BEHIND_P,
    "mariadb": _BEHIND_P,
    "sshpass": re.compile(rf"(?<=[ \t])-p[ \t]*+{QUOTE}{VALUE}", re.ASCII),
    "ldap": re.compile(rf"(?<=[ \t])-w[ \t]++{QUOTE}{VALUE}", re.ASCII),
    "login": re.compile(rf"(?<=[ \t])-p[ \t]++{QUOTE}{VALUE}", re.ASCII),
    "openssl": re.compile(rf"(?<=[ \t])-[kK][ \t]++{QUOTE}{VALUE}", re.ASCII),
    "unzip": re.compile(rf"(?<=[ \t])-P[ \t]*+{QUOTE}{VALUE}", re.ASCII),
    "zip": re.compile(rf"(?<=[ \t])-P[ \t]*+{QUOTE}{VALUE}", re.ASCII),
    "7z": _BEHIND_P,
    "redis-cli": re.compile(rf"(?<=[ \t])-a[ \t]++{QUOTE}{VALUE}", re.ASCII),
}
_USER_FLAG = re.compile(
    rf"(?<=[ \t])(?:-[uU]|--(?:proxy-)?user)[ \t=]?{QUOTE}[\w.@+%-]{{0,128}}+:{VALUE}", re.ASCII
)
"""What a program takes a password by when no name says so."""


_PRINTED = re.compile(
    rf"(?<![\w-])(?:echo|printf)[ \t]{{1,4}}+(?:-n[ \t]{{1,4}}+)?{QUOTE}{VALUE}['\"]?"
    r"[ \t]{0,4}+\|[ \t]{0,4}+sudo[ \t]{1,4}+(?:-[\w-]{1,20}+[ \t]{1,4}+){0,4}"
    r"(?:-[A-Za-z]{0,4}S|--stdin)",
    re.ASCII,
)
"""`echo … | sudo -S`."""

_SAID = re.compile(
    r"(?<![\w-])(?P<with>(?:with|using|by)[ ](?:the[ ])?)?(?:pass(?:word|phrase|code)|pwd?)[ ]"
    r"(?=[^\s]{0,255}\d)(?=[^\s]{0,255}[A-Za-z])" + VALUE,
    re.IGNORECASE | re.ASCII,
)
"""`with password …`; without a `with` it must look like one, for it may be whose it is."""

LAST_DIGITS = 4


@lru_cache(maxsize=TEXTS_KNOWN)
def credentials_in(text: str, run: frozenset[str]) -> tuple[Span, ...]:
    """Start and end of each credential, in order; none touches the next.

    What stands under the names in `run` is run, here or elsewhere in the call.
    """
    return joined(
        (*_shaped(text), *_in_blocks(text), *_of_clients(text), *_told(text), *named_in(text, run))
    )


def _shaped(text: str) -> Iterator[Span]:
    yield from (match.span() for match in _SHAPE.finditer(text))
    yield from (match.span(1) for match in _IN_ADDRESS.finditer(text))


def _told(text: str) -> Iterator[Span]:
    """Yield what is printed for a program that asks, what a sentence says, and numbers of cards.

    Of these the last four digits stay: by them people know which card it is.
    """
    yield from (match.span("value") for match in _PRINTED.finditer(text))
    for match in _SAID.finditer(text):
        if match["with"] or is_mixed(match["value"]):
            yield match.span("value")
    for start, end in payment_cards(text):
        yield start, end - LAST_DIGITS


def _in_blocks(text: str) -> Iterator[Span]:
    """The lines of private keys; words of another kind between them stay."""
    end = 0
    while block := _KEY_BLOCK.search(text, end):
        found = text.find("-----END", block.end())
        end = len(text) if found < 0 else found
        for line in _KEY_LINE.finditer(text, block.end(), end):
            if _is_of_key(line[1], is_last=line.end() >= end - 2):
                yield line.span(1)


def _is_of_key(line: str, *, is_last: bool) -> bool:
    return is_mixed(line) and (len(line) >= SHORTEST_LINE or (is_last and line[0] != "/"))


def _of_clients(text: str) -> Iterator[Span]:
    for client in _CLIENT.finditer(text):
        flag = _FLAGS.get(client[1], _USER_FLAG)
        for match in flag.finditer(text, *client.span(2)):
            if found := value_at(text, match.start("value")):
                yield found
