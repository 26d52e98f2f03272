"""Access that a call gives away: ranks, public shares, files everybody may write, startup files."""

import re
from collections.abc import Iterator
from typing import Any

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.payload import Leaf, paired, words_of
from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.shell.paths import STARTUP_FILES
from holdpoint.core.risk.words import PROSE_KEYS, word_set
from holdpoint.core.text import whole_characters

MAX_WORDS = 4
"""Words of a rank; more are a sentence."""

MAX_RANK = 60
MAX_SHOWN = 24
_GIVES = words("words/tools:ranks.gives")
_MIGHTY = words("words/tools:ranks.mighty")
_FULL = (
    word_set("full unrestricted total all"),
    word_set("control access rights admin permissions privileges"),
)
_LESSER = words("words/tools:ranks.lesser")
_RANKS = words("words/tools:ranks.ranks")
_GROUPS = word_set("group groups groupname team teams membership memberships memberof")
_JOINED = word_set("user users member members account principal membership login identity group")
_WORK = words("words/tools:ranks.work")
_MIGHTY_POLICIES = word_set("administratoraccess poweruseraccess iamfullaccess cluster-admin")
_WAYS_IN = word_set("password passwd passcode credential credentials mfa fa totp pin secret")
_CHANGES = word_set("reset change set update rotate replace overwrite force")
_WHOSE = words("words/tools:ranks.whose")


@memoize(2048)
def is_mighty(said: str) -> bool:
    """`owner`, `SUPER_ADMIN`, `Domain Admins`, `Full Control`; not `non-admin`."""
    words = words_of(said) if len(said) <= MAX_RANK else ()
    if not words or len(words) > MAX_WORDS or not _LESSER.isdisjoint(words):
        return False
    full, whole = _FULL
    return not _MIGHTY.isdisjoint(words) or (words[0] in full and words[-1] in whole)


def given(named: frozenset[str], leaf: Leaf, said: str) -> str:
    """Return what a value makes of somebody; `named`: the words of the tool's name."""
    words = leaf.words
    if _WAYS_IN & named and _CHANGES & named and words[-1:] and words[-1] in _WHOSE:
        mighty = said.partition("@")[0].rpartition("\\")[2] in _MIGHTY
        return "changes how an administrator comes in" if mighty else ""
    if _GIVES.isdisjoint(named):
        return ""
    if said.rpartition("/")[2] in _MIGHTY_POLICIES:
        return "gives away all power"
    group = not _GROUPS.isdisjoint(words) and _JOINED & named
    if is_high(words, said):
        return "makes somebody a maintainer" if _MEMBERS & named else ""
    ranked = _WORK.isdisjoint(named) and (group or not _RANKS.isdisjoint(words))
    return f"makes somebody {said[:MAX_SHOWN]}" if ranked and is_mighty(leaf.value) else ""


def raised(named: frozenset[str], leaf: Leaf) -> bool:
    """`is_admin: true`, `superuser: true`, where somebody is made or changed."""
    words = leaf.words
    if is_high(words, leaf.value):
        return not _GIVES.isdisjoint(named) and not _MEMBERS.isdisjoint(named)
    if leaf.value is not True or _MIGHTY.isdisjoint(words) or _GIVES.isdisjoint(named):
        return False
    return _MIGHTY.union(_MAKES).issuperset(words) or (words[0] == "is" and words[-1] in _MIGHTY)


def is_high(words: tuple[str, ...], value: object) -> bool:
    """Return whether it is GitLab's number for a maintainer or an owner: `access_level: 50`."""
    if words[-2:] not in _NUMBERED:
        return False
    return str(value) in _LEVELS


_NUMBERED = (("access", "level"), ("group", "access"))
_LEVELS = frozenset({"40", "50", "60"})
_MEMBERS = _JOINED | word_set(
    "invitation invitations invite collaborator collaborators project group groups share"
)
_MAKES = words("words/tools:ranks.makes")


def ranks_in(value: object) -> Iterator[str]:
    """The ranks that rule among a text or a list of texts."""
    listed = value if isinstance(value, list | tuple) else (value,)
    return (one for one in listed if isinstance(one, str) and is_mighty(one))


MAX_SAID = 60
"""Characters of a value that may say who."""

_ANYBODY = word_set("allusers allauthenticatedusers public-read-write public-read")
_ALL = frozenset({"*", "*:*", "*/*"})
_DONE = word_set("action actions verbs notaction")
_ON = word_set("effect resource resources principal apigroups")
_ANYWHERE = frozenset({"0.0.0.0/0", "::/0"})
_ANY_SOURCE = frozenset({"any", "*", "internet", "all", "::", "anywhere"})
_SOURCES = word_set("source sources src cidr remote ip ips range ranges prefix")
_WALLS = word_set("firewall nsg ingress acl allowlist whitelist security")
_PORTS = word_set("port ports")
_LETS = words("words/tools:exposure.lets")
_OPENS = _LETS | _WALLS
_REFUSALS = word_set("deny drop reject block refuse egress outbound out")
_SHARES = words("words/tools:exposure.shares")
_UPDATES = words("words/tools:exposure.updates")
_OPENING = _UPDATES | _SHARES
_EVERYBODY = word_set(
    "everyone everybody anyone anybody public world worldwide internet anonymous unauthenticated"
)
_MANY = (
    ("all", "users"),
    ("authenticated", "users"),
    ("domain", "users"),
    ("all", "authenticated"),
)
_WHO = words("words/tools:exposure.who")
_FLAGS = word_set("public publicly anonymous anonymously anyone unauthenticated world")
_STRICTLY = word_set("publicly anonymous anonymously unauthenticated world")
"""What is said only of things that hold data, so that it counts where one is made as well."""

_OPEN = words("words/tools:exposure.open")
_KEEPS_OUT = words("words/tools:exposure.keeps_out")
_ASKED = word_set("read write create delete list get update")
_unconditional = prefilter(r"(?i)\ballow\s+[\w, ]+(?::\s*if\s+true\b|;)")
_POLICIES = word_set("policy rules hcl")
_for_all_paths = prefilter(
    r"(?i)\bpath\s+\"[*+]\"\s*\{\s*capabilities\s*=\s*\[[^\]]*\"(?:sudo|root|update|delete|create)\""
)
"""What a policy of a vault says that lets its bearers at everything."""


def exposed(named: frozenset[str], leaf: Leaf) -> str:
    """Return how a value opens something; `named`: the words of the tool's name."""
    if isinstance(leaf.value, bool):
        return _by_flag(named, leaf)
    if not isinstance(leaf.value, str):
        return ""
    if _in_rules(leaf) and _unconditional(whole_characters(leaf.value)):
        return FOR_ALL
    if leaf.key in _POLICIES and _for_all_paths(whole_characters(leaf.value)):
        return "allows everything"
    return _by_text(named, leaf, leaf.value.strip().lower())


FOR_ALL = "opens it to everybody"


def _by_text(named: frozenset[str], leaf: Leaf, said: str) -> str:
    if said in _ANYBODY or (said in _ALL and _is_principal(leaf) and _is_rule(leaf)):
        return FOR_ALL
    if said in _ALL and leaf.key.lower() in _DONE and _is_rule(leaf):
        return "allows everything"
    if said == "true" and _in_rules(leaf) and not _ASKED.isdisjoint(leaf.words):
        return FOR_ALL
    if not _OPENS.isdisjoint(named) and _lets_in(named, leaf, said):
        return "lets the whole internet in"
    if len(said) <= MAX_SAID and _is_open_key(named, leaf, opens=True) and said not in _SHUT:
        return FOR_ALL
    updated = not _UPDATES.isdisjoint(named) and not _VISIBLE.isdisjoint(leaf.words)
    shared = updated or not _SHARES.isdisjoint(named) or leaf.words[:1] in _SHARED
    return FOR_ALL if shared and _is_for_all(leaf, said) and not _is_refusal(leaf) else ""


def _lets_in(named: frozenset[str], leaf: Leaf, said: str) -> bool:
    """By an address that is any, or by a rule in words."""
    worded = not _WALLS.isdisjoint(named) and len(said) <= MAX_RULE
    if worded and leaf.key.lower() not in PROSE_KEYS and _lets_all(whole_characters(said)):
        return True
    walled = said in _ANY_SOURCE and not (_WALLS | _PORTS).isdisjoint(named)
    anywhere = said in _ANYWHERE or (walled and not _SOURCES.isdisjoint(leaf.words))
    return anywhere and not _LETS.isdisjoint(named) and not _is_refusal(leaf)


MAX_RULE = 120
"""Characters of one rule of a firewall in words."""

_lets_all = prefilter(
    r"^[^a-z]*(?:rule:? *)?(?:allow|permit|accept|open)\b(?:[^a-z]|[a-df-z]|e[a-fh-z]){0,100}"
    r"(?:0\.0\.0\.0/0|::/0|\bfrom (?:any|anywhere|everywhere|all)\b|\bany any\b)"
)
"""A rule in words that lets in, and does not speak of an egress."""

_SHARED = (("share",), ("shared",), ("sharing",))
_VISIBLE = word_set(
    "visibility privacy accessibility sharing permission permissions access audience"
)


def _is_for_all(leaf: Leaf, said: str) -> bool:
    words = leaf.words
    if not words or words[-1] not in _WHO or len(said) > MAX_SAID:
        return False
    who = words_of(said)
    return who[:1] != () and (who[0] in _EVERYBODY or who[:2] in _MANY)


def _by_flag(named: frozenset[str], leaf: Leaf) -> str:
    """`public: true`, `block_public_access: false`, `".write": true` among rules."""
    words = leaf.words
    if not words:
        return ""
    if leaf.value and leaf.key[0] == "." and words[-1] in _ASKED and _in_rules(leaf):
        return FOR_ALL
    if words[-1] == "private":
        updates = not _OPENING.isdisjoint(named)
        return FOR_ALL if updates and not leaf.value and len(words) < 3 else ""  # noqa: PLR2004  # `is_private`
    return FOR_ALL if _is_open_key(named, leaf, opens=leaf.value) else ""


def _is_open_key(named: frozenset[str], leaf: Leaf, *, opens: bool) -> bool:
    """Return whether a key says that anybody may come in, or nobody where it does not open."""
    words = leaf.words
    if _FLAGS.isdisjoint(words) or words[-1] not in _OPEN:
        return False
    keeps = words[0] in _KEEPS_OUT
    updates = not _OPENING.isdisjoint(named)
    return opens is not keeps and (updates or keeps or not _STRICTLY.isdisjoint(words))


_SHUT = words("words/tools:exposure.shut") | {""}


def _in_rules(leaf: Leaf) -> bool:
    return "ules" in leaf.path and "rules" in leaf.path.lower()


def _is_principal(leaf: Leaf) -> bool:
    path = leaf.path.lower()
    return "principal" in path and "notprincipal" not in path


def _is_refusal(leaf: Leaf) -> bool:
    """Return whether the rule that it stands in keeps out, or is about what goes out."""
    said = {str(value).lower() for value in leaf.siblings.values() if isinstance(value, str)}
    return not said.isdisjoint(_REFUSALS)


def _is_rule(leaf: Leaf) -> bool:
    """Return whether it stands in one, or in an object of one, and that does not deny."""
    for holder in (leaf.siblings, leaf.around):
        keys = {str(key).lower(): value for key, value in holder.items()}
        if not _ON.isdisjoint(keys):
            return str(keys.get("effect", "")).lower() != "deny"
    return False


MAX_PATH = 300
_PATHS = word_set("path file_path filepath file filename destination target dest dst output_path")
_CONTENTS = words("words/tools:startup.contents")
_PUTS = words("words/tools:startup.puts")
_ENDS = word_set("destination target dest dst")
_MOUNTS = word_set("volume volumes mount mounts bind binds")
_HOST = ("/:", "/var/run/docker.sock", "/etc:", "/root:")
_LIVES_BY = re.compile(f"{pattern('patterns/tools:access.lives_by')}|(?:^|/)(?:{STARTUP_FILES})$")


def is_lived_by(leaf: Leaf, named: frozenset[str]) -> bool:
    """Return whether such a file is written there; `named`: the words of the tool's name."""
    key, value = leaf.key.lower(), leaf.value
    if key not in _PATHS or not isinstance(value, str) or len(value) > MAX_PATH:
        return False
    puts = key in _ENDS and not _PUTS.isdisjoint(named)
    written = puts or not _CONTENTS.isdisjoint(leaf.siblings)
    return written and _LIVES_BY.search(value.strip().lower().replace("\\", "/")) is not None


MODES = word_set("chmod mode modes permission permissions perms")
_MODES = word_set("mode modes permission permissions perms octal chmod rights access")
_MODES_PATHS = word_set("path paths file files filepath filename dir directory folder target")
_octal = re.compile(r"(?:0o?)?[0-7]{2}([0-7])")
_symbols = re.compile(r"(?:[ugoa]*[+=][rwxXst]+,)*[ug]*[oa][ugoa]*[+=][rxXst]*w[rwxXst]*")
_listed = re.compile(r"[-d]?[r-][w-][xs-][r-][w-][xs-][r-]w[xt-]")
_OTHERS_WRITE = 0o002
_MOST = 0o777


def opened_to_write(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what the call does; `named`: the words of the tool's name."""
    for leaf in leaves if not MODES.isdisjoint(named) else ():
        paths = (words_of(str(key)) for key in leaf.siblings)
        moded = not _MODES.isdisjoint(leaf.words) and writable(leaf.value)
        if moded and any(not _MODES_PATHS.isdisjoint(path) for path in paths):
            yield "lets everybody write to it"


def writable(mode: Any) -> bool:
    """Return whether others may write by it: octal digits, the number they are, or letters."""
    if isinstance(mode, bool) or not isinstance(mode, int | str):
        return False
    said = str(mode).strip()
    if found := _octal.fullmatch(said):
        if int(found[1]) & _OTHERS_WRITE:
            return True
    elif isinstance(mode, str):
        return bool(_symbols.fullmatch(said) or _listed.fullmatch(said))
    return isinstance(mode, int) and 0 < mode <= _MOST and bool(mode & _OTHERS_WRITE)


MAX_VALUE = 300
"""Characters of a value that says whom or where; rules may be longer."""

MAX_RULES = 8_192


def opened_up(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as what the call does; `named`: the words of the tool's name."""
    for leaf in leaves:
        if why := _opens(named, leaf):
            yield why


def made_public(words: tuple[str, ...], leaves: tuple[Leaf, ...]) -> str:
    """Return what a name that ends so does, `make_bucket_public`, unless an argument says no."""
    public = words[-1:] == ("public",) and not _TURNS.isdisjoint(words)
    return FOR_ALL if public and not any(map(_says_no, leaves)) else ""


def _says_no(leaf: Leaf) -> bool:
    """`public: false`; not `dry_run: false`, which only says that it is really done."""
    if leaf.value is not False:
        return False
    key = paired(leaf.siblings)[0] if leaf.key.lower() == "value" else ""
    return not _SWITCHES.isdisjoint(words_of(key or leaf.key))


def made_mighty(words: tuple[str, ...], leaves: tuple[Leaf, ...]) -> str:
    """Return what a name with such an end does: `assign_admin`, `elevate_privileges`."""
    last, before = words[-1:], words[:-1]
    power = not _POWERS.isdisjoint(last)
    whose = not _OPENING_MIGHTY.isdisjoint(last) or (power and not _RULERS.isdisjoint(before[-1:]))
    mighty = (
        (whose and not _RAISES.isdisjoint(before))
        or (power and before[-1:] in _LIFTS)
        or (before in _SETS and not _OWNING.isdisjoint(last) and not any(map(_is_work, leaves)))
    )
    return "makes somebody an administrator" if mighty and not any(map(_says_no, leaves)) else ""


_RAISES = words("words/tools:access.raises")
_OPENING_MIGHTY = word_set(
    "admin admins administrator administrators superuser superadmin sysadmin sudoer"
)
_RULERS = _OPENING_MIGHTY | word_set("root sudo owner dba")
_POWERS = word_set("access right rights role privilege privileges permission permissions powers")
_LIFTS = (("elevate",), ("escalate",))
_SETS = (("add",), ("make",), ("grant",), ("promote",))
_OWNING = word_set("owner owners maintainer maintainers")
_WORKED_ON = word_set("ticket issue task case incident deal")


def _is_work(leaf: Leaf) -> bool:
    """Return whether it names what people work on, which has an owner who rules over nothing."""
    return not _WORKED_ON.isdisjoint(leaf.words)


_TURNS = word_set("make set turn switch flip mark")
_SWITCHES = words("words/tools:access.switches")


def _opens(named: frozenset[str], leaf: Leaf) -> str:
    value = leaf.value
    if not isinstance(value, str):
        return "makes somebody an administrator" if raised(named, leaf) else exposed(named, leaf)
    if len(value) <= MAX_VALUE:
        if why := given(named, leaf, value.strip().lower()):
            return why
        if is_lived_by(leaf, named):
            return "writes a file that the machine lives by"
        if leaf.key.lower() in _MOUNTS and value.startswith(_HOST):
            return "hands a container what its machine lives by"
    return exposed(named, leaf) if len(value) <= MAX_RULES else ""
