"""Code of another language in a statement: `DO LANGUAGE plpython3u $$ … $$`."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.sql.tokens import Tokens, cuts, unquoted

_SQLS = frozenset({"sql", "plpgsql", "plsql", "internal", "sqlscript", "spl", "pltsql"})
_untrusted = re.compile(r"pl\w+u|plsh|plr|plphp|c")
"""Languages whose code may do whatever the server may: its files, its programs, its network."""

_INTERPRETERS = (
    (re.compile(r"plpython\w*|python"), "python3"),
    (re.compile(r"plperlu?|perl"), "perl"),
    (re.compile(r"plsh"), "sh"),
    (re.compile(r"plruby\w*|ruby"), "ruby"),
    (re.compile(r"plv8|javascript|js"), "node"),
)
_MARK = "HOLDPOINT_CODE"


def is_untrusted(language: str) -> bool:
    """Whether nothing keeps what is written in it inside the database."""
    return _untrusted.fullmatch(language) is not None


def language(tokens: Tokens) -> str:
    """The language that a statement names, when it is not one of SQL; else empty."""
    places = (at for at, token in enumerate(tokens[:-1]) if token.text == "LANGUAGE")
    said = next((tokens[at + 1] for at in places), None)
    if said is None or said.kind not in {"word", "name", "string"}:
        return ""
    name = (unquoted(said.text) if said.kind == "string" else said.text.strip('"`[]')).lower()
    return "" if name in _SQLS else name


def programs(tokens: Tokens) -> Iterator[str]:
    """Each body in another language, as a command of the shell."""
    if tokens[0].text not in {"DO", "CREATE", "ALTER", "REPLACE"}:
        return
    named = language(tokens)
    for fits, program in _INTERPRETERS if named else ():
        if fits.fullmatch(named):
            for code in _bodies(tokens):
                yield f"{program} - <<'{_MARK}'\n{code}\n{_MARK}\n"


def texts(tokens: Tokens) -> Iterator[str]:
    """The strings in such bodies: what a program hands to the database it lives in."""
    for code in _bodies(tokens):
        for statement in cuts(code, "mysql")[0].statements:
            for token in statement:
                if token.kind == "string" or token.text.startswith("`"):
                    yield unquoted(token.text)


def _bodies(tokens: Tokens) -> Iterator[str]:
    """Every string of the statement: which of them is the body, each dialect says in its way."""
    for token in tokens:
        if token.kind == "string":
            yield unquoted(token.text)
