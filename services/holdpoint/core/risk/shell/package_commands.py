"""Package managers: what a system stands on, and where packages come from."""

import re

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.command_verbs import subcommands
from holdpoint.core.risk.shell.dry_runs import asks_for_help, runs_dry
from holdpoint.core.risk.shell.model import HIGH, Command, Danger, is_hole
from holdpoint.core.risk.shell.network_commands import is_foreign
from holdpoint.messages.risk import Heuristic


def unnamed_packages(command: Command) -> list[Danger]:
    """`pip uninstall -y $(pip freeze)`: packages that nobody named."""
    if "uninstall" in command.args[:2] and any(map(is_hole, command.args)):
        return [Danger("shell.package-uninstall", HIGH, "uninstalls whatever is found", "remove")]
    return []


def essential_packages(command: Command) -> list[Danger]:
    """Removing what the system stands on, everything that fits a pattern, or against all advice."""
    args = command.args
    removes = not _REMOVES.isdisjoint(args) or any(arg.startswith("-R") for arg in args)
    if not removes or runs_dry(command) or not _ONLY_SHOWS.isdisjoint(args):
        return []
    if any(map(_is_essential, args)) or not _REGARDLESS.isdisjoint(args):
        return [Danger("shell.package-essential", HIGH, "removes what the system needs", "remove")]
    return []


def _is_essential(package: str) -> bool:
    """Whether the system, or what others keep in it, stands on this package."""
    if package in _ESSENTIAL or package.startswith(("linux-image", "kernel")) or "*" in package:
        return True
    return _RELIED_ON.fullmatch(package.partition(":")[0]) is not None


_RELIED_ON = re.compile(
    r"(?:postgresql|mysql(?:-community)?|mariadb|percona|mongodb(?:-org)?|redis|valkey|cassandra"
    r"|elasticsearch|opensearch|clickhouse|couchdb|influxdb|neo4j|etcd|rabbitmq|mssql)"
    r"(?:-?\d[\d.]*)?(?:-(?:server|core|common))*(?:-?\d[\d.]*)?"
    r"|(?:openssl|openssh|docker(?:-ce|\.io|-engine|-ee)?|moby-engine|containerd(?:\.io)?|kubelet|libssl"
    r"|cri-o|k3s|nfs-kernel|libc|glibc|systemd)(?:-?\d[\w.]*)?(?:-(?:server|core|libs|common))*"
)
"""Databases, the way in, what encrypts, what containers run on; not their clients and tools."""

_REMOVES = words("words/shell:packages.removing_words")
_REGARDLESS = words("words/shell:packages.options_against_advice")
_ONLY_SHOWS = word_set("-s --assumeno --assume-no --print --noaction --test -n -D -p --pretend")
_ESSENTIAL = words("words/shell:packages.essential")
SYSTEM_MANAGERS = words("words/shell:packages.system_managers")


_PLAIN = "http://"
_BRINGS = words("words/shell:packages.installing_words")
_HOST = re.compile(r"http://(?:[^/@\s]*@)?([^/:\s]+)")


def plain_http_sources(command: Command) -> list[Danger]:
    """`pip install -i http://…`, `npm config set registry http://…`."""
    named = [arg for arg in command.args if _PLAIN in arg]
    if not named or asks_for_help(command) or runs_dry(command):
        return []
    hosts = [found[1] for arg in named if (found := _HOST.search(arg))]
    brings = not _BRINGS.isdisjoint(subcommands(command.args)[:2])
    return [_UNPROTECTED] if brings and any(map(is_foreign, hosts)) else []


INSTALLERS = words("words/shell:packages.installers")

_UNPROTECTED = Danger(
    "shell.fetched-unprotected", HIGH, "installs what anybody on the way can change", "install",
    Heuristic.CRITICALITY,
)  # fmt: skip
