"""Package managers: what removes, publishes for good, or withdraws what others use."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    Tool,
    each,
    on,
    runs_dry,
    tool,
)
from holdpoint.core.risk.shell.model import Command, Danger, is_hole

_PUBLISHES = "publishes a package for good"
_APT = tool(
    *each("purge,autopurge", "", MEDIUM, "package-purge", "removes packages and their settings"),
    *each("remove,autoremove", "", MEDIUM, "package-remove", "removes packages"),
    *each("dist-upgrade,full-upgrade", "", MEDIUM, "package-upgrade", "may remove packages"),
    values="-o -t -c --option --target-release",
    dry="-s --simulate --dry-run --just-print --recon",
)
_DNF = tool(
    *each("remove,erase,autoremove", "", MEDIUM, "package-remove", "removes packages"),
    on("history undo", "", MEDIUM, "package-remove", "undoes an installation"),
)
_EXTENSIONS = tool(
    on("", "--uninstall-extension", MEDIUM, "package-remove", "removes an extension")
)
_VERSIONS = tool(
    *each("uninstall,remove,delete", "", MEDIUM, "package-remove", "removes a version"), verbs=True
)
"""Programs that keep several versions of a language side by side."""

_MORE_OWNERS = "lets somebody else publish a package"
_FEWER_OWNERS = "takes a package from one of its owners"
_PIP = tool(
    on(
        "uninstall",
        "-r --requirement",
        HIGH,
        "package-uninstall",
        "uninstalls whatever a file lists",
    ),
    on("uninstall", "", MEDIUM, "package-uninstall", "uninstalls packages"),
    values="-r --requirement --python",
)
_NODE_PACKAGES = tool(
    on("unpublish", "", CRITICAL, "package-unpublish", "withdraws a published package"),
    on("deprecate", "", MEDIUM, "package-deprecate", "marks a published package"),
    on("publish", "", HIGH, "package-publish", _PUBLISHES),
    *each("owner add,access grant read-write", "", HIGH, "package-owner", _MORE_OWNERS),
    on("access set", "", HIGH, "package-owner", "changes who may publish a package, and how"),
    *each("dist-tag add * latest,dist-tag set * latest", "", HIGH, "package-publish",
          "changes what others install"),
    *each("remove,uninstall,rm,un,unlink,r", "", MEDIUM, "package-remove", "removes packages"),
    *each("cache clean,cache clear,cache rm,store prune,pm cache,prune,clean,run clean,run clear,"
          "run format,run lint", "", LOW, "cache", ""),
    on("application", "-kill", HIGH, "jobs-cancel", "ends a job of a cluster"),
    on("npm unpublish", "", CRITICAL, "package-unpublish", "withdraws a published package"),
    *each("config delete,pkg delete,hook rm,dist-tag rm,owner rm,org rm,team rm", "", MEDIUM,
          "registry-change", "changes the registry"),
    dry="--dry-run", verbs=True,
)  # fmt: skip
_PYTHON_PACKAGES = tool(
    on("remove", "", HIGH, "package-uninstall", "removes packages"),
    on("publish", "", HIGH, "package-publish", _PUBLISHES),
    *each("env remove,self remove", "", MEDIUM, "env-remove", "removes an environment"),
    dry="--dry-run", verbs=True,
)  # fmt: skip

PACKAGES: dict[str, Tool] = {
    "apt": _APT, "apt-get": _APT, "aptitude": _APT, "dnf": _DNF, "dnf4": _DNF, "dnf5": _DNF,
        "yum": _DNF,
    "zypper": tool(*each("remove,rm", "", MEDIUM, "package-remove", "removes packages")),
    "pacman": tool(on("", "-R -Rs -Rns -Rsc -Rc -Rn -Rscn -Rdd", MEDIUM, "package-remove",
                      "removes packages")),
    "dpkg": tool(on("", "-r -P --remove --purge", MEDIUM, "package-remove", "removes packages"),
                 on("", "--force-all", HIGH, "package-force", "ignores what packages need")),
    "rpm": tool(on("", "-e --erase", MEDIUM, "package-remove", "removes packages")),
    "brew": tool(*each("uninstall,remove,rm,autoremove,cleanup,untap,bundle cleanup", "", MEDIUM,
                       "package-remove", "removes packages"),
                 *each("uninstall,remove,rm", "--ignore-dependencies", HIGH, "package-force",
                       "removes what others need"), dry="-n --dry-run"),
    "snap": tool(on("remove", "", MEDIUM, "package-remove", "removes packages"),
                 on("remove", "--purge", HIGH, "package-purge", "removes packages and their data")),
    "flatpak": tool(*each("uninstall,remove", "--all --delete-data", HIGH, "package-remove",
                          "removes packages with their data"),
                    *each("uninstall,remove", "", MEDIUM, "package-remove", "removes packages")),
    "pip": _PIP, "pip3": _PIP, "uv-pip": _PIP,
    "uv": tool(*each("pip uninstall,remove,python uninstall,tool uninstall,cache clean", "", MEDIUM,
                     "package-remove", "removes packages"),
               on("publish", "", HIGH, "package-publish", _PUBLISHES), dry="--dry-run"),
    "poetry": _PYTHON_PACKAGES, "pdm": _PYTHON_PACKAGES,
    "pipenv": tool(*each("uninstall,clean", "", MEDIUM, "package-remove", "removes packages"),
                   on("--rm", "", MEDIUM, "env-remove", "removes an environment")),
    "npm": _NODE_PACKAGES, "pnpm": _NODE_PACKAGES, "yarn": _NODE_PACKAGES, "bun": _NODE_PACKAGES,
    "composer": tool(on("remove", "", MEDIUM, "package-remove", "removes packages"), verbs=True),
    "dotnet": tool(on("clean", "", LOW, "cache", ""),
                   on("nuget push", "", HIGH, "package-publish", _PUBLISHES), verbs=True),
    "prisma": tool(on("format", "", LOW, "format", ""), verbs=True),
    "cargo": tool(on("yank", "", HIGH, "package-unpublish", "withdraws a published package"),
                  on("publish", "", HIGH, "package-publish", _PUBLISHES),
                  on("owner", "-r --remove", HIGH, "package-owner", _FEWER_OWNERS),
                  on("owner", "-a --add", HIGH, "package-owner", _MORE_OWNERS),
                  on("clean", "", MEDIUM, "package-remove", "deletes what a build makes again"),
                  *each("uninstall,remove,rm", "", MEDIUM, "package-remove", "removes packages"),
                  values="-p --package", dry="--dry-run -n"),
    "gem": tool(on("push", "", HIGH, "package-publish", _PUBLISHES),
                on("yank", "", HIGH, "package-unpublish", "withdraws a published package"),
                on("owner", "-r --remove", HIGH, "package-owner", _FEWER_OWNERS),
                on("owner", "-a --add", HIGH, "package-owner", _MORE_OWNERS),
                *each("uninstall,cleanup", "", MEDIUM, "package-remove", "removes packages")),
    "mvn": tool(*each("release:perform,deploy", "", HIGH, "package-publish",
        "publishes a release")),
    "gradle": tool(on("publish", "", HIGH, "package-publish", "publishes a release")),
    "twine": tool(on("upload", "", HIGH, "package-publish", _PUBLISHES)),
    "mix": tool(*each("hex.retire,hex.package", "", HIGH, "package-unpublish",
                      "withdraws a published package"),
                on("hex.publish", "--revert", HIGH, "package-unpublish",
                   "withdraws a published package"),
                on("hex.publish", "", HIGH, "package-publish", _PUBLISHES),
                *each("hex.owner add,hex.owner transfer", "", HIGH, "package-owner", _MORE_OWNERS),
                dry="--dry-run", verbs=True),
    **dict.fromkeys(["hatch", "flit", "maturin", "jsr", "lerna", "wasm-pack", "vsce", "changeset"],
                    tool(on("publish", "", HIGH, "package-publish", _PUBLISHES), dry="--dry-run -n",
                         verbs=True)),
    **dict.fromkeys(["dart", "flutter"],
                    tool(on("pub publish", "", HIGH, "package-publish", _PUBLISHES),
                         dry="--dry-run -n", verbs=True)),
    **dict.fromkeys(["cabal", "stack", "luarocks", "conan", "anaconda", "snapcraft"],
                    tool(on("upload", "", HIGH, "package-publish", _PUBLISHES), verbs=True)),
    "goreleaser": tool(on("release", "", HIGH, "package-publish", _PUBLISHES),
                       dry="--snapshot --prepare"),
    "semantic-release": tool(on("", "", HIGH, "package-publish", _PUBLISHES), dry="--dry-run -d"),
    "nuget": tool(on("push", "", HIGH, "package-publish", _PUBLISHES), verbs=True),
    "pod": tool(on("trunk push", "", HIGH, "package-publish", _PUBLISHES),
                on("trunk add-owner", "", HIGH, "package-owner", _MORE_OWNERS), verbs=True),
    **dict.fromkeys(["code", "code-insiders", "codium", "cursor"], _EXTENSIONS),
    **dict.fromkeys(["nvm", "fnm", "pyenv", "rbenv", "nodenv", "jenv", "goenv", "asdf", "mise",
                     "volta", "sdk"], _VERSIONS),
    "conda": tool(*each("remove,uninstall,env remove,clean", "", MEDIUM, "package-remove",
                        "removes packages"), values="-n -p --name --prefix", dry="-d --dry-run"),
}  # fmt: skip
"""By name."""
PACKAGES["mvnw"] = PACKAGES["mvn"]
PACKAGES["gradlew"] = PACKAGES["gradle"]
PACKAGES["mamba"] = PACKAGES["conda"]


def unlisted(command: Command) -> list[Danger]:
    """`pip uninstall -y $(pip freeze)`: packages that nobody named."""
    if "uninstall" in command.args[:2] and any(map(is_hole, command.args)):
        return [Danger("shell.package-uninstall", HIGH, "uninstalls whatever is found", "remove")]
    return []


def essential(command: Command) -> list[Danger]:
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

_REMOVES = word_set(
    "remove purge erase autoremove uninstall del rm -r -P -e --remove --purge --erase --unmerge -C"
)
_REGARDLESS = word_set(
    "--nodeps --force-all --force-remove-essential --force-depends --allow-remove-essential -Rdd "
    "-Rsdd -Rddns -Rnsdd --force-removal-of-essential-packages --skip-broken=no"
)
_ONLY_SHOWS = word_set("-s --assumeno --assume-no --print --noaction --test -n -D -p --pretend")
_ESSENTIAL = word_set(
    "libc6 glibc musl systemd bash coreutils dpkg apt rpm yum dnf pacman zypper kernel linux sudo "
    "openssh-server util-linux init grub grub2 login passwd base-files base busybox libc-bin"
)
PACKAGERS = (
    "apt", "apt-get", "aptitude", "dpkg", "dnf", "dnf5", "yum", "zypper", "rpm", "pacman", "apk",
    "opkg", "emerge", "xbps-remove",
)  # fmt: skip
"""Those that keep the system itself."""
