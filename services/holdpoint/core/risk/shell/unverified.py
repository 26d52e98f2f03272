"""Connections that no longer prove whom they lead to, by a setting that stays."""

import re
from collections.abc import Iterable

import re2

from holdpoint.core.risk.shell.effects import HIGH, asks_for_help
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.messages.risk import Heuristic

_NO = r"[= ](?:false|0|no|off)(?:\s|$)"
_YES = r"[= ](?:true|1|yes|on)(?:\s|$)"
_NODE = rf"^(?:config )?set .*?(?:strict-ssl|enablestrictssl){_NO}"
_CLUSTER = r"config set-cluster .*--insecure-skip-tls-verify(?:=true)?(?:\s|$)"
_SETTINGS = {
    **dict.fromkeys(["npm", "pnpm", "yarn", "bun"], _NODE),
    **dict.fromkeys(["kubectl", "oc", "k"], _CLUSTER),
    **dict.fromkeys(["pip", "pip3"], r"^config set \S*trusted-host "),
    **dict.fromkeys(["conda", "mamba"], rf"config --set ssl_verify{_NO}"),
    "git": rf"\bconfig (?:.* )?http\.(?:\S+\.)?sslverify{_NO}",
    "composer": rf"config .*(?:secure-http{_NO}|disable-tls{_YES})",
    "go": r"env .*-w .*\b(?:gosumdb=off|goinsecure=\S|gonosumdb=\*|goflags=-insecure)",
    "poetry": rf"config certificates\.\S+\.cert{_NO}",
    "bundle": r"config .*ssl_verify_mode 0(?:\s|$)",
    "gcloud": rf"config set auth/disable_ssl_validation{_YES}",
}
"""By program: how it is told never to look at a certificate again."""

_settings = {name: re2.compile(pattern) for name, pattern in _SETTINGS.items()}
SETTERS = frozenset(_SETTINGS)
_TOLD = frozenset({"config", "set", "env"})


def unverified(command: Command) -> list[Danger]:
    """`git config http.sslVerify false`; for one command alone it is that command's matter."""
    if _TOLD.isdisjoint(command.args):
        return []
    text = " ".join(command.args).lower()
    told = _settings[command.name].search(text) and not asks_for_help(command)
    return [UNVERIFIED] if told else []


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
