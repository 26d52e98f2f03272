"""Tools that only ask a person (seed 002 removes them): known by their names.

A confirmation is the system's, not a tool's: an agent that forgets to ask is not stopped by one.
"""

import re

_ASKS = re.compile(
    r"(?:(?:ask|prompt|consult)(?:_(?:for|the|a|user|human|person|operator|owner|permission|"
    r"confirmation|approval))*"
    r"|(?:get|request|require|seek|await|wait_for)_(?:user_|human_)?"
    r"(?:confirmation|approval|permission|consent)"
    r"|(?:user|human)_(?:confirmation|approval|consent)"
    r"|confirm(?:_with_(?:user|human))?|human_in_the_loop)"
).fullmatch


def is_ask_only(name: str, domain: str) -> bool:
    """Return whether a tool of this name does nothing but ask."""
    action = name.rpartition(f"_{domain}_")[2]
    return _ASKS(action.lower()) is not None
