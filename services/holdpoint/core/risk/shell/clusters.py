"""Clusters: what stops every copy, opens one to all, or gives a container its machine."""

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.messages.risk import Heuristic

_VALUES = words("words/shell:kubernetes.options_with_value")
_NEAR = frozenset({"", "127.0.0.1", "localhost", "::1"})
_ANYBODY = word_set(".* ^.* ^.*$ .+ ^.+$")
_MANIFESTS = word_set("apply create replace")


def clusters(command: Command) -> list[Danger]:
    """`kubectl scale --replicas=0`, `proxy --address=0.0.0.0`, a privileged pod."""
    if _ORDERS.isdisjoint(command.args) or asks_for_help(command):
        return []
    end = command.args.index("--") if "--" in command.args else len(command.args)
    options = read_options(command.args[:end], _VALUES)
    verb = options.word(0)
    if verb == "scale" and options.value("--replicas") == "0":
        return [_STOPPED]
    if verb == "proxy":
        host, hosts = options.value("--address"), options.value("--accept-hosts")
        opened = host not in _NEAR or hosts in _ANYBODY or options.has("--disable-filter")
        return [_OPENED] if opened else []
    if verb == "run" and options.has("--privileged") and not runs_dry(command):
        return [_HOST]
    if verb in _MANIFESTS and _is_mighty(command):
        return [_HOST]
    return [] if runs_dry(command) else _edited(verb, options)


def _is_mighty(command: Command) -> bool:
    """Whether what it reads gives a container the machine below it."""
    said = command.stdin.text if command.stdin else None
    return bool(said) and not runs_dry(command) and _mighty.search(said) is not None


def _edited(verb: str, options: Options) -> list[Danger]:
    """`edit clusterrole`, `label nodes --all role-`."""
    if verb == "edit" and _POWERS.intersection(options.words[1:2]):
        return [_POWER]
    return [_UNMARKED] if verb in _MARKS and _unmarks_all(options) else []


def _unmarks_all(options: Options) -> bool:
    """`label nodes --all role-`: what others find a thing by goes from each of them."""
    return options.has("--all -A") and any(word.endswith("-") for word in options.words[2:])


_MARKS = frozenset({"label", "annotate"})
_POWERS = word_set(
    "clusterrole clusterroles clusterrolebinding clusterrolebindings role roles rolebinding "
    "rolebindings"
)
_ORDERS = _MANIFESTS | _MARKS | {"scale", "proxy", "run", "edit"}
_mighty = re2.compile(
    r"\b(?:privileged|hostPID|hostIPC|hostNetwork)[\"']?\s*:\s*[\"']?true\b"
    r"|\bhostPath[\"']?\s*:\s*\{?\s*[\"']?path[\"']?\s*:\s*[\"']?/[\"']?\s*(?:[,}#\n]|$)"
)
_STOPPED = Danger("shell.kube-scale", HIGH, "stops every copy of a service", "scale")
_OPENED = Danger(
    "shell.open-to-all", HIGH, "opens a cluster to whoever comes", "open", Heuristic.CRITICALITY
)
_HOST = Danger("shell.container-host", HIGH, "gives a container the whole machine", "run")
_UNMARKED = Danger("shell.kube-unlabel", HIGH, "takes from all what others find them by", "label")
_POWER = Danger(
    "shell.power-given", HIGH, "changes who may do what in a cluster", "edit", Heuristic.CRITICALITY
)
