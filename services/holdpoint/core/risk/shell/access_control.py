"""Permissions, owners, accounts and protections: who may do what, and who is let in."""

import re
from collections.abc import Iterable

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.assignments import HISTORY_OFF
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import (
    CRITICAL,
    FILL,
    HIGH,
    HOLE,
    HOLE_END,
    MEDIUM,
    Command,
    Danger,
)
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, WIDE, Place, place_of
from holdpoint.messages.risk import Heuristic


def permissions(command: Command) -> list[Danger]:
    """chmod, chown, chgrp, setfacl: how far, and how open."""
    if asks_for_help(command):
        return []
    lists = command.name == "setfacl"
    options = read_options(command.args, _ACL_VALUES if lists else word_set("--reference --from"))
    named = lists or "--reference" in options.values
    mode, targets = ("", options.words) if named else (options.word(0), options.words[1:])
    recursive = options.has("-R --recursive") or command.many
    places = {place_of(target.removesuffix(f"/{FILL}") or "/") for target in targets}
    if recursive and not places & SYSTEM and _is_mild(command.name, mode, targets):
        return [Danger("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    if (
        recursive
        and targets
        and (places & (WIDE | SYSTEM) or (command.name == "chmod" and _shuts(mode)))
    ):
        level = CRITICAL if places & {Place.ROOT} else HIGH
        return [
            Danger(
                "shell.permissions-wide", level, "changes permissions of everything below", "change"
            )
        ]
    grave = places & SYSTEM and not (command.name in _HANDS_OVER and all(map(_is_served, targets)))
    if grave and (_opens(mode) or _shuts(mode) or command.name != "chmod"):
        return [Danger("shell.permissions-system", HIGH, "opens a part of the system", "change")]
    if recursive or _opens(mode):
        return [Danger("shell.permissions", MEDIUM, "changes permissions widely", "change")]
    return []


_HANDS_OVER = word_set("chown chgrp")
_SERVED = ("/srv/", "/opt/", "/var/www/", "/var/log/")


def _is_served(target: str) -> bool:
    """Whether one file or folder is given to the program that works with it."""
    return target.startswith(_SERVED) and ".." not in target


_ACL_VALUES = word_set("-m -x -M -X --modify --remove --set --restore")


_ONESELF = re.compile(
    rf"{HOLE}(?:USER|LOGNAME|UID|EUID){HOLE_END}(?::(?:{HOLE}(?:USER|LOGNAME|GID){HOLE_END})?)?"
)
_RUNNABLE = re.compile(r"[ugoa]*\+[xX]")


def _is_mild(name: str, mode: str, targets: tuple[str, ...]) -> bool:
    """Whether files below here become one's own, or can be run."""
    near = all(target[:1] not in {"/", "~", HOLE} and ".." not in target for target in targets)
    way = _RUNNABLE if name == "chmod" else _ONESELF
    return near and name in {"chmod", "chown"} and way.fullmatch(mode) is not None


def _opens(mode: str) -> bool:
    return mode.endswith(("777", "666")) or "+s" in mode or "o+w" in mode or "a+w" in mode or (
        len(mode) == len("4755") and mode[0] in "24657" and mode.isdigit()
    )  # fmt: skip


def _shuts(mode: str) -> bool:
    return mode.strip("0") == "" or mode in {"a-rwx", "-rwx", "777", "0777"}


def exports(declared: str) -> bool:
    """`export X=0`, `declare -x X=0`: whether every program to come gets such a variable."""
    head, *words = declared.split()
    handed = head == "export" or any(word[:1] == "-" and "x" in word for word in words)
    return handed and disables_verification(words)


def disables_verification(assigned: Iterable[str]) -> bool:
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


_MIGHTY = re.compile(
    r"(?:^|[,\s])(?:sudo|wheel|root|admin|docker|lxd|disk|shadow|adm|libvirt)(?:$|[,\s])"
)


def admin_memberships(command: Command) -> list[Danger]:
    """`usermod -aG sudo`, `adduser x wheel`, `useradd -o -u 0`: somebody becomes mighty."""
    words = list(command.args[1:] if command.name == "adduser" else command.args)
    text = " ".join(words)
    options = read_options(command.args)
    group = command.name in {"gpasswd", "adduser"} or options.has("-G --groups -g --gid")
    zero = re.search(r"(?:^|\s)(?:-o?u|--uid)[ =]0\b", text)
    if zero or (group and _MIGHTY.search(text)) or "-t user admin" in text:
        return [Danger("shell.power-given", HIGH, "gives an account the powers of an administrator",
                       "add", Heuristic.CRITICALITY)]  # fmt: skip
    return []


_TRACELESS = re.compile(r"^(?:HISTFILE(?:=(?:/dev/null)?)?|HIST(?:FILE)?SIZE=0)$")


def hidden_traces(command: Command) -> list[Danger]:
    """`unset HISTFILE`, `set +o history`, `export NODE_TLS_REJECT_UNAUTHORIZED=0`."""
    off = command.name == "set" and command.args[:2] == ("+o", "history")
    bare = command.name == "unset"
    named = (arg for arg in command.args if _TRACELESS.match(arg) and (bare or "=" in arg))
    if off or next(named, ""):
        return [HISTORY_OFF]
    return [UNVERIFIED] if command.name == "export" and disables_verification(command.args) else []


def file_attributes(command: Command) -> list[Danger]:
    """chattr: what was locked against changes is opened."""
    recursive = "-R" in command.args
    locks = recursive and any(arg[:1] == "+" and {"i", "a"} & {*arg} for arg in command.args)
    if locks and any(place_of(arg) in SYSTEM for arg in command.args):
        return [Danger("shell.chattr", HIGH, "lets nobody change the system any more", "change")]
    opens = any(arg.startswith("-") and "i" in arg[1:] for arg in command.args)
    if opens and any(arg.startswith("/") for arg in command.args):
        return [Danger("shell.chattr", HIGH, "takes a file's protection away", "change")]
    return [Danger("shell.chattr", MEDIUM, "changes attributes", "change")] if recursive else []


_PROTECTION = re2.compile(
    r"--no-(?:\w+-)*protection\b|--no-(?:is-multi-region-trail|include-global-|enable-log-)"
    r"|(?:deletion|termination|delete)-?_?protection[\"':= ]+(?:false|off)"
    r"|--(?:backup-)?retention(?:-period|-days)?[= ]0\b|status=suspended|--no-enable\b"
    r"|(?:blockpublic\w+|ignorepublicacls|restrictpublicbuckets)[\"':= ]+false"
    r"|--no-disable-api-(?:termination|stop)\b|\bfinalizers[\"':\s]+(?:null|\[\s*\])|retention\.(?:ms|bytes)=\d{1,5}\b"
)
_PUBLIC = re2.compile(
    r"\b(?:allusers|allauthenticatedusers|public-read(?:-write)?|authenticated-read)\b|group=all\b"
    r"|--(?:group|user)[= ]system:(?:unauthenticated|anonymous)\b"
    r"|--group-names? all\b|--public-access (?:blob|container)\b|--publicly-accessible\b"
    r"|\bprincipal[\"': =]+(?:\{\s*[\"']?aws[\"']?\s*:\s*)?\[?[\"']?\*"
)
_SHOWN = re2.compile(
    r"(?:--acl|-a|--predefined-acl|--canned-acl|--s3-acl)[= ][\"']?(?:public-?read(?:-?write)?"
    r"|authenticated-?read)\b|--acl-public\b|\banonymous set (?:public|download|upload)\b"
    r"|\brepo create\b.*--public\b.*--(?:source|push)\b"
    r"|\brepo create\b.*--(?:source|push)\b.*--public\b"
)
"""How what is stored is shown to all while it is put there."""

_WORLD = re2.compile(
    r"(?:^|[\s=,'\":\[{])(?:0\.0\.0\.0/0|::/0)(?:$|[\s,'\"\]}])"
    r"|\b0\.0\.0\.0\b.{1,60}\b255\.255\.255\.255\b"
    r"|--source-address-prefix(?:es)?[= ](?:\*|internet|any)(?:$|\s)"
)
"""Every address that there is."""

_ADMIN_RIGHTS = re2.compile(
    r"\bpod-security\.kubernetes\.io/enforce=privileged\b|"
    r"administratoraccess\b|\bcluster-admin\b|roles/(?:owner|editor|iam\.\w*admin)\b"
    r"|--role[= ][\"']?(?:owner|user access administrator|contributor)\b|poweruseraccess\b"
    r"|action[\"': ]+\[?[\"']?\*[\"']"
    r"|\bcreate-access-key\b.*--user-name[= ](?:root|admin(?:istrator)?)(?:\s|$)"
)
_REPLACES = re2.compile(r"\bdeployment\b.*--mode[= ]complete\b")
_ZERO = re2.compile(
    r"--(?:replicas|desired-count|desired-capacity|max-size|max-instances|node-count|num-nodes|size"
    r"|reserved-concurrent-executions)[= ]0\b|\bscale\b.*(?:[= ]|\w=)0(?:\s|$)"
    r"|\breplicas[\"']\s*(?:,\s*[\"']value[\"']\s*)?:\s*0\s*[,}]"
)
_TRAFFIC = re2.compile(r"\bupdate-traffic\b.*--to-(?:revisions|tags)[= ](?:\S*,)?[\w.-]+=100\b")
_HOSTED = re2.compile(r"[\"'](?:hostpid|hostipc|privileged)[\"']\s*:\s*true")
_ALL = (_HOSTED, _PROTECTION, _PUBLIC, _SHOWN, _WORLD, _ADMIN_RIGHTS, _REPLACES, _ZERO, _TRAFFIC)
_any = glance("|".join(one.pattern for one in _ALL))
"""One look for most commands, which say none of it."""

FEWEST = 2
"""Words of the shortest command that gives something away: `ps:scale web=0`."""

_GIVES = words("words/shell:services.granting_words")
_SETS = _GIVES | word_set("scale resize ps autoscale disable stop")
_SHOWS = _GIVES | word_set("cp mv sync rsync copy upload setacl")
_OPENS = word_set("authorize create update add modify patch ingress")
_RUNS = word_set("run create debug patch apply replace register")
_KINDS = (
    (_PROTECTION, _SETS, "shell.protection-off", "switches a protection off", "disable"),
    (_PUBLIC, _GIVES, "shell.made-public", "lets everybody in", "grant"),
    (_SHOWN, _SHOWS, "shell.made-public", "shows it to everybody", "upload"),
    (_WORLD, _OPENS, "shell.open-to-all", "opens a port to the whole world", "open"),
    (
        _ADMIN_RIGHTS,
        _GIVES,
        "shell.power-given",
        "gives the powers of an administrator",
        "grant",
    ),
    (_HOSTED, _RUNS, "shell.container-host", "gives a container the whole machine", "run"),
    (_REPLACES, _GIVES, "shell.infra-destroy", "deletes what the template does not name", "deploy"),
    (_TRAFFIC, _GIVES, "shell.traffic-moved", "leads everybody to another version", "update"),
    (_ZERO, _SETS, "shell.scale-zero", "stops every copy of a service", "scale"),
)


def exposed_services(command: Command) -> list[Danger]:
    """What it switches off or gives away, as far as its options say so."""
    if len(command.args) < FEWEST:
        return []
    text = " ".join(command.args).lower()
    if not _any(text) or asks_for_help(command) or runs_dry(command):
        return []
    kinds = [kind for kind in _KINDS if kind[0].search(text)]
    words = [arg.lower().lstrip("-").partition("=")[0] for arg in command.args]
    said = {part for word in words for part in (*word.split("-"), word.partition(":")[0])}
    return [
        Danger(rule, HIGH, reason, verb, Heuristic.CRITICALITY)
        for _, verbs, rule, reason, verb in kinds
        if verbs & said and not (verbs is _OPENS and _is_usual(text))
    ]


def _is_usual(text: str) -> bool:
    """Whether only the web is opened, or it is no firewall: a route to everywhere, a way out."""
    return not _firewall.search(text) or _web.search(text) is not None


_firewall = re2.compile(
    r"security[- ]?group|firewall|\bnsg\b|\bsecgroup\b|\bsg\b|authorized-networks|public-access"
)
_web = re2.compile(
    r"\begress\b|--(?:action|access)[= ]deny|--(?:dst-)?port[= ](?:80|443)(?:$|\s)"
    r"|--destination-port-ranges?[= ](?:80|443|80 443)(?:$|\s)|tcp:(?:80|443|80,tcp:443)(?:$|\s)"
)
