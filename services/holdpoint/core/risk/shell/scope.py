"""What variables hold, and what of it nobody can be sure of."""

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from holdpoint.core.risk.knowledge import pattern, words

MAX_LENGTH = 16_384
"""Characters of one expanded word; what is longer is cut."""

MAX_NAMES = 48
"""Variables that name each other which are followed."""

MAX_ELEMENTS = 64
"""Elements of an array that are kept."""

APART = "\ue002"
"""Stands between the arguments in the value of `$@`."""

RUN_LATER = words("words/shell-flow:program_variables")
"""Variables whose value other programs run as a command."""

HOOKS = words("words/shell-flow:hook_variables")
LOADS_CODE = HOOKS | RUN_LATER
"""Variables that name what other programs load or run: `PATH`, `LD_PRELOAD`, `PAGER`."""

_steers = re.compile(pattern("patterns/shell:scope.steering"))
_LEADS_NONE = words("words/shell-flow:harmless_variables")
"""Variables that programs may be given: they change how something is shown, or which of one's own
accounts is asked.
"""

_READ = tuple(f"\ue000{kind}" for kind in ("…", "(…)", "(file)", "(data)", "(secret)", "(fetched)"))
"""Beginnings of values that come out of a file or from elsewhere, and that nobody has read."""

NAMES = re.compile(r"[A-Za-z_]\w*|(?<=\$)\d")
"""Variables in a sum, or in a subscript."""

Part = tuple[str, int]
"""A part of a text that may not run, or not here: what it says, and where it stands."""

Left = dict[str, list[str]]
"""Values that a part gave to variables, in order."""

UNKNOWN = -1
"""Instead of a branch: what any of them sets is not known."""

RUNS_OR_NOT = (None, 1)
"""What a part left counts, as in the first reading; or the branch in which it did not run."""


class Choice(msgspec.Struct, frozen=True):
    """Which branch of each doubtful part counts in one reading; of the others all do."""

    parts: dict[Part, int] = {}
    others: int | None = None

    def of(self, part: Part) -> int | None:
        """The branch of this part; None: all that it left, as if it ran."""
        return self.parts.get(part, self.others)


_FIRST = "[0]"
"""Behind the name of a variable: the variable itself."""


class Scope(msgspec.Struct):
    """What variables hold; each keeps every value that it was given, the last one counts."""

    values: dict[str, list[str]]
    names: set[str] = set()
    """Variables that only stand for another one: `declare -n x=y`."""

    marks: list[dict[str, int]] = []
    """For each part that is read now: the variables that it set, and how many values they had."""

    doubted: dict[str, set[Part]] = {}
    """Variables whose value depends on whether a part runs."""

    asked: dict[Part, None] = {}
    """Parts on which a value depends that somebody asked for."""

    branches: dict[Part, tuple[int | None, ...]] = {}
    """Of each doubtful part: what may be chosen."""

    choice: Choice = Choice()
    fixed: set[str] = set()
    """Variables that are read-only."""

    latent: bool = False
    """Whether one of them holds a substitution, which runs where it is evaluated once more."""

    loads_code: bool = False
    """True once one that names what other programs load or run was given a value, or the shell
    itself evaluates a text that nobody has read.
    """

    unread: bool = False
    """True once one of them holds a text that nobody has read."""

    guessed: set[str] = set()
    """Variables of loops that may hold more than the values that are tried."""

    counted: set[str] = set()
    """Variables that are numbers: what they are given is evaluated."""

    def get(self, name: str) -> str | None:
        """Its value; None when nothing here gave it one."""
        if self.names and name in self.names:
            name = (self.values.get(f"&{name}") or [name])[-1]
        if self.doubted and name in self.doubted:
            self.asked.update(dict.fromkeys(self.doubted[name]))
        found = self.values.get(name)
        return found[-1] if found else None

    def put(self, name: str, value: str) -> None:
        """Give it a value."""
        if self.doubted and not self.marks:
            self.doubted.pop(name, None)
        self._hold(name, value[:MAX_LENGTH])
        if name.endswith(_FIRST):
            self._hold(name.removesuffix(_FIRST), value[:MAX_LENGTH])

    def _hold(self, name: str, value: str) -> None:
        held = self.values.setdefault(name, [])
        if self.marks:
            self.marks[-1].setdefault(name, len(held))
        held.append(value)
        self.latent |= substitutes(value)
        self.loads_code |= leads(name)
        self.unread |= is_unread(value)

    def hands_on(self, name: str) -> None:
        """Note a variable that programs are given: few are known to lead none of them."""
        self.loads_code |= name not in _LEADS_NONE and not name.startswith("LC_")

    def rename(self, name: str, meant: str) -> None:
        """Let it stand for another one."""
        self.names.add(name)
        self.loads_code |= leads(meant)
        self.put(f"&{name}", meant)

    def begin(self) -> None:
        """From here on, note what is set."""
        self.marks.append({})

    def set_now(self) -> Iterator[str]:
        """Yield what was set in the part that is read now."""
        return iter(self.marks[-1] if self.marks else ())

    def undo(self) -> Left:
        """Undo what was set since; the values, to be given again where that part runs."""
        left: Left = {}
        for name, before in self.marks.pop().items():
            held = self.values[name]
            left[name] = held[before:]
            del held[before:]
        return left

    def redo(self, left: Left) -> None:
        """Give these values again."""
        for name, values in left.items():
            for value in values:
                self._hold(name, value)

    def doubt(self, name: str, part: Part) -> None:
        """Its value depends on whether this part runs."""
        self.doubted.setdefault(name, set()).add(part)

    def runs(self, part: Part) -> bool:
        """Return whether a part runs in this reading; what it does matters at once."""
        self.branches.setdefault(part, RUNS_OR_NOT)
        self.asked[part] = None
        return self.choice.of(part) is None

    def waiting(self, names: set[str]) -> list[str] | None:
        """Values of these variables, and of those that they name, in which something would run.

        None: more of them than are followed.
        """
        if not self.latent:
            return []
        known: set[str] = set()
        found: list[str] = []
        while (names := names - known) and len(known) < MAX_NAMES:
            known |= names
            held = [value for name in sorted(names) if (value := self.get(name))]
            found += filter(substitutes, held)
            names = {one for value in held for one in NAMES.findall(value)}
        return None if names else found

    def evaluates(self, text: str) -> None:
        """Note a sum, a subscript or a prompt: unless it names only known numbers, it may run."""
        unknown = "\ue000" in text.replace("\ue000number\ue001", "")
        self.loads_code |= unknown or not all(map(self._is_number, NAMES.findall(text)))

    def _is_number(self, name: str) -> bool:
        known = name not in self.guessed and _number.fullmatch(self.get(name) or "")
        return name.isdecimal() or bool(known)

    def arguments(self, words: tuple[str, ...]) -> None:
        """What a script or a function is called by, and with."""
        for place, word in enumerate(words[:10]):
            self.put(str(place), word)
        if words:
            self.put("@", APART.join(words[1:]))
            self.put("*", " ".join(words[1:]))

    def elements(self, name: str, words: list[str]) -> None:
        """Give an array these elements."""
        for place, word in enumerate(words[:MAX_ELEMENTS]):
            self.put(f"{name}[{place}]", word)
        self.put(f"{name}[@]", APART.join(words))
        self.put(f"{name}[*]", " ".join(words))
        self.put(name, words[0] if words else "")


@lru_cache(maxsize=2048)
def leads(name: str) -> bool:
    """Return whether programs take from this variable what they load, run, or talk to."""
    return name in LOADS_CODE or _steers.fullmatch(name) is not None


_number = re.compile("-?\\d+|\ue000number\ue001")


def is_unread(text: str) -> bool:
    """Return whether a part of it comes from where nobody has read it."""
    return "\ue000" in text and any(kind in text for kind in _READ)


def begins_unread(text: str) -> bool:
    """Return whether it begins with what nobody has read."""
    return text.startswith(_READ)


def substitutes(text: str) -> bool:
    """Return whether something would run if this were evaluated."""
    return "$(" in text or "`" in text or "${ " in text
