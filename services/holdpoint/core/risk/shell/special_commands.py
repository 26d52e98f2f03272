"""Tools whose danger lies in the words of their arguments, by name."""

import re
from collections.abc import Callable

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.access_control import (
    admin_memberships,
    file_attributes,
    hidden_traces,
    permissions,
)
from holdpoint.core.risk.shell.cluster_commands import cluster_orders, container_orders
from holdpoint.core.risk.shell.command_rules import known_tool
from holdpoint.core.risk.shell.database_commands import redis_orders
from holdpoint.core.risk.shell.dry_runs import asks_for_help, is_dry, runs_dry
from holdpoint.core.risk.shell.filesystem_commands import endless_writes, huge_allocations
from holdpoint.core.risk.shell.git_commands import git
from holdpoint.core.risk.shell.machine_commands import (
    IMAGERS,
    SERVICE_TOOLS,
    forced_unmounts,
    kills_by_name,
    kills_by_number,
    mount_orders,
    service_orders,
    written_images,
)
from holdpoint.core.risk.shell.model import CRITICAL, HIGH, Command, Danger
from holdpoint.core.risk.shell.network_commands import (
    MAIL_PROGRAMS,
    PROCEDURE_CALLERS,
    http,
    httpie,
    hub_api,
    mass_mail,
    netcat,
    remote_procedures,
    scp,
    socat,
)
from holdpoint.core.risk.shell.options import read_options
from holdpoint.core.risk.shell.package_commands import (
    INSTALLERS,
    SYSTEM_MANAGERS,
    essential_packages,
    plain_http_sources,
    unnamed_packages,
)


def _sfdisk(command: Command) -> list[Danger]:
    """A script on its input writes a partition table."""
    if command.stdin is None or is_dry(
        known_tool(command.name).rules, read_options(command.args), command.args
    ):
        return []
    return [Danger("shell.partition", CRITICAL, "writes a partition table", "partition")]


def _osascript(command: Command) -> list[Danger]:
    text = " ".join(command.args).lower()
    text = _quoted_said.sub("", text)
    if "delete" in text or "empty" in text or "shut down" in text or "erase" in text:
        return [Danger("shell.script-deletes", HIGH, "deletes through another program", "delete")]
    return []


_quoted_said = re.compile(r"(?:display (?:notification|dialog|alert)|say) \"[^\"]*\"")
"""What is only shown or spoken."""


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

_EMPTIES = words("words/shell:databases.emptying_tasks")


def _pip(command: Command) -> list[Danger]:
    return [*plain_http_sources(command), *unnamed_packages(command)]


SPECIAL_COMMANDS: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(["chmod", "chown", "chgrp", "setfacl", "chflags"], permissions),
    "git": git, "yadm": git, "hub": git, "jgit": git, "sfdisk": _sfdisk,
    **dict.fromkeys(["curl", "curlie", "wget", "wget2"], http),
    **dict.fromkeys(["http", "https", "xh", "xhs"], httpie),
    "gh-api": hub_api,
    **dict.fromkeys(["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"], netcat),
    "socat": socat, "scp": scp,
    **dict.fromkeys(MAIL_PROGRAMS, mass_mail),
    **dict.fromkeys(INSTALLERS, plain_http_sources),
    **dict.fromkeys(PROCEDURE_CALLERS, remote_procedures),
    **dict.fromkeys(["cat", "yes"], endless_writes),
    "fallocate": huge_allocations,
    **dict.fromkeys(["pkill", "killall", "skill", "slay"], kills_by_name), "kill": kills_by_number,
    **dict.fromkeys(SERVICE_TOOLS, service_orders),
    **dict.fromkeys(["umount", "fusermount", "fusermount3", "diskutil"], forced_unmounts),
    "mount": mount_orders, "osascript": _osascript,
    **dict.fromkeys(
        ["rails", "rake", "artisan", "php", "manage.py", "gitlab-rails", "django-admin", "symfony",
         "bin/rails", "console", "python", "python3", "flask", "mix"], _framework,
    ),
    **dict.fromkeys(SYSTEM_MANAGERS, essential_packages),
    "pip": _pip, "pip3": _pip,
    **dict.fromkeys(["sequelize", "sequelize-cli", "npx", "dotnet", "knex", "typeorm"], _framework),
    **dict.fromkeys(["docker", "podman", "nerdctl"], container_orders),
    "fdisk": _sfdisk,
    "gdisk": _sfdisk, **dict.fromkeys(["kubectl", "k", "oc"], cluster_orders),
    **dict.fromkeys(["redis-cli", "valkey-cli", "keydb-cli"], redis_orders),
    **dict.fromkeys(["useradd", "adduser", "gpasswd", "dseditgroup"], admin_memberships),
    "usermod": admin_memberships,
    **dict.fromkeys(["unset", "export", "set"], hidden_traces),
    **dict.fromkeys(IMAGERS, written_images),
    "chattr": file_attributes,
    "lvresize": written_images,
}  # fmt: skip

"""By name; these are asked besides the tables."""
