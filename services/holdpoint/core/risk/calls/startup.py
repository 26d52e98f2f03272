"""Files that the machine lives by, or that run by themselves: who writes one rules it."""

import re
from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_PATH = 300

_PATHS = word_set("path file_path filepath file filename destination target dest dst output_path")
_CONTENTS = words("words/tools:startup.contents")
_PUTS = words("words/tools:startup.puts")
_ENDS = word_set("destination target dest dst")
_MOUNTS = word_set("volume volumes mount mounts bind binds")
_HOST = ("/:", "/var/run/docker.sock", "/etc:", "/root:")
_LIVES_BY = re.compile(
    r"^(?:/private)?/etc/(?:passwd|shadow|g?shadow|group$|sudoers|fstab|ssh/|pam\.d/|hosts|ld\.so|cron"
    r"|systemd/|init\.d/|rc\.|profile|bash|environment|resolv\.conf|nsswitch|apt/|yum|udev/)"
    r"|^/(?:boot/|dev/(?:sd|nvme)|var/spool/cron|(?:usr/)?lib/systemd/|(?:usr/)?s?bin/|usr/local/s?bin/)"
    r"|(?:^|/)(?:\.ssh/(?:authorized_keys|config|rc)|\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile"
    r"|\.zshenv|\.bash_login|\.xinitrc|\.xprofile)$"
    r"|(?:^|/)(?:\.config/(?:autostart|systemd)|launch(?:agents|daemons)|\.git/hooks)/"
    r"|^c:/windows/|/start menu/programs/startup/"
)


def lets_out(leaf: Leaf) -> bool:
    """Whether it mounts the disk of the machine, or what rules it, into a container."""
    return (
        leaf.key.lower() in _MOUNTS and isinstance(leaf.value, str) and leaf.value.startswith(_HOST)
    )


def is_lived_by(leaf: Leaf, named: frozenset[str]) -> bool:
    """Whether such a file is written there; `named`: the words of the tool's name."""
    key, value = leaf.key.lower(), leaf.value
    if key not in _PATHS or not isinstance(value, str) or len(value) > MAX_PATH:
        return False
    written = _is_written(leaf.siblings) or (key in _ENDS and not _PUTS.isdisjoint(named))
    return written and _LIVES_BY.search(value.strip().lower().replace("\\", "/")) is not None


def _is_written(siblings: Mapping[str, Any]) -> bool:
    return not _CONTENTS.isdisjoint(siblings)
