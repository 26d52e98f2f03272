"""Connections that no longer prove whom they lead to, by a setting that stays."""

import re
from collections.abc import Iterable

from holdpoint.core.risk.shell.model import HIGH, Danger
from holdpoint.messages.risk import Heuristic


def exports(declared: str) -> bool:
    """`export X=0`, `declare -x X=0`: whether every program to come gets such a variable."""
    head, *words = declared.split()
    handed = head == "export" or any(word[:1] == "-" and "x" in word for word in words)
    return handed and blinded(words)


def blinded(assigned: Iterable[str]) -> bool:
    """Whether one of these variables tells every program to come to pass such a proof by."""
    return any(map(_variables.fullmatch, assigned))


_variables = re.compile(
    r"(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY|(?i:npm_config_strict_ssl))"
    r"=[\"']?(?:0|false)[\"']?|GIT_SSL_NO_VERIFY=[\"']?(?:1|true|yes|on)[\"']?"
    r"|GOINSECURE=.+|GOSUMDB=[\"']?off[\"']?|(?:CURL|REQUESTS)_CA_BUNDLE=(?:\"\"|'')?"
)
UNVERIFIED = Danger(
    "shell.protection-off", HIGH, "stops checking whom it talks to", "disable",
    Heuristic.CRITICALITY,
)  # fmt: skip
