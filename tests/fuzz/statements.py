"""Other ways to write the same SQL, and to have it run."""

import re
import shlex

from tests.fuzz.disguise import Disguise, Reworded, as_call, as_shell, of_text

from holdpoint.policy_lab.cases import Line, LineKind

_change = re.compile(r"\s*(?:delete|update|insert|merge)\b", re.IGNORECASE)
_keyword = re.compile(
    r"\b(?:delete|from|drop|table|truncate|update|set|where|alter|database|schema|column)\b",
    re.IGNORECASE,
)
_named = re.compile(
    r"(\b(?:delete\s+from|update|truncate\s+table|drop\s+table)\s+)([a-z]\w*)(?=[\s;]|$)",
    re.IGNORECASE,
)
"""A statement and its table, where that is one plain word."""

_NO_NAMES = frozenset({"if", "only", "table", "from", "set", "low_priority", "ignore"})


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _ended(text: str) -> str:
    return text.rstrip().rstrip(";")


def _plain(change: Reworded) -> Reworded:
    """Not where signs inside literals, quoted names or comments could be changed too."""
    return lambda text: text if re.search(r"['\"`#$\[]|--|/\*", text) else change(text)


def _renamed(form: str) -> Reworded:
    def named(found: re.Match[str]) -> str:
        if found[2].lower() in _NO_NAMES:
            return found[0]
        return found[1] + form.format(found[2])

    return _plain(lambda text: _named.sub(named, text, count=1))


def _changing(form: str) -> Reworded:
    """Around one statement that changes rows."""
    return lambda text: (
        form.replace("{}", text) if _change.match(text) and ";" not in text.rstrip("; \n") else text
    )


def _odd_case(text: str) -> str:
    return "".join(sign.upper() if at % 2 else sign.lower() for at, sign in enumerate(text))


def _keywords(change: Reworded) -> Reworded:
    return _plain(lambda text: _keyword.sub(lambda found: change(found[0]), text))


TEXTS: dict[str, Reworded] = {
    "comment first": "/* read only */ {}".format,
    "line comment first": "-- a report\n{}".format,
    "comment last": lambda text: f"{_ended(text)} -- WHERE id = 7",
    "comments for blanks": _plain(lambda text: "/**/".join(text.split(" "))),
    "comments between": _plain(lambda text: text.replace(" ", " /* x */ ")),
    "line comments between": _plain(lambda text: text.replace(" ", " --\n", 2)),
    "lines": _plain(lambda text: "\n".join(text.split(" "))),
    "tabs": _plain(lambda text: "\t".join(text.split(" "))),
    "carriage returns": _plain(lambda text: "\r\n".join(text.split(" "))),
    "no-break spaces": _plain(lambda text: text.replace(" ", "\u00a0")),
    "odd case": _keywords(_odd_case),
    "upper case": _keywords(str.upper),
    "lower case": _keywords(str.lower),
    "invisible": _keywords(lambda word: f"{word[:1]}\u200b{word[1:]}"),
    "full width": _keywords(lambda word: "".join(chr(ord(sign) + 0xFEE0) for sign in word)),
    "look-alike": _keywords(lambda word: word.replace("e", "\u0435").replace("E", "\u0435")),
    "quoted name": _renamed('"{}"'),
    "backticked name": _renamed("`{}`"),
    "bracketed name": _renamed("[{}]"),
    "schema": _renamed("shop.{}"),
    "semicolons": lambda text: f";;{_ended(text)};;",
    "harmless first": "SELECT 1; {}".format,
    "harmless last": lambda text: f"{_ended(text)}; SELECT 1;",
    "open quote last": lambda text: f"{_ended(text)}; SELECT 'open",
    "nonsense last": lambda text: f"{_ended(text)}; SELECT ((1 FROM)) WHERE",
    "transaction": lambda text: f"BEGIN; {_ended(text)}; COMMIT;",
    "settings first": "SET statement_timeout = 0; {}".format,
    "with": _changing("WITH a AS (SELECT 1) {}"),
    "explain analyze": _changing("EXPLAIN ANALYZE {}"),
    "explain options": _changing("EXPLAIN (ANALYZE, VERBOSE) {}"),
    "do block": lambda text: f"DO $x$ BEGIN {_ended(text)}; END $x$",
    "executed in a block": lambda text: f"DO $x$ BEGIN EXECUTE {_quoted(text)}; END $x$",
    "execute": lambda text: f"EXECUTE {_quoted(text)}",
    "execute immediate": lambda text: f"EXECUTE IMMEDIATE {_quoted(text)}",
    "exec": lambda text: f"EXEC({_quoted(text)})",
    "sp_executesql": lambda text: f"EXEC sp_executesql N{_quoted(text)}",
    "prepared": lambda text: f"PREPARE p AS {_ended(text)}; EXECUTE p",
    "prepared from": lambda text: f"PREPARE p FROM {_quoted(text)}; EXECUTE p",
    "prepared from a variable": lambda text: (
        f"SET @q = {_quoted(text)}; PREPARE p FROM @q; EXECUTE p"
    ),
    "block": lambda text: f"BEGIN {_ended(text)}; END;",
    "if": lambda text: f"IF 1 = 1 BEGIN {_ended(text)} END",
    "procedure": lambda text: (
        f"CREATE PROCEDURE p() AS $x$ BEGIN {_ended(text)}; END $x$ LANGUAGE plpgsql; CALL p()"
    ),
    "delimiter": lambda text: f"DELIMITER //\n{_ended(text)} //\nDELIMITER ;",
    "go": lambda text: f"USE shop\nGO\n{_ended(text)}\nGO",
    "code fence": "```sql\n{}\n```".format,
}
SHELLS: dict[str, Reworded] = {
    "psql": lambda text: f"psql -h db -U app -c {shlex.quote(text)} shop",
    "mysql": lambda text: f"mysql -u root -pX shop -e {shlex.quote(text)}",
    "sqlite3": lambda text: f"sqlite3 shop.db {shlex.quote(text)}",
    "piped": lambda text: f"echo {shlex.quote(text)} | psql shop",
    "herestring": lambda text: f"mysql shop <<< {shlex.quote(text)}",
    "heredoc": lambda text: f"psql shop <<'END'\n{text}\nEND",
    "python": lambda text: f"python3 -c {shlex.quote(f'cursor.execute({text!r})')}",
}


def _call(line: Line) -> Line:
    return as_call(line, "run_query", query=line.text)


def _listed(line: Line) -> Line:
    return as_call(line, "db.batch", statements=["SELECT 1", line.text])


def _shelled(name: str, change: Reworded) -> Disguise:
    return Disguise(name, LineKind.SQL, lambda line: as_shell(line, change(line.text)))


STATEMENTS = (
    *of_text(LineKind.SQL, TEXTS),
    *(_shelled(name, change) for name, change in SHELLS.items()),
    Disguise("as a call", LineKind.SQL, _call),
    Disguise("in a list", LineKind.SQL, _listed),
)
