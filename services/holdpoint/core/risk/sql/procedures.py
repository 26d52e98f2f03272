"""Procedures that are called: what they do stands in their names."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.extract.payload import words_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.wording import Kind, Verb, name_verb
from holdpoint.messages.risk import RiskLevel

MEDIUM, HIGH, CRITICAL = RiskLevel.MEDIUM, RiskLevel.HIGH, RiskLevel.CRITICAL

SHELLS = (
    "XP_CMDSHELL", "SP_OACREATE", "SP_OAMETHOD", "XP_REG", "SP_CONFIGURE", "SP_DROP",
    "SP_EXECUTE_EXTERNAL_SCRIPT",
)  # fmt: skip
"""SQL Server's own that leave it, by the beginning of their names."""

_POWERS = (
    "SP_ADDSRVROLE", "SP_ADDROLE", "SP_ADDLOGIN", "SP_ADDUSER", "SP_ADDREMOTELOGIN", "SP_ADDALIAS",
    "SP_ADDAPPROLE", "SP_ADDLINKED", "SP_ADDEXTENDEDPROC", "SP_GRANT", "SP_DENYLOGIN", "SP_REVOKE",
    "SP_PASSWORD", "SP_CHANGEDBOWNER", "SP_CHANGEOBJECTOWNER", "SP_CHANGE_USERS_LOGIN",
    "SP_SETAPPROLE", "SP_APPROLEPASSWORD", "SP_SERVEROPTION", "SP_PROCOPTION",
)  # fmt: skip
"""Those that say who may do what."""

OWN = ("SP_", "XP_")
"""How SQL Server's own begin; the first statement of a batch may call one without EXEC."""


def executed(act: Act) -> Iterator[Found]:
    """What a call does stands in its name; a variable says nothing. Strings are read elsewhere."""
    if act.word(1) in {"FUNCTION", "PROCEDURE"}:
        return
    called = act.tokens[0 if act.verb.startswith(OWN) else 1 : 8]
    names = [token.text.strip('"`[]') for token in called if token.kind in {"word", "name"}]
    verb = next((verb for name in names[:3] if (verb := _verb_of(name))), None)
    if _one_of(names, SHELLS):
        yield act.found("sql.shell", CRITICAL, "“{}” leaves the database for its machine", 3)
    elif _one_of(names, _POWERS):
        yield act.found("sql.power", HIGH, "“{}” changes who may do what", 0)
    elif verb and verb.kind is Kind.DELETE:
        yield act.found("sql.call", HIGH, "“{}” calls what takes something away", 3)
    elif (_is_dynamic(act) and not any(act.strings())) or _of_another_call(act):
        yield act.found("sql.dynamic", HIGH, "“{}” runs a statement that nobody can read yet", 0)
    else:
        yield act.found("sql.call", MEDIUM, "“{}” runs something defined elsewhere", 3)


def _of_another_call(act: Act) -> bool:
    """MySQL's `PREPARE p FROM @q`, where this text puts no text of its own into that variable."""
    name = act.word(3)
    if act.verb != "PREPARE" or act.word(2) != "FROM" or not name.startswith("@"):
        return False
    return not any(put[1].upper() == name for put in _put.finditer(act.text))


_put = re.compile(r"(?i)(@\w{1,64})\s{0,9}:?=(?=[^;@'\"]{0,200}['\"])")
"""A variable that is given a text, or a function of one."""


def _verb_of(name: str) -> Verb | None:
    """The verb of `delete_orders`, `usp_DeleteOrders`."""
    words = [word for word in words_of(name) if word not in _KINDS]
    return name_verb(name.lower()) or name_verb("_".join(words))


_KINDS = word_set("usp sp proc prc fn")
"""What the names of procedures begin with by custom."""


def _one_of(names: list[str], starts: tuple[str, ...]) -> bool:
    return any(name.upper().startswith(starts) for name in names)


def _is_dynamic(act: Act) -> bool:
    first = act.word(1)
    return act.word(1) in {"(", "IMMEDIATE"} or first.startswith("@") or "SP_EXECUTESQL" in first
