"""Production by its name: what restarts, stops or is changed there is felt at once."""

import re

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
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
_TOLD = r"(?:-[^\s=]+ [^-\s]\S* |-\S+ )*"
"""Options before an order, with what they take."""

_CHANGES = re2.compile(
    rf"(?i)^(?:kubectl|oc|k) {_TOLD}(?:set|edit|apply|patch|replace|scale|autoscale|label|annotate|"
    r"taint|cordon|create|expose|run)\b"
    rf"|^helm {_TOLD}(?:upgrade|install|uninstall)\b"
    r"|^aws (?:\S+ )*?(?:update|modify|put|deploy|publish)-[a-z]"
    r"|^gcloud (?:\S+ )*?(?:deploy|update|set|patch|resize|import|migrate|promote\S*)\b"
    r"|^az (?:\S+ )*?(?:update|set|deploy|import|swap)\b"
    r"|^ansible-playbook "
    rf"|^heroku {_TOLD}(?:config:(?:set|unset)|pg:\S+|releases:\S+|ps:scale|run|buildpacks:\S+)\b"
    rf"|^(?:fly|flyctl) {_TOLD}(?:deploy|scale|secrets set|secrets unset|ssh)\b"
    r"|^vercel (?:deploy )?(?:-\S+ )*--prod\b|^vercel (?:promote|alias set)\b"
    r"|^(?:sls|serverless|cdk|sst|eb|copilot|amplify|wrangler|firebase|netlify|railway|pulumi|kamal|"
    r"nomad|cap|dep|mina|fab|skaffold|argocd|waypoint|werf|nixops|colmena) (?:\S+ )*?"
    r"(?:deploy|up|publish|release|promote|job run|app sync|migrate)\b"
    rf"|^(?:terraform|tofu|terragrunt) {_TOLD}(?:apply|import)\b"
    rf"|^(?:docker|podman) {_TOLD}(?:compose {_TOLD}up|stack deploy|service (?:update|scale))\b"
)
_AT_HOME = re2.compile(r"^(?:az (?:account|cloud|config)|gcloud (?:config|auth|components)) ")
"""What only says how the program itself is set up."""

RUN_FAR = words("words/shell:production.programs_with_a_place")


def felt(command: Command) -> list[Danger]:
    """`kubectl rollout restart deploy -n production`, `ssh prod-1 systemctl restart postgresql`."""
    text = " ".join((command.name, *command.args))
    if not _live(text) or not any(map(is_live, command.args)) or asks_for_help(command):
        return []
    if runs_dry(command):
        return []
    if _ORDERS.search(text):
        return [_FELT]
    return [_CHANGED] if _changes(command, text) else []


def _changes(command: Command, text: str) -> bool:
    """`helm upgrade web ./chart -n prod`; a label `env=prod` is no place."""
    if not any(is_live(arg) for arg in command.args if arg[:1] == "-" or "=" not in arg):
        return False
    if command.name == "ansible-playbook" and not _REHEARSED.isdisjoint(command.args):
        return False
    return _CHANGES.search(text) is not None and not _AT_HOME.search(text)


_REHEARSED = word_set("--check -C --syntax-check --list-hosts --list-tasks --list-tags")


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
_CHANGED = Danger(
    "shell.production", HIGH, "changes what runs in production", "update", Heuristic.CRITICALITY
)
_FELT = Danger(
    "shell.production", HIGH, "stops or restarts what runs in production", "restart",
    Heuristic.CRITICALITY,
)  # fmt: skip
