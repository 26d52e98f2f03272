"""Tools whose danger lies in the words of their arguments: databases, tasks, scripts."""

import re
from collections.abc import Callable

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.accounts import attributes, hides, joins
from holdpoint.core.risk.shell.clusters import clusters
from holdpoint.core.risk.shell.containers import containers
from holdpoint.core.risk.shell.databases import CONSOLES, console, dot_orders
from holdpoint.core.risk.shell.devices import IMAGERS, images, unfeatured
from holdpoint.core.risk.shell.effects import (
    CRITICAL,
    HIGH,
    MEDIUM,
    asks_for_help,
    is_dry,
    runs_dry,
)
from holdpoint.core.risk.shell.filling import allocated, poured
from holdpoint.core.risk.shell.firewalls import FIREWALLS
from holdpoint.core.risk.shell.forwards import forwards
from holdpoint.core.risk.shell.git import git
from holdpoint.core.risk.shell.hardware import BY_WORD
from holdpoint.core.risk.shell.letters import LETTERS, letters
from holdpoint.core.risk.shell.logins import let_in, logins, sessions
from holdpoint.core.risk.shell.machine import MACHINE
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.mounts import mounts, unmounts
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.packages import PACKAGERS, essential, unlisted
from holdpoint.core.risk.shell.payments import WALLETS, coins, sent
from holdpoint.core.risk.shell.permissions import permissions
from holdpoint.core.risk.shell.procedures import CALLERS, procedures
from holdpoint.core.risk.shell.processes import by_name, by_number
from holdpoint.core.risk.shell.redis import redis
from holdpoint.core.risk.shell.services import SERVICE_TOOLS, services
from holdpoint.core.risk.shell.sources import SOURCED, unprotected
from holdpoint.core.risk.shell.web import http, httpie, hub_api, netcat, scp, socat
from holdpoint.core.risk.shell.windows import NAMES as WINDOWS_NAMES
from holdpoint.core.risk.shell.windows import windows


def _sfdisk(command: Command) -> list[Danger]:
    """A script on its input writes a partition table."""
    if command.stdin is None or is_dry(
        MACHINE[command.name], read_options(command.args), command.args
    ):
        return []
    return [Danger("shell.partition", CRITICAL, "writes a partition table", "partition")]


def _alembic(command: Command) -> list[Danger]:
    """Down to an older schema."""
    if command.args[:1] == ("downgrade",) and "--sql" not in command.args:
        return [
            Danger("shell.database-reset", HIGH, "takes a schema back, with its data", "downgrade")
        ]
    return []


def _ansible(command: Command) -> list[Danger]:
    text = " ".join(command.args)
    if _taken.search(text):
        return [Danger("shell.ansible-absent", HIGH, "removes things on many machines", "remove")]
    module = read_options(command.args, word_set("-m --module-name"))
    if module.value("-m", "--module-name") in _DOWN or _stopped.search(text):
        return [_MANY_STOPPED]
    return []


_stopped = re2.compile(r"\bstate\s*[=:]\s*[\"']?stopped\b")
_MANY_STOPPED = Danger("shell.machine-stop", HIGH, "stops what runs on many machines", "stop")
_taken = re2.compile(r"\bstate\s*[=:]\s*[\"']?absent\b")
_DOWN = word_set("reboot shutdown community.general.shutdown ansible.builtin.reboot")


def _osascript(command: Command) -> list[Danger]:
    text = " ".join(command.args).lower()
    text = _quoted_said.sub("", text)
    if "delete" in text or "empty" in text or "shut down" in text or "erase" in text:
        return [Danger("shell.script-deletes", HIGH, "deletes through another program", "delete")]
    return []


_quoted_said = re.compile(r"(?:display (?:notification|dialog|alert)|say) \"[^\"]*\"")
"""What is only shown or spoken."""

_mongo_drops = re2.compile(
    r"(?i)\.\s*(?:drop|dropdatabase|dropindexes|remove|deletemany|shutdownserver|dropuser|droprole"
    r"|dropallusers\w*)\b|\.updatemany\(\s*\{\s*\}|\bshutdown['\"]?\s*:|\brs\.(?:remove|reconfig)\("
)


def _mongo(command: Command) -> list[Danger]:
    text = " ".join(command.args) + ((command.stdin.text or "") if command.stdin else "")
    if _mongo_drops.search(text):
        return [Danger("shell.mongo-drop", CRITICAL, "drops data in MongoDB", "drop")]
    return []


def _nsupdate(command: Command) -> list[Danger]:
    said = (command.stdin.text or "") if command.stdin else ""
    if "delete" in said:
        return [Danger("shell.dns-delete", HIGH, "deletes DNS records", "delete")]
    return []


def _ldapmodify(command: Command) -> list[Danger]:
    said = (command.stdin.text or "").lower() if command.stdin else ""
    if "changetype: delete" in said:
        return [Danger("shell.directory-delete", HIGH, "deletes entries of a directory", "delete")]
    return []


def _framework(command: Command) -> list[Danger]:
    """rails, rake, artisan, manage.py: tasks that empty a database."""
    if _only_tells(command):
        return []
    if "dbshell" in command.args and command.stdin and command.stdin.text is None:
        return [Danger("shell.database-reset", HIGH, "hands a database what nobody read", "reset")]
    back = "zero" in command.args and "migrate" in command.args
    if back or ("database" in command.args[1:2] and command.args[2:4] == ("update", "0")):
        return [Danger("shell.database-reset", HIGH, "takes a schema back, with its data", "reset")]
    for word in command.args:
        if word in _EMPTIES or word.startswith(
            ("migrate:fresh", "migrate:reset", "db:wipe", "db:drop")
        ):
            back = any(sign in word for sign in ("rollback", "undo"))
            why = "takes a schema back, with its data" if back else "empties a database"
            return [Danger("shell.database-reset", HIGH, why, "reset")]
        if _record_ends.search(word) and not _of_tests.search(word):
            return [Danger("shell.code-deletes", HIGH, "deletes through an interpreter", "delete")]
    return []


_of_tests = re.compile(r"(?:^|/)tests?/[\w/.-]*\.py(?:::\w+)*$|(?:^|/)test_\w+\.py(?:::\w+)*$")
"""A file of tests is named after what they try."""

_record_ends = re.compile(
    r"destroy_all|delete_all|&:(?:really_)?(?:destroy|delete)\b|\.destroy!?(?:\W|\Z)|\.delete(?:\W|\Z)"
    r"|(?:::|->)(?:truncate|destroy|delete|forceDelete)\(",
    re.ASCII,
)


def _only_tells(command: Command) -> bool:
    args = command.args
    prints = bool(_ONLY_PRINTS.intersection(args)) and "--force" not in args
    rakes = command.name in {"rake", "rails"} and {"-n", "-T", "-P", "-D"} & set(args[:1])
    return (
        asks_for_help(command) or runs_dry(command) or prints or bool(rakes) or "help" in args[:2]
    )


_ONLY_PRINTS = word_set("--dump-sql --sql --plan --show-sql")
"""What makes a task print the statements or the plan that it would carry out."""

_EMPTIES = word_set(
    "ecto.drop ecto.reset ecto.rollback db:migrate:undo:all db:migrate:undo db:seed:undo:all "
    "db:rollback migrate:refresh db:refresh schema:clear tenants:wipe "
    "queue:clear queue:flush schema:fresh doctrine:fixtures:load "
    "db:drop db:reset db:purge db:truncate_all db:schema:load db:migrate:reset db:wipe db:fresh "
    "migrate:fresh migrate:reset migrate:rollback flush reset_db schema:drop "
    "doctrine:database:drop doctrine:schema:drop database:drop zap"
)


def _ifconfig(command: Command) -> list[Danger]:
    if command.args[1:2] == ("down",):
        return [Danger("shell.network-down", HIGH, "takes the network down", "stop")]
    return []


def _lftp(command: Command) -> list[Danger]:
    """What its script deletes over there."""
    text = " ".join(command.args)
    if re2.search(r"--delete|--Remove-source|(?:^|[;'\" ])(?:rm|mrm|rmdir|glob rm) ", text):
        return [Danger("shell.mirror-delete", HIGH, "deletes on another machine", "delete")]
    return []


def _share(command: Command) -> list[Danger]:
    """What smbclient is told to delete over there."""
    said = read_options(command.args, word_set("-c --command -U -W -I -p")).value("-c", "--command")
    said = f"{said}\n{(command.stdin.text or '') if command.stdin else ''}"
    if re2.search(r"(?im)(?:^|;)\s*(?:del|deltree|rm|rmdir|rd|wdel)\s", said):
        return [Danger("shell.mirror-delete", HIGH, "deletes on another machine", "delete")]
    return []


def _router(command: Command) -> list[Danger]:
    """What a router's own shell is told to reset, forget or load again."""
    said = "\n".join((*command.args, (command.stdin.text or "") if command.stdin else ""))
    if re2.search(
        r"(?im)^\s*(?:clear\s+(?:ip\s+)?bgp|no\s+(?:router|neighbor|ip|ipv6|interface|vrf|network)|(?:write\s+)?erase|reload)\b",
        said,
    ):
        return [Danger("shell.network-down", HIGH, "takes the network down", "stop")]
    return []


def _graph(command: Command) -> list[Danger]:
    """Cypher: a DELETE or DROP in what it asks."""
    said = " ".join((*command.args, (command.stdin.text or "") if command.stdin else ""))
    if re2.search(r"(?i)\b(?:detach\s+delete|delete|drop)\b", said):
        return [Danger("shell.graph-delete", HIGH, "deletes from a graph", "delete")]
    return []


def _archive(command: Command) -> list[Danger]:
    """What is packed is deleted, or taken out of the archive."""
    args = command.args
    if "-sdel" in args or (command.name == "zip" and read_options(args).has("-m --move")):
        return [Danger("shell.archive-delete", HIGH, "deletes the files that it packs", "delete")]
    if args[:1] == ("d",) or (command.name == "zip" and {"-d", "--delete"} & set(args)):
        return [Danger("shell.archive-delete", MEDIUM, "deletes from an archive", "delete")]
    return []


def _ends_users(command: Command) -> list[Danger]:
    """`fuser -k`: whoever uses a file or a port is ended."""
    if any(arg.startswith("-") and "k" in arg for arg in command.args) or "--kill" in command.args:
        return [Danger("shell.kill-by-use", MEDIUM, "ends whoever uses it", "kill")]
    return []


def _usermod(command: Command) -> list[Danger]:
    return [*joins(command), *logins(command)]


def _pip(command: Command) -> list[Danger]:
    return [*unprotected(command), *unlisted(command)]


def _mapped(_command: Command) -> list[Danger]:
    """A function of Firestore, Redis and other prompts, typed bare."""
    return [Danger("shell.database-flush", CRITICAL, "empties a database", "flush")]


ODD: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(["chmod", "chown", "chgrp", "setfacl", "chflags"], permissions),
    "git": git, "yadm": git, "hub": git, "jgit": git, "sfdisk": _sfdisk,
    **dict.fromkeys(["curl", "curlie", "wget", "wget2"], http),
    **dict.fromkeys(["http", "https", "xh", "xhs"], httpie),
    "gh-api": hub_api,
    **dict.fromkeys(["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"], netcat),
    "socat": socat, "scp": scp,
    **dict.fromkeys(LETTERS, letters), **dict.fromkeys(WALLETS, coins),
    **dict.fromkeys(SOURCED, unprotected),
    **dict.fromkeys(CALLERS, procedures), **dict.fromkeys(["cat", "yes"], poured),
    "fallocate": allocated, "ssh": forwards, "tune2fs": unfeatured,
    **dict.fromkeys(["pkill", "killall", "skill", "slay"], by_name), "kill": by_number,
    **dict.fromkeys(SERVICE_TOOLS, services), "loginctl": sessions,
    **dict.fromkeys(["passwd", "chage", "chsh"], logins),
    **dict.fromkeys(["umount", "fusermount", "fusermount3", "diskutil"], unmounts),
    "mount": mounts, "ansible": _ansible, "osascript": _osascript,
    **dict.fromkeys(["mongosh", "mongo"], _mongo), "nsupdate": _nsupdate,
    "ldapmodify": _ldapmodify,
    **dict.fromkeys(
        ["rails", "rake", "artisan", "php", "manage.py", "gitlab-rails", "django-admin", "symfony",
         "bin/rails", "console", "python", "python3", "flask", "mix"], _framework,
    ),
    **dict.fromkeys(CONSOLES, console), **dict.fromkeys(PACKAGERS, essential),
    "pip": _pip, "pip3": _pip,
    "sqlite3": dot_orders, **BY_WORD,
    "ifconfig": _ifconfig, "fuser": _ends_users,
    **dict.fromkeys(["sequelize", "sequelize-cli", "npx", "dotnet", "knex", "typeorm"], _framework),
    "alembic": _alembic, **FIREWALLS,
    **dict.fromkeys(["docker", "podman", "nerdctl"], containers),
    "fdisk": _sfdisk,
    "gdisk": _sfdisk, **dict.fromkeys(["kubectl", "k", "oc"], clusters),
    **dict.fromkeys(["redis-cli", "valkey-cli", "keydb-cli"], redis),
    **dict.fromkeys(["useradd", "adduser", "gpasswd", "dseditgroup"], joins),
    "usermod": _usermod, "ssh-copy-id": let_in, "geth": sent,
    **dict.fromkeys(["unset", "export", "set"], hides),
    **dict.fromkeys(IMAGERS, images), **dict.fromkeys(WINDOWS_NAMES, windows),
    "chattr": attributes, "lftp": _lftp, "cypher-shell": _graph, "smbclient": _share,
    "vtysh": _router,
    "lvresize": images,
    **dict.fromkeys(["zip", "7z", "7za", "7zz"], _archive),
    **dict.fromkeys(["flushall", "flushdb", "db.dropdatabase"], _mapped),
}  # fmt: skip

"""By name; these are asked besides the tables."""
