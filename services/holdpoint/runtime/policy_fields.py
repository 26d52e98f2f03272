"""The fields of a policy's files, said so that an editor marks what the check would refuse."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from holdpoint.messages.base import MAX_SAFE_INTEGER
from holdpoint.messages.policy import LONGEST_REASON, RESERVED_FAMILIES, RESERVED_RULES
from holdpoint.runtime.written import BLANK, DECIMAL

Whole = Annotated[
    int,
    Field(ge=0, le=MAX_SAFE_INTEGER),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER},
                {"type": "string", "pattern": "^[0-9]{1,15}$"},
            ]
        }
    ),
]
"""A number that may stand in quotes."""

WHOLE_PERCENT = 100

Percent = Annotated[
    int,
    Field(ge=0, le=WHOLE_PERCENT),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": WHOLE_PERCENT},
                {"type": "string", "pattern": "^(?:100|[0-9]{1,2})$"},
            ]
        }
    ),
]
"""A share, which is never more than all; it may stand in quotes too."""

Text = Annotated[str, Field(min_length=1)]
Fragment = Annotated[str, Field(pattern=BLANK, max_length=1000)]
"""Something to look for: blanks alone are in every text."""

Domain = Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+$")]
FolderName = Annotated[str, Field(pattern=r"^(\*\*/)?\.?[A-Za-z0-9_][A-Za-z0-9._-]*$")]
"""A domain alone, in small letters: `acme.example`. A line that no address can match is refused."""

Amount = Annotated[str, Field(pattern=DECIMAL)]
"""Money, as a decimal string."""

_reserved = "|".join(RESERVED_FAMILIES)
_own = "|".join(RESERVED_RULES).replace(".", r"\.")
RuleId = Annotated[
    Text,
    Field(
        json_schema_extra={
            "pattern": rf"^(?!(?:{_reserved})\.)(?!(?:{_own})$)[A-Za-z0-9][A-Za-z0-9_.-]*$"
        }
    ),
]
"""`core.risk.policy_check` says it in words; an editor says it while it is typed."""

UNSEEN = r"\u0000-\u001f\u007f-\u00a0\u00ad\u2000-\u200f\u2028-\u202f\u2060-\u206f\ufeff"
Reason = Annotated[
    Text, Field(json_schema_extra={"maxLength": LONGEST_REASON, "pattern": f"^[^{UNSEEN}]*$"})
]
"""The same: one line of a card."""


def is_tried(schema: dict[str, Any]) -> None:
    """A rule without a line of its own is refused."""
    lines = schema["properties"]["must_fire"]
    lines["minItems"] = 1
    del lines["default"]
    schema["required"].append("must_fire")


def does_something(schema: dict[str, Any]) -> None:
    """A pack that has nothing is refused."""
    parts = ("patterns", "commands", "high_risk_commands", "thresholds")
    schema["anyOf"] = [{"required": [part]} for part in parts]
