"""Who applies what the network sends, unread: clusters, databases, firewalls, packages, builds."""

from collections.abc import Iterator

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.inner_commands import unseen
from holdpoint.core.risk.shell.model import HOLE, Command, Danger, Origin
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.paths import SYSTEM, place_of
from holdpoint.core.risk.shell.verbs import subcommands

_CLUSTER = "apply create replace patch delete run install upgrade deploy"
_CONTAINERS = "build buildx bake compose stack play kube up"
_QUERIES = "-c -e -q -Q --command --execute --query --eval"

_WORDS = {
    **dict.fromkeys(["kubectl", "oc", "k", "k3s", "microk8s", "kapp", "helm", "argocd", "argo",
                     "flux", "tkn", "kn", "istioctl", "nomad", "juju", "pulumi"], _CLUSTER),
    **dict.fromkeys(["docker", "podman", "nerdctl", "buildah", "img", "kaniko"],
                    f"{_CONTAINERS} bud"),
    **dict.fromkeys(["docker-compose", "podman-compose"], "up run create build start"),
    **dict.fromkeys(["terraform", "tofu"], "apply import"),
    **dict.fromkeys(["aws", "gcloud", "az", "openstack"],
                    "create-stack update-stack create-change-set deploy deployments deployment "
                    "put-bucket-policy put-role-policy create-policy set-iam-policy import"),
    "vault": "policy write", "consul": "kv config", "etcdctl": "put txn", "nix": "run build shell",
    "dpkg": "-i --install", "rpm": "-i -U -Uvh -ivh -F --install --upgrade", "apk": "add",
    "pip": "install", "pip3": "install", "dconf": "load", "nft": "-f --file", "pfctl": "-f",
    "sysctl": "-p --load", "rails": "runner r console", "manage.py": "shell",
    "gpg": "--import-ownertrust", "go": "run", "deno": "run", "uv": "run",
    "zfs": "receive recv", "btrfs": "receive", "reg": "import", "virsh": "define create",
    **dict.fromkeys(["make", "gmake", "bmake"], "-f --file --makefile"),
    "ip": "-batch -b", "tc": "-batch -b", "git": "fast-import",
}  # fmt: skip
"""Programs that apply their input, and the words of which one makes them do so."""

_ALWAYS = word_set(
    "iptables-restore ip6tables-restore ipset ebtables-restore chpasswd newusers visudo "
    "debconf-set-selections ldapmodify ldapadd ldapdelete nsupdate ansible-playbook salt-call "
    "puppet chef-apply chef-client tclsh wish expect nix-shell nix-build pg_restore mongorestore "
    "dbshell kubectl-apply kubeapply setfacl restore undump"
)
"""Programs of which the input is an order, whatever stands beside it."""

_ASKED = word_set(
    "psql mysql mariadb sqlite3 sqlite mongosh mongo redis-cli valkey-cli cqlsh clickhouse-client "
    "clickhouse cockroach sqlcmd sqlplus mysqlsh cypher-shell duckdb snowsql beeline hive influx"
)
"""Databases: their input is orders, unless their words say what is to be done with it."""

_COPIES = word_set(f"{_QUERIES} --import-only --raw")


def applies_fetched(command: Command) -> list[Danger]:
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

APPLIERS = frozenset((*_WORDS, *_ALWAYS, *_ASKED, *_UNPACKS))
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
