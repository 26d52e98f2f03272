"""Firewalls and tunnels: who is shut out, and who is let in."""

import re
from collections.abc import Callable

import re2

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.dry_runs import asks_for_help
from holdpoint.core.risk.shell.model import HIGH, Command, Danger
from holdpoint.core.risk.shell.options import Options, read_options
from holdpoint.messages.risk import Heuristic

_VALUES = words("words/shell:network.iptables_options_with_value")
_NARROWS = "-d --destination -i --in-interface -o --out-interface --sport --sports"
_CHAINS = word_set("INPUT OUTPUT FORWARD")
_REFUSES = word_set("DROP REJECT")
_LIFELINES = word_set("22 ssh 53 443 80 22,443 80,443")
"""Ports without which nobody comes in, or nothing is served."""

_EVERYBODY = word_set("any all 0.0.0.0/0 ::/0 0/0 0.0.0.0")
_MOST = 32_000
"""Ports in one stretch: half of all that there are; what services are given is far fewer."""

_stretch = re.compile(r"(\d{1,5})[:-](\d{1,5})(?:/\w+)?")


def _are_most(ports: str) -> bool:
    """Whether a stretch of ports leaves hardly any out."""
    found = _stretch.fullmatch(ports)
    return found is not None and int(found[2]) - int(found[1]) >= _MOST


def _tables(command: Command) -> list[Danger]:
    """`iptables -A INPUT -j DROP`: a rule that is narrowed by nothing, or that shuts the way in."""
    if asks_for_help(command):
        return []
    options = read_options(command.args, _VALUES)
    chain = options.value("-A", "--append", "-I", "--insert")
    jump = options.value("-j", "--jump")
    if chain not in _CHAINS:
        return []
    if jump == "ACCEPT" and chain != "OUTPUT":
        return [_OPEN] if _lets_all(options) else []
    if jump not in _REFUSES or options.has(f"{_NARROWS} -s --source -m --match"):
        return []
    port = options.value("--dport", "--dports")
    narrow = port or options.has("-p --protocol --sport")
    return [] if narrow and port not in _LIFELINES else [_SHUT]


def _lets_all(options: Options) -> bool:
    """Whether neither a sender, a port, an interface nor a state narrows it."""
    if options.has(_NARROWS) or options.value("-m", "--match") not in _MATCHES:
        return False
    sender = options.value("-s", "--source")
    protocol, port = options.value("-p", "--protocol"), options.value("--dport", "--dports")
    wide = not port or _are_most(port)
    return wide and protocol in _PROTOCOLS and (not sender or sender in _EVERYBODY)


_MATCHES = frozenset({"", "comment", "tcp", "udp"})
_PROTOCOLS = frozenset({"", "all", "tcp", "udp"})


def _ufw(command: Command) -> list[Danger]:
    """`ufw allow from any`, `ufw deny ssh`."""
    words = tuple(word.lower() for word in command.args if not word.startswith("-"))
    if words[:1] in _PLACED:
        words = words[1 + words[0].startswith("insert") :]
    if words[:1] == ("allow",) and _allows_all(words[1:]):
        return [_OPEN]
    shuts = words[:1] in _SHUTS and words[1:2] and words[1].partition("/")[0] in {"22", "ssh"}
    said = " ".join(words)
    return [_SHUT] if shuts or said in {"default deny outgoing", "default reject outgoing"} else []


def _allows_all(words: tuple[str, ...]) -> bool:
    """`from any`, `in from any to any`, `1:65535/tcp`; a port or an interface narrows it."""
    if len(words) == 1 and _are_most(words[0]):
        return True
    named = word_set("port app on")
    senders = [words[at + 1] for at, word in enumerate(words[:-1]) if word in {"from", "to"}]
    return bool(senders) and named.isdisjoint(words) and _EVERYBODY.issuperset(senders)


_PLACED = (("insert",), ("prepend",), ("route",))
_SHUTS = (("deny",), ("reject",))


def _firewalld(command: Command) -> list[Danger]:
    """`firewall-cmd --set-default-zone=trusted`, `--add-port=1-65535/tcp`."""
    options = read_options(command.args, _ZONED)
    trusted = options.value("--zone") == "trusted"
    joins = options.value("--add-interface", "--change-interface")
    everybody = options.value("--add-source", "--change-source") in _EVERYBODY
    opened = (
        options.value("--set-default-zone") == "trusted"
        or options.value("--set-target") == "ACCEPT"
        or _are_most(options.value("--add-port"))
        or (trusted and (_OUTER.match(joins) is not None or everybody))
        or _rich.search(options.value("--add-rich-rule")) is not None
    )
    return [_OPEN] if opened and not asks_for_help(command) else []


_ZONED = word_set(
    "--zone --set-default-zone --set-target --add-port --add-source --change-source "
    "--add-interface --change-interface --add-rich-rule"
)
_OUTER = re.compile(r"e(?:th|n)|wl|bond|ppp")
"""How interfaces are called that lead out of a machine; those of containers and tunnels do not."""

_rich = re2.compile(r"address=[\"']?(?:0\.0\.0\.0/0|::/0)[\"']?\s+accept\b")
_SHUT = Danger("shell.firewall-policy", HIGH, "shuts everybody out", "deny")
_OPEN = Danger("shell.firewall-off", HIGH, "lets everything in", "allow")

FIREWALLS: dict[str, Callable[[Command], list[Danger]]] = {
    **dict.fromkeys(["iptables", "ip6tables", "iptables-legacy", "iptables-nft"], _tables),
    "ufw": _ufw, "firewall-cmd": _firewalld,
}  # fmt: skip
"""By name; these are asked besides the tables."""


_VALUED = frozenset("BbcDEeFIiJLlmOoPpQSWw")
_LOGINS = word_set("22 2222 23 3389 5900 5985 5986")
"""Ports behind which somebody gets a shell or a screen."""

_EVERYWHERE = ("0.0.0.0:", "*:", ":::", "[::]:")
_FORWARD = re.compile(r"remoteforward[=\s]\s*(\S+)\s*(\S*)", re.IGNORECASE)


def remote_forwards(command: Command) -> list[Danger]:
    """`ssh -R 2222:localhost:22`."""
    opened = any(map(_opens, _told(command.args)))
    return [_OPENED] if opened else []


def _told(args: tuple[str, ...]) -> list[str]:
    """What its options say of remote forwards, up to the name of the other machine."""
    found: list[str] = []
    rest = iter(args)
    for arg in rest:
        if arg[:1] != "-":
            break
        at = next((at for at, sign in enumerate(arg[1:], 1) if sign == "R" or sign in _VALUED), 0)
        if at:
            value = arg[at + 1 :] or next(rest, "")
            said = _FORWARD.match(value) if arg[at] == "o" else None
            found += [value] if arg[at] == "R" else [":".join(said.groups())] if said else []
    return found


def _opens(forward: str) -> bool:
    """Whether anybody reaches it, or it leads to where people log in."""
    return forward.startswith(_EVERYWHERE) or (
        ":" in forward and forward.rpartition(":")[2] in _LOGINS
    )


_OPENED = Danger(
    "shell.way-in", HIGH, "opens a way into this machine from another one", "open",
    Heuristic.CRITICALITY,
)  # fmt: skip
