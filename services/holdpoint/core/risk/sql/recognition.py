"""Whether a text is SQL by its beginning, and what of it is only data."""

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import ordered_words
from holdpoint.core.risk.sql.nested import variables_run
from holdpoint.core.risk.sql.statements import runs_strings
from holdpoint.core.risk.sql.tokens import Tokens, cuts
from holdpoint.core.risk.text import unhidden

MAX_HEAD = 2_000
"""Characters in which a text must begin like a statement."""

MAX_VERB = 16
"""Characters of its first word that are looked at: more than any verb of SQL has."""

_STARTS = ordered_words("words/sql:first_words")
"""How every text begins that the next one fits: asked first, because it is cheap."""

_BEFORE = "; \t\n\v\f\r"
"""What may stand before it."""

_states = glance(
    r"(?i)^[\s;]*(?:--[^\n]*\n|/\*[^*]*\*/|\s)*(?:select\b|with\s+\w+|insert\s+into\b|update\s+\S+\s+(?:with\s*\([^)]*\)\s*|as\s+\w+\s+)?set\b|"
    r"delete\s+from\b|drop\s+(?:table|database|schema|view|index|user|role|policy|function|procedure|trigger|"
    r"sequence|extension|materialized\s+view|type|owned\s+by|publication)\b|"
    r"truncate\s+(?:table\s+)?[\w\"`]|alter\s+(?:table|user|role|database|system)\b|"
    r"grant\s[\s\S]*\bto\b|revoke\s[\s\S]*\bfrom\b|"
    r"create\s+(?:or\s+replace\s+)?(?:table|user|role|database|schema|view|index)\b|merge\s+into\b|"
    r"(?:exec|execute)\s+\w|call\s+[\w.\"`]+\s*(?:\(|;|\z)|begin\s*;|explain\s|replace\s+into\b|copy\s+\w|"
    r"begin\s+(?:delete|update|drop|truncate|alter|grant|revoke|insert|exec|create|tran)|do\s+\$|"
    r"exec(?:ute)?\s*(?:\(|')|delimiter\s|use\s+\w+\s*(?:;|\sgo\s)|set\s+@|set\s+\w[\w.]*\s*=[^;\n]{1,80};|declare\s+@|"
    r"prepare\s+\w+\s+(?:as|from)\b|if\s[^\n]{1,80}\bbegin\b|"
    r"create\s+(?:or\s+replace\s+)?(?:procedure|function|trigger)\b)"
)


def begins_as_sql(text: str) -> bool:
    """Whether it begins like a statement; comments stand for blanks."""
    if text.isalnum():
        return False  # one word is no statement
    head = text[:MAX_HEAD] if text.isascii() else unhidden(text[:MAX_HEAD])
    if not head.lstrip(_BEFORE)[:MAX_VERB].casefold().startswith(_STARTS):
        return False
    return _states(str(_comment.sub(" ", head)) if "/*" in head or "--" in head else head)


_comment = re2.compile(r"/\*[^*]*\*/|--[^\n]*\n")


MAX_SHORT = 10_000
"""Characters of a statement that is cut once more."""

_STORES = frozenset({"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE", "COMMENT"})


def without_data(text: str) -> str:
    """The same with blanks for what its statements store; as it is where anything may run it."""
    ways = cuts(text, "") if len(text) <= MAX_SHORT and "'" in text else ()
    if len(ways) != 1 or not ways[0].whole or not all(map(_only_stores, ways[0].statements)):
        return text
    tokens = (token for one in ways[0].statements for token in one)
    for token in tokens:
        if token.kind == "string" and token.text[0] == "'":
            text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text


def _only_stores(tokens: Tokens) -> bool:
    return tokens[0].text in _STORES and not runs_strings(tokens) and not variables_run(tokens)
