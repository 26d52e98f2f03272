"""Code from the network that is applied unread; PowerShell commands."""

import re
from collections.abc import Iterator

import re2

from holdpoint.core.risk.knowledge import by_word, pattern, words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.command_rules import asks_for_help, runs_dry
from holdpoint.core.risk.shell.command_verbs import subcommands
from holdpoint.core.risk.shell.inner_commands import unseen
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, HOLE, Command, Danger, Origin
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, place_of

_CLUSTER = "apply create replace patch delete run install upgrade deploy"
_CONTAINERS = "build buildx bake compose stack play kube up"
_QUERIES = "-c -e -q -Q --command --execute --query --eval"

_WORDS = by_word("words/shell:fetched.applying_words")

_ALWAYS = words("words/shell:fetched.input_is_an_order")

_ASKED = words("words/shell:fetched.databases")

_COPIES = word_set(f"{_QUERIES} --import-only --raw")


def applied_downloads(command: Command) -> list[Danger]:
    """Whether it applies what the network sends."""
    fetches = _reads_network(command) or _names_network(command)
    if not fetches or asks_for_help(command) or runs_dry(command):
        return []
    name = command.name
    words = _WORDS.get(name)
    if words is not None:
        applied = not word_set(words).isdisjoint(_told(command))
    elif name in _UNPACKS:
        applied = any(place_of(arg) in SYSTEM for arg in command.args)
    else:
        applied = name in _ALWAYS or (name in _ASKED and _COPIES.isdisjoint(command.args))
    return [unseen(Origin.REMOTE)] if applied else []


_UNPACKS = word_set("patch cpio")
"""Programs that change files where they are told to."""

INPUT_APPLIERS = frozenset((*_WORDS, *_ALWAYS, *_ASKED, *_UNPACKS))
"""Programs that this may have something to say about."""


def _reads_network(command: Command) -> bool:
    if command.stdin is not None and command.stdin.origin is Origin.REMOTE:
        return True
    return any(arg.startswith(_FETCHED) for arg in command.args)


def _names_network(command: Command) -> bool:
    """`kubectl apply -f https://…`: the manifest is fetched by the tool itself."""
    names = _MANIFESTS.get(command.name)
    if names is None:
        return False
    options = read_options(command.args, word_set(names))
    named = [options.value(name) for name in names.split()]
    charts = options.words[1:4] if command.name == "helm" else ()
    return any(word.startswith(_ADDRESSES) for word in (*named, *charts))


_MANIFESTS = {
    **dict.fromkeys(["kubectl", "oc", "k", "k3s", "microk8s", "kapp"],
                    "-f --filename -k --kustomize"),
    "helm": "-f --values",
}  # fmt: skip
"""Options whose value is what a cluster is to run."""

_ADDRESSES = ("http://", "https://", "git::", "git@", "github.com/", "ssh://", "oci://http")
_FETCHED = f"{HOLE}(fetched)"


def _told(command: Command) -> Iterator[str]:
    yield from subcommands(command.args)
    yield from (arg for arg in command.args if arg.startswith("-"))


def fetched_and_run(text: str) -> Danger | None:
    """`iex (iwr http://…)`: brackets that no shell but PowerShell reads so."""
    return _FETCHED_CODE if _evaluated.search(text) else None


_evaluated = re2.compile("(?i)" + pattern("patterns/shell:downloaded_code.evaluated"))
_FETCHED_CODE = Danger("shell.fetched-code", CRITICAL, "runs code fetched from the network", "run")
EVALUATES = word_set("iex invoke-expression")


_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z]*")
_TAKES = word_set(
    "remove clear disable uninstall revoke unregister reset format initialize dismount"
)
_CHEAP = words("words/shell:windows.replaceable_things")
_GRAVE_ANYWAY = word_set("itemproperty recyclebin")


def is_cmdlet(path: str) -> bool:
    """Whether a program's name is `Verb-Noun`."""
    return "-" in path and _CMDLET.fullmatch(path) is not None


def cmdlet(command: Command) -> list[Danger]:
    """What the verb of its name takes away; the words behind are values."""
    verb, _, noun = command.name.partition("-")
    if verb not in _TAKES or (noun in _CHEAP and noun not in _GRAVE_ANYWAY):
        return []
    if any(arg.lower() == "-whatif" for arg in command.args):
        return []
    return [Danger(f"shell.verb-{verb}", HIGH, f"takes something away: `{verb}`", verb)]
