"""Production by its name: what restarts, stops or goes back there is felt at once."""

import re

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH, asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.messages.risk import Heuristic

_LIVE = word_set("prod production prd")
_BEFORE = word_set("pre non not preprod staging stage test dev qa uat")
"""Beside one of these, it is not."""

_ORDERS = re2.compile(
    r"(?i)\brollout (?:restart|undo|pause)\b|\bforce-new-deployment\b"
    r"|^(?:helm|nomad|gcloud|heroku) (?:\S+ )*?(?:\w+:)?rollback\b"
    r"|\b(?:ps|dynos?):(?:restart|stop)\b|\bstate=(?:restarted|stopped)\b"
    r"|\b(?:stop|reboot)-(?:db-instance|db-cluster|instances)\b"
    r"|\b(?:systemctl|docker|podman|compose|supervisorctl|pm2|apps?|machines?|allocs?|jobs?|instances"
    r"|vm|service) (?:-\S+ (?:\S+ )??)*(?:restart|stop|kill|suspend|deallocate)(?:$|[\s;&|'\")])"
    r"|\bservice \S+ (?:restart|stop)(?:$|[\s;&|'\")])"
    r"|\b(?:pg_ctl|apachectl|rabbitmqctl) (?:\S+ )*?(?:restart|stop|stop_app)\b"
    r"|(?:\bsudo|[;&|]|^ssh \S+) *(?:pkill|killall|kill) "
)
RUN_FAR = word_set(
    "kubectl oc k helm ssh docker podman nomad aws gcloud az heroku fly flyctl ansible systemctl"
)
"""Programs that are told where: by a host, a namespace, a context, an application."""


def felt(command: Command) -> list[Danger]:
    """`kubectl rollout restart deploy -n production`, `ssh prod-1 systemctl restart postgresql`."""
    text = " ".join((command.name, *command.args))
    if not _live(text) or not any(map(is_live, command.args)) or not _ORDERS.search(text):
        return []
    return [] if asks_for_help(command) or runs_dry(command) else [_FELT]


def is_live(word: str) -> bool:
    """Whether it names production: `prod-db-1`, `--context=prod-eu`, `-n live`; a file does not."""
    if len(word) > MAX_NAME or " " in word or _FILE.search(word):
        return False
    parts = _part.split(word.lower())
    named = not _LIVE.isdisjoint(parts) or word.rpartition("=")[2] == "live"
    return named and _BEFORE.isdisjoint(parts)


MAX_NAME = 120
_live = glance(r"(?i)prod|prd|live")
_part = re.compile(r"[^a-z]+")
_FILE = re.compile(r"\.(?:pem|key|pub|json|ya?ml|conf|env|log|txt|sh|py)$")
_FELT = Danger(
    "shell.production", HIGH, "stops or restarts what runs in production", "restart",
    Heuristic.CRITICALITY,
)  # fmt: skip
