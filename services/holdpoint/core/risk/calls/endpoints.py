"""What keeps machines safe, switched off or made blind: `DisableRealtimeMonitoring`."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 40

_KEEPERS = word_set(
    "defender edr xdr mdr antivirus av antimalware malware endpoint endpoints crowdstrike falcon "
    "sentinelone sentinel sophos malwarebytes bitdefender kaspersky eset symantec trellix cylance "
    "carbonblack cortex mp mpcomputer intune jamf mdm kandji wazuh osquery huntress"
)
"""Words in the names of tools that set them."""

_CHANGES = word_set(
    "set update configure change edit modify put patch apply policy preference preferences config "
    "setting settings profile add create toggle disable enforce"
)
_WATCHED = word_set(
    "realtime real anti behavior behaviour ioav script archive intrusion tamper tampering threat "
    "email network cloud web scan scanning exploit ransomware removable firewall heuristics "
    "heuristic signature block spyware malware rootkit memory process"
)
_WATCHES = word_set(
    "monitoring protection scanning scan prevention detection blocking tampering quarantine "
    "bitlocker filevault gatekeeper encryption firewall guard shield seen access submission "
    "inspection antitampering realtime spyware virus malware antispyware antivirus"
)
_TAKES = word_set("disable off exclude stop bypass")
_SPARED = word_set(
    "exclusion exclusions exclude excluded allowlist whitelist ignore excludepath exclusionpath"
)
_EVERYWHERE = frozenset(
    {"*", "/", "c:", "c:\\", "c:\\*", "d:\\", "/*", "c:/", "*.*", ".exe", "exe", "*.exe", "**"}
)
"""Paths and endings with which nothing is left to look at."""

_OFF = frozenset({"false", "off", "disabled", "disable", "none", "no", "inactive", "audit"})
_YES = (True, 1, "true", "1", "yes", "on")


def blinded(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    keeps = not _KEEPERS.isdisjoint(named) and not _CHANGES.isdisjoint(named)
    walls = keeps or not (_WALLS.isdisjoint(named) or _CHANGES.isdisjoint(named))
    for leaf in leaves:
        words = words_of(leaf.key)
        if leaf.value in _YES and (_disables(words) or _disables(_named_beside(leaf, words))):
            yield leaf.key
        elif keeps and _is_off(leaf) and not _WATCHES.isdisjoint(words):
            yield f"{leaf.key}: off"
        elif walls and words[-1:] in _MODES and _only_watches(leaf.value):
            yield f"{leaf.key}: {leaf.value}"
        elif keeps and _spares_all(words, leaf, named):
            yield f"exclude {leaf.value}"


_WALLS = word_set("waf ips ids dlp")
_MODES = (("mode",), ("action",), ("enforcement",))
_LETS_BY = word_set(
    "count detect detection detection_only detectiononly monitor log log_only logonly audit report "
    "report_only reportonly learning passive"
)
"""Modes in which an attack is written down, and let by."""


def _only_watches(value: object) -> bool:
    return isinstance(value, str) and value[:MAX_SAID].lower() in _LETS_BY


def _named_beside(leaf: Leaf, words: tuple[str, ...]) -> tuple[str, ...]:
    """The setting whose value it is: `{"name": "DisableAntiSpyware", "value": 1}`."""
    said = leaf.siblings.get("name") if words in _VALUES else None
    return words_of(said) if isinstance(said, str) and len(said) <= MAX_SAID else ()


_VALUES = (("value",), ("data",))


def _disables(words: tuple[str, ...]) -> bool:
    """`DisableRealtimeMonitoring`, `disable_behavior_monitoring`."""
    if len(words) < 3 or words[0] not in _TAKES:  # noqa: PLR2004  # three words
        return False
    return words[-1] in _WATCHES and not _WATCHED.isdisjoint(words[1:-1])


def _is_off(leaf: Leaf) -> bool:
    value = leaf.value
    return value is False or (isinstance(value, str) and value[:MAX_SAID].lower() in _OFF)


def _spares_all(words: tuple[str, ...], leaf: Leaf, named: frozenset[str]) -> bool:
    """An exclusion that takes in a whole disk."""
    spares = not _SPARED.isdisjoint(words) or not _SPARED.isdisjoint(named)
    value = leaf.value
    return spares and isinstance(value, str) and value[:MAX_SAID].strip().lower() in _EVERYWHERE
