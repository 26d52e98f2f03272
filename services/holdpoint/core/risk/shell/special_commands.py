"""Tools whose danger lies in the words of their arguments, by name."""

from collections.abc import Callable

from holdpoint.core.risk.shell.cluster_commands import container_orders
from holdpoint.core.risk.shell.git_commands import git
from holdpoint.core.risk.shell.machine_commands import (
    hidden_traces,
    kills_by_name,
    kills_by_number,
    permissions,
)
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.network_commands import http, httpie, hub_api, scp

SPECIAL_COMMANDS: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(["chmod", "chown", "chgrp", "setfacl", "chflags"], permissions),
    "git": git, "yadm": git, "hub": git, "jgit": git,
    **dict.fromkeys(["curl", "curlie", "wget", "wget2"], http),
    **dict.fromkeys(["http", "https", "xh", "xhs"], httpie),
    "gh-api": hub_api,
    "scp": scp,
    **dict.fromkeys(["pkill", "killall", "skill", "slay"], kills_by_name), "kill": kills_by_number,
    **dict.fromkeys(["docker", "podman", "nerdctl"], container_orders),
    **dict.fromkeys(["unset", "export", "set"], hidden_traces),
}  # fmt: skip

"""By name; these are asked besides the tables."""
