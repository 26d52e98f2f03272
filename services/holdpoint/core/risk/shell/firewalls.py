"""Firewalls: who is shut out, and who is let in."""

from collections.abc import Callable

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.effects import HIGH, asks_for_help
from holdpoint.core.risk.shell.model import Command, Danger
from holdpoint.core.risk.shell.options import read_options

_VALUES = word_set(
    "-t --table -A --append -I --insert -p --protocol -s --source -d --destination -j --jump "
    "-i --in-interface -o --out-interface -m --match --dport --sport --dports --sports"
)
_NARROWS = "-s --source -d --destination -i --in-interface -o --out-interface -m --match"
_CHAINS = word_set("INPUT OUTPUT FORWARD")
_REFUSES = word_set("DROP REJECT")
_LIFELINES = word_set("22 ssh 53 443 80 22,443 80,443")
"""Ports without which nobody comes in, or nothing is served."""


def _tables(command: Command) -> list[Danger]:
    """`iptables -A INPUT -j DROP`: a rule that is narrowed by nothing, or that shuts the way in."""
    if asks_for_help(command):
        return []
    options = read_options(command.args, _VALUES)
    chain = options.value("-A", "--append", "-I", "--insert")
    if chain not in _CHAINS or options.value("-j", "--jump") not in _REFUSES:
        return []
    if options.has(_NARROWS):
        return []
    port = options.value("--dport", "--dports")
    narrow = port or options.has("-p --protocol --sport")
    return [] if narrow and port not in _LIFELINES else [_SHUT]


def _ufw(command: Command) -> list[Danger]:
    """`ufw allow from any`, `ufw deny ssh`."""
    words = tuple(word.lower() for word in command.args if not word.startswith("-"))
    said = " ".join(words)
    if words[:1] == ("allow",) and said.removeprefix("allow ") in _ANY:
        return [_OPEN]
    shuts = words[:1] in _SHUTS and words[1:2] and words[1].partition("/")[0] in {"22", "ssh"}
    return [_SHUT] if shuts or said in {"default deny outgoing", "default reject outgoing"} else []


_ANY = ("from any to any", "from 0.0.0.0/0 to any", "in from any to any")
_SHUTS = (("deny",), ("reject",))
_SHUT = Danger("shell.firewall-policy", HIGH, "shuts everybody out", "deny")
_OPEN = Danger("shell.firewall-off", HIGH, "lets everything in", "allow")

FIREWALLS: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(["iptables", "ip6tables", "iptables-legacy", "iptables-nft"], _tables),
    "ufw": _ufw,
}
"""By name; these are asked besides the tables."""
