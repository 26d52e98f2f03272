"""Programs that are loaded into the server: libraries, extensions, languages without bounds."""

import re
from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, Found
from holdpoint.core.risk.sql.foreign import is_untrusted, language
from holdpoint.messages.risk import RiskLevel

HIGH = RiskLevel.HIGH

_LIBRARIES = word_set("PLUGIN COMPONENT SONAME")
_BESIDE = word_set("IF NOT EXISTS OR REPLACE TRUSTED PROCEDURAL EXTENSION LANGUAGE CREATE ALTER")
_address = re.compile(r"'?[A-Za-z][\w+]{1,12}://")


def installed(act: Act) -> Iterator[Found]:
    """MySQL's INSTALL PLUGIN, and DuckDB's INSTALL from an address."""
    away = any(_address.match(token.text) for token in act.tokens if token.kind == "string")
    if act.word(1) in _LIBRARIES or away:
        yield act.found("sql.language", HIGH, _LOADS, 0)


_LOADS = "“{}” loads a program into the server"


def brought(act: Act) -> Iterator[Found]:
    """A CREATE that brings code: an assembly, a library, a language that may do anything."""
    kinds = {act.word(place) for place in (1, 2, 3, 4)}
    if "ASSEMBLY" in kinds:
        yield act.found("sql.language", HIGH, _LOADS, 0)
    elif kinds & {"EXTENSION", "LANGUAGE"}:
        names = (token.text.strip('"`') for token in act.tokens if token.text not in _BESIDE)
        if is_untrusted(next(names, "").lower()):
            yield act.found("sql.language", HIGH, _UNBOUND, 0)
    else:
        yield from coded(act)


def coded(act: Act) -> Iterator[Found]:
    """DO, CREATE FUNCTION: code in a language that nothing keeps inside the database."""
    if is_untrusted(language(act.tokens)) or act.has("SONAME"):
        yield act.found("sql.language", HIGH, _UNBOUND, 0)


_UNBOUND = "“{}” is code that may do whatever the server may"
