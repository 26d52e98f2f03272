"""The title of a card: one line in the tool's own words, or the agent's sentence."""

from typing import Any

import msgspec

from holdpoint.core.card_covers import (
    arguments_of,
    cover_of,
    credentials_alone,
    names_run,
    secrets_of,
)
from holdpoint.core.claims import call_title
from holdpoint.core.grouped_digits import grouped
from holdpoint.core.plans import title_of_plan
from holdpoint.core.redaction.display import MASK, Cover, cover, is_sensitive, masked, one_line
from holdpoint.core.sentences import title_of_words
from holdpoint.core.telling_argument import telling_argument
from holdpoint.messages.action import Pending
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold
from holdpoint.messages.risk import Scope

NOT_GIVEN = "(not given)"
"""Word of a title for an argument that is left out and has no default in the schema."""

EMPTY = "“”"
"""Word of a title for an argument that is given and empty."""

UNKNOWN_VERB = "change"
"""Word of a title where nobody knows what is done."""

UNCOUNTED = "an unknown number of"
"""Word of a title where nobody counted."""


def title_of(hold: Hold, tool: Tool | None) -> str:
    """One line in the tool's own words: `Delete 412 rows in prod.users`."""
    hide = cover_of(hold, secrets_of(hold, tool))
    if hold.steps:
        return one_line(hide(title_of_plan(hold)))
    if hold.action is None:
        return one_line(_sentence(hold, hide))
    if tool is None:
        return hold.action.tool
    if own := own_summary(hold):
        return one_line(hide(own[:1].upper() + own[1:]))
    known: dict[str, Any] = {
        **{
            name: word(part) or EMPTY
            for name, part in masked(*arguments_of(hold, tool), names_run(hold)).items()
        },
        "affected": _count(hold.assessment.affected),
        "acts_on": _acts_on(hold, tool),
        "target": hold.assessment.target or hold.action.domain,
        "verb": hold.assessment.verb or UNKNOWN_VERB,
    }
    return one_line(hide(_filled(tool, known)))


def pending_of(hold: Hold) -> Pending | None:
    """The confirmation in the tool's own words, frozen into the action with its dry run."""
    raw = hold.action.preconditions.get("pending") if hold.action else None
    return None if raw is None else msgspec.convert(raw, Pending)


def own_summary(hold: Hold) -> str:
    """Return the tool's own words for what it does; empty where its template says it."""
    if (own := pending_of(hold)) is not None:
        return own.summary
    return str(hold.action.preconditions.get("summary", "")) if hold.action else ""


_ROWS = "{affected} rows"

ROW_VERBS = frozenset({"delete", "update", "insert", "replace", "merge", UNKNOWN_VERB})
"""Verbs that concern rows: any other, such as `drop`, concerns the target as a whole."""


def _filled(tool: Tool, known: dict[str, Any]) -> str:
    """The template with its words; one that does not fit the arguments gives way to the name."""
    template = _template(tool.template, known)
    try:
        title = template.format_map(_Known(known, tool))
        ours = template[:1].isalpha() or template.startswith("{verb}")
        return title[:1].upper() + title[1:] if ours else title
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return tool.name


def _template(template: str, known: dict[str, Any]) -> str:
    """The template for one row, for several, or for the whole table: `Drop crm.leads`."""
    is_whole = known["affected"] == UNCOUNTED or template.startswith("{verb}")
    if is_whole and known["verb"] not in ROW_VERBS:
        return template.replace(f"{_ROWS} in ", "")
    if known["affected"] == "1":
        return template.replace(_ROWS, _ROWS.removesuffix("s"))
    return template


def word(value: Any) -> str:
    """An argument as a title says it: `1,150.00 USD`, `a, b`."""
    match value:
        case {"value": amount, "currency": currency}:
            return f"{grouped(str(amount))} {currency}"
        case list():
            return ", ".join(word(part) for part in value)
        case str():
            return value
        case _:
            return msgspec.json.encode(value).decode()


def _sentence(hold: Hold, hide: Cover) -> str:
    """`Delete 412 user accounts`, `Wire 25000 USD`; else the agent's own sentence, quoted."""
    said, found = hold.metadata, hold.assessment
    kind = found.verb or said.action_type.replace("_", " ") or "go on"
    does = hide(kind[:1].upper() + kind[1:])
    if isinstance(said.scope, Scope):
        return f"{does} {said.scope.records:,} {hide(said.scope.type.replace('_', ' '))}"
    if found.amount:
        return f"{does} {hide(word(found.amount))}"
    covered = cover(credentials_alone(hold))
    words, call = (hide(covered(it)) for it in (hold.says, call_title(hold.claim, word)))
    return title_of_words(words, found.signals, one_line(call)) or does


def _acts_on(hold: Hold, tool: Tool) -> str:
    """Return what a call is about where no dry run tells it, behind a blank: ` README.md`."""
    shown = masked(*arguments_of(hold, tool), names_run(hold))
    names, required = tool.schema.get("properties", {}), tool.schema.get("required", ())
    own = hold.action.tool if hold.action else ""
    text = telling_argument(shown, names, required, own)
    return f" {text}" if text else ""


def _count(affected: int | None) -> str:
    return UNCOUNTED if affected is None else f"{affected:,}"


class _Known(dict[str, Any]):
    """A template's words; one that the call leaves out is what its worker will take for it."""

    def __init__(self, known: dict[str, Any], tool: Tool) -> None:
        super().__init__(known)
        self._tool = tool

    def __missing__(self, key: str) -> str:
        described = self._tool.schema.get("properties", {}).get(key, {})
        if "default" not in described or described["default"] in (None, ""):
            return NOT_GIVEN
        if is_sensitive(key) or f"/{key}" in self._tool.secret:
            return MASK
        return word(described["default"])
