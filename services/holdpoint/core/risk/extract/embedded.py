"""Texts that hold payloads: JSON, GraphQL, raw requests, encodings."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl, unquote

import msgspec
import re2

from holdpoint.core.risk.http.request import READING, WRITING
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import PROGRAM_KEYS, PROSE_KEYS, word_set
from holdpoint.core.text import whole_characters
from holdpoint.messages.duplicate_names import Known, Pairs, objects

MAX_QUERY = 8_192
"""Characters of a mutation that are read."""

MAX_BEFORE = 60
"""Characters in which it must begin."""

_untold = re2.compile(r"\"\"\"(?:[^\"]|\"[^\"]|\"\"[^\"])*\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|#[^\n]*")
_sign_or_name = re.compile(r"[{}()]|\w+")
_default = re2.compile(
    r"\$(\w+)\s*:[^=,)$]*=\s*(\"(?:[^\"\\]|\\.)*\"|-?\d+(?:\.\d+)?|[A-Za-z_]\w*)"
)
_argument = re2.compile(r"(\w+)\s*:\s*(\"(?:[^\"\\]|\\.)*\"|-?\d+(?:\.\d+)?|\$?[A-Za-z_]\w*)")


def is_mutation(text: str) -> bool:
    """Return whether it begins like one."""
    head = text[:MAX_BEFORE].lstrip()
    if head[:1] in _PASSED:
        head = without_texts(text[:MAX_QUERY]).lstrip(_PASSED)
    return head[:8].lower() == "mutation"


_PASSED = "#,\ufeff \t\r\n"
"""Signs that a query may begin with, and that say nothing."""


def without_texts(query: str) -> str:
    """A query without its texts and comments."""
    return str(_untold.sub(" ", whole_characters(query)))


def fields(text: str) -> Iterator[str]:
    """Yield the fields of a mutation, and their aliases: not what it selects of them."""
    bare = without_texts(text[:MAX_QUERY])
    depth = 0
    for sign in _sign_or_name.findall(bare.partition("{")[2]):
        if sign in "{(":
            depth += 1
        elif sign in "})":
            depth -= 1
        elif not depth:
            yield sign
        if depth < 0:
            return


def given(text: str, variables: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Its arguments with their values; a name that comes again begins another object."""
    defaults = {
        name: _value(said) for name, said in _default.findall(whole_characters(text[:MAX_QUERY]))
    }
    variables = defaults | dict(variables)
    found: list[dict[str, Any]] = [{}]
    for name, value in _argument.findall(whole_characters(text[:MAX_QUERY])):
        if name in found[-1]:
            found.append({})
        found[-1][name] = variables.get(value[1:]) if value[0] == "$" else _value(value)
    return [one for one in found if one]


def _value(written: str) -> Any:
    """As JSON would have it; the name of an enumeration as a text."""
    try:
        return msgspec.json.decode(written)
    except msgspec.DecodeError:
        return written.strip('"')


MAX_LINES = 1_500
"""Lines of a head that are read: as many as of a payload are."""

MAX_METHOD = 24
"""Characters in which an address begins: behind a method, and blanks."""

_first = re2.compile(r"\s*[A-Za-z]{3,12}[ \t]+\S+[ \t]+(?i:HTTP)/\d")


def raw_request(text: str) -> dict[str, Any] | None:
    """The request that a text begins with, at the host that it names; None where it is none."""
    sent = spelled_out(text) if _first.match(whole_characters(text)) else {}
    if not sent:
        return None
    host = next((said for key, said in sent["headers"].items() if key.lower() == "host"), "")
    if host and sent["url"].startswith("/"):
        sent["url"] = f"https://{host}{sent['url']}"
    return sent


def spelled_out(text: str) -> dict[str, Any]:
    """Its method, its address, its headers and its body; empty where the first line is none."""
    head, _, body = text.strip().replace("\r\n", "\n").partition("\n\n")
    line, *rest = head.split("\n")
    method, _, address = line.strip().partition(" ")
    address = address.strip()
    said, _, version = address.rpartition(" ")
    url = said.strip() if version.upper().startswith("HTTP/") else address
    if method.upper() not in READING | WRITING or not url or " " in url:
        return {}
    named = (one.partition(":") for one in rest[:MAX_LINES])
    headers = {name.strip(): value.strip() for name, _, value in named}
    return {"method": method, "url": url, "headers": headers, "body": body}


def repeated_keys(text: str | bytes) -> Any:
    """Its value; where a name stands twice, a list of both that readers may take it for."""
    twice = False

    def first(pairs: Pairs, _known: Known) -> Known:
        nonlocal twice
        twice = True
        return dict(reversed(pairs))

    last = msgspec.json.decode(text)  # what is broken is soon known to be
    found = json.loads(text, object_pairs_hook=objects(first))
    return [found, last] if twice else last


MAX_JSON = 64 * 1024
"""Characters of a text that are tried as a payload."""

MAX_BLANKS = 100
"""Characters in which JSON must begin."""

OPENED_MAX_LINES = 500
"""Lines of a text that are read as a table or a list; of more the first count."""

MIN_HIDDEN = 12
"""Characters of base64 that may hide something."""

_hidden = re2.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_form = re2.compile(r"[\w.\[\]%-]+=[^&\s]*(?:&[\w.\[\]%-]+=[^&\s]*)*")
_address = re2.compile(r"([A-Za-z][\w+.-]*):[^\s?]*\?([^\s#]*)")
_tag = re.compile(r"<(/?)([\w:.-]++)([^<>]*+)>([^<]*+)", re.ASCII)
"""It never goes back: many matches are quicker here than with RE2."""

_attribute = re2.compile(r"([\w:.-]+)\s*=\s*[\"']([^\"']*)[\"']")
_pair = re2.compile(
    r"[\s-]*[\"']?([A-Za-z_][\w. -]{0,40})[\"']?\s*(?::\s|=)\s*[\"']?(.*?)[\"']?\s*"
)
_title = re2.compile(
    r"[\s-]*[\w.\" -]{1,40}:|#.*|---.*|\.\.\.|\[{1,2}[\w.\"' -]{1,40}\]{1,2}|-\s.*|[ \t].*"
)
"""A line of YAML or TOML without a pair: a section, a comment, an item, more of what is above."""

_flow = re2.compile(r"[\s-]*(?:[\w.\" -]{1,40}(?::\s|=)\s*)?\{.*\}\s*")
_in_flow = re.compile(r"[{},]")
"""Signs between the pairs that stand on one line: `job: {action: stop, id: 7}`."""

_part = re2.compile(
    r"(?is)content-disposition:[^\n]*?\bname=\"?([^\"\r\n;]{1,100})[^\n]*\n(?:[\w-]+:[^\n]*\n)*\r?\n"
    r"(.*?)\r?\n--"
)
"""A field of a form in several parts, and its value."""

_heading = re2.compile(r"\s*\"?[A-Za-z][\w ./()-]{0,40}\"?\s*")
_COINS = {"bitcoin": "BTC", "ethereum": "ETH", "solana": "SOL", "lightning": "BTC"}
_SHORT = {"am": "amount", "cu": "currency"}
"""How payment links spell two keys."""


def opened(value: Any) -> Any:
    """Return what a JSON text holds, bare, in base64 or with percent signs; else the value itself.

    Also where it is the text of a text: what was encoded twice is opened twice.
    """
    if not isinstance(value, str) or len(value) > MAX_JSON or len(value) < 2:  # noqa: PLR2004  # {}
        return value
    found: Any = value
    rounds = MAX_ROUNDS
    try:
        while isinstance(found, str) and rounds and (text := _as_json(found)):
            found, rounds = repeated_keys(text), rounds - 1
    except (RecursionError, ValueError):
        return value
    return found if isinstance(found, dict | list) else value


MAX_ROUNDS = 16
"""How often a text may hold a text that is a payload; each time doubles its length."""


def _as_json(value: str) -> str | bytes:
    """The text, or what is hidden in it, when it begins like JSON; else nothing."""
    if value[:1] in _BEGINS:
        return value if value[:MAX_BLANKS].lstrip()[:1] in _OPENING else ""
    if value[:3].upper() in {"%7B", "%5B", "%22"}:
        return unquote(value)
    coded = value.partition(";base64,")[2] if value[:5] == "data:" else value
    if (
        len(coded) < MIN_HIDDEN
        or coded[:2] not in _CODED
        or not (coded.isascii() and _hidden.fullmatch(coded))
    ):
        return b""
    plain = _decoded(coded)
    return plain if plain.lstrip()[:1] in {b"{", b"[", b'"'} else b""


_OPENING = frozenset('{["')
_BEGINS = _OPENING.union(" \t\n\r")
_CODED = words("words/tools:embedded.coded")


def _decoded(coded: str) -> bytes:
    bare = coded.rstrip("=").replace("-", "+").replace("_", "/")
    return b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def program_key(key: str, siblings: Mapping[str, Any]) -> str:
    """As what a text is read: `script` for `script_b64`, and for a payload with an interpreter."""
    told = siblings.get("interpreter")
    if isinstance(told, str) and key.lower() in _PAYLOADS:
        ends = told[-MAX_PROGRAM:].lower().rpartition("/")[2]
        return "script" if ends.endswith("sh") else "code"
    return _in_base64.sub("", key) if _may_be_coded(key) else key


MAX_PROGRAM = 40
"""Characters of an interpreter's path that are looked at."""

_PAYLOADS = word_set("payload data input body content text source stdin")
_in_base64 = re2.compile(r"(?i)[_-]?(?:base64|b64)[_-]?|^encoded[_-]?|[_-]?encoded$")


def _may_be_coded(key: str) -> bool:
    return "64" in key or "ncoded" in key


def held(key: str, text: str, siblings: Mapping[str, Any]) -> Any:
    """Return what is to be read beside the text itself; None when it is a text and no more.

    A program is left to its own reader, unless base64 hides it. `siblings`: the object that it
    stands in, whose `variables` are those of a GraphQL mutation.
    """
    if is_mutation(text):
        variables = opened(siblings.get("variables"))
        return given(text, variables if isinstance(variables, dict) else {}) or None
    sent = raw_request(text[:MAX_JSON]) if "/" in text[:MAX_METHOD] else None
    return sent or _held(key, text)


def is_bare(key: str, text: str) -> bool:
    """Whether it is one short word that holds nothing, wherever it stands: most values are."""
    word = text.isalnum() and len(text) <= MAX_PROGRAM and text[:2] not in _CODED
    return word and not _may_be_coded(key) and key.lower() not in _HOLDERS


def _held(key: str, text: str) -> Any:
    name = key.lower()
    if name in _PROGRAMS and (script := _script(text)):
        return script
    may_hold = "=" in text or "\n" in text or (text[:1] == "<" and "</" in text)
    if len(text) > MAX_JSON or not may_hold or (name in PROGRAM_KEYS and name != "query"):
        return None
    text = whole_characters(text)
    if "\n" in text.strip() or (text.rstrip()[-1:] == "}" and _flow.fullmatch(text.strip())):
        return dict(_part.findall(text)) or _in_lines(text, prose=name in PROSE_KEYS)
    if text[:1] == "<":
        return list(_elements(text))
    if address := _address.match(text):
        pairs = [(_SHORT.get(name, name), value) for name, value in form_fields(address[2])]
        coin = _COINS.get(address[1].lower())
        return _each_field([*pairs, ("currency", coin)] if coin else pairs)
    return _each_field(form_fields(text)) if _form.fullmatch(text) else None


def _each_field(pairs: list[tuple[str, str]]) -> Any:
    """One object; of too many each by itself, so that a walk finds too many."""
    return dict(pairs) if len(pairs) <= MAX_FIELDS else [{name: said} for name, said in pairs]


def form_fields(text: str) -> list[tuple[str, str]]:
    """The fields of a form, one more at most than are read."""
    return parse_qsl("&".join(text.split("&", MAX_FIELDS + 1)[: MAX_FIELDS + 1]))


MAX_FIELDS = 750
"""Fields of a form that are read: of as many a walk reads the values."""

_PROGRAMS = PROGRAM_KEYS | {"mutation"}
_HOLDERS = _PROGRAMS | _PAYLOADS


def _script(text: str) -> str:
    """The program that base64 hides; empty when it hides none."""
    if not MIN_HIDDEN <= len(text) <= MAX_JSON or " " in text.strip():
        return ""
    bare = "".join(text.split())
    if not (bare.isascii() and _hidden.fullmatch(bare)):
        return ""
    try:
        plain = _decoded(bare).decode("ascii")
    except ValueError:
        return ""
    return plain if " " in plain and not _unprintable.search(plain) else ""


_unprintable = re2.compile(r"[^\x20-\x7e\s]")


def _in_lines(text: str, *, prose: bool) -> Any:
    """Return what they hold; `text` is more than blanks. Empty ones push none out of sight."""
    lines = [line.strip("\r") for line in text.split("\n") if line.strip()][:OPENED_MAX_LINES]
    if lines[0].lstrip()[:1] == "<":
        return list(_elements(text))
    if isinstance(opened(lines[0]), dict):
        return [opened(line) for line in lines]
    rows = _rows(lines)
    return rows if rows or prose else _pairs(lines)


def _elements(text: str) -> Iterator[Mapping[str, str]]:
    """Each run of elements that hold a text; one with attributes stands alone."""
    run: dict[str, str] = {}
    for closes, name, more, inside in _tag.findall(text):
        bare, said = name.rpartition(":")[2], inside.strip()
        if not closes and said:
            alone = dict(_attribute.findall(more))
            if alone or bare in run:
                yield {bare: said, **alone}
            else:
                run[bare] = said
        elif not closes:
            yield {"operation": bare}
        elif run and not said and bare not in run:
            yield run
            run = {}
    if run:
        yield run


def _rows(lines: list[str]) -> list[Mapping[str, str]]:
    """A table: a heading of names, and lines of which most have a cell for each of them."""
    mark = next((mark for mark in (",", ";", "\t", "|") if mark in lines[0]), "")
    heads = lines[0].split(mark) if mark else []
    if len(heads) < 2 or not all(_heading.fullmatch(head) for head in heads):  # noqa: PLR2004  # a table
        return []
    names = [head.strip(' "') for head in heads]
    quoted = (_quoted.sub(lambda cell: cell[0].replace(mark, "\0"), one) for one in lines[1:])
    rows = ([cell.strip(' "').replace("\0", mark) for cell in one.split(mark)] for one in quoted)
    found = [row for row in rows if len(row) >= len(names)]
    if 2 * len(found) < len(lines[1:]):
        return []
    return [dict(zip(names, row, strict=False)) for row in found]


_quoted = re2.compile(r'"[^"]*"')


def _pairs(lines: list[str]) -> list[dict[str, str]] | None:
    """`name: value` in each line; a name that comes again begins anew."""
    found: list[dict[str, str]] = [{}]
    for line in chain.from_iterable(map(_split, lines)):
        pair = _pair.fullmatch(line)
        if not pair and not _title.fullmatch(line):
            return None
        name = pair[1].rstrip() if pair else ""
        if name in found[-1]:
            found.append({})
        if pair:
            found[-1][name] = pair[2].strip()
    return found if any(found) else None


def is_section(text: str) -> bool:
    """Return whether a text begins as TOML may: `[job]`."""
    return _section.match(text) is not None


_section = re.compile(r"\s*\[{1,2}[\w.\"' -]{1,40}\]{1,2}[ \t\r]*\n")


def _split(line: str) -> list[str]:
    return [one for one in _in_flow.split(line) if one.strip()] if _flow.fullmatch(line) else [line]
