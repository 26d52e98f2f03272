"""What a service's command line gives away: protections off, everybody let in, nothing left."""

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.messages.risk import Heuristic

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

_MIGHTY = re2.compile(
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
_ALL = (_HOSTED, _PROTECTION, _PUBLIC, _SHOWN, _WORLD, _MIGHTY, _REPLACES, _ZERO, _TRAFFIC)
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
    (_MIGHTY, _GIVES, "shell.power-given", "gives the powers of an administrator", "grant"),
    (_HOSTED, _RUNS, "shell.container-host", "gives a container the whole machine", "run"),
    (_REPLACES, _GIVES, "shell.infra-destroy", "deletes what the template does not name", "deploy"),
    (_TRAFFIC, _GIVES, "shell.traffic-moved", "leads everybody to another version", "update"),
    (_ZERO, _SETS, "shell.scale-zero", "stops every copy of a service", "scale"),
)


def exposures(command: Command) -> list[Danger]:
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
