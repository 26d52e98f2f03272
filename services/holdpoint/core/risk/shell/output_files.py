"""Files that programs write because an option or a word names them: `sort -o FILE`, `uniq IN FILE`.

Such a write is read as a redirection, so that all that is known of `> FILE` counts for it.
"""

from collections.abc import Iterator

import msgspec
import re2

from holdpoint.core.risk.knowledge import data_file
from holdpoint.core.risk.shell.model import HOLE, Command, Redirect
from holdpoint.core.risk.shell.options import SHORTEST, read_options
from holdpoint.core.risk.words import word_set
from holdpoint.messages.program_rules import OutputRule


class _Form:
    """A row, ready to be matched."""

    def __init__(self, row: OutputRule) -> None:
        self.options = word_set(row.options)
        self.within = tuple(row.within.split())
        self.values = word_set(row.values) | self.options.union(self.within)
        self.behind = word_set(row.behind)
        self.place = row.word
        self.bundled = row.bundled
        self.exact = row.exact
        self.fetched = row.fetched
        self.needs = re2.compile(row.needs) if row.needs else None
        self.text = re2.compile(row.text) if row.text else None

    def files(self, args: tuple[str, ...]) -> Iterator[str]:
        """Yield each file that these arguments name, where it lies."""
        options = read_options(args, self.values)
        folder = options.value(*self.within)
        named = self._named(args, options.words)
        yield from (joined(folder, file) for file in named) if folder else named

    def _named(self, args: tuple[str, ...], words: tuple[str, ...]) -> Iterator[str]:
        """Yield each as it is named."""
        if self.behind and self.behind.isdisjoint(words[:1]):
            return
        if self.needs and not self.needs.search(" ".join(args)):
            return
        valued = [*self._valued(args)] if self.options else []
        yield from valued
        at = self.place - 1 if self.place > 0 else len(words) - 1
        if self.place and at >= (self.place < 0) + bool(self.behind) and words[at:]:
            yield words[at]
        if self.fetched and not valued:
            yield from (match[1] for word in words if (match := _address.match(word)))
        if self.text:
            found = (match for arg in args for match in self.text.finditer(arg))
            yield from (match[match.lastindex] for match in found)

    def _valued(self, args: tuple[str, ...]) -> Iterator[str]:
        """Yield the value of each of the options, however often one is given."""
        following = (*args[1:], "")
        for at, arg in enumerate(args):
            if arg == "--":
                return
            if arg[:1] != "-":
                if self.bundled and not at and "f" in arg:
                    yield following[at]
                continue
            name, assigned, value = arg.partition("=")
            if self._is_meant(name):
                yield value if assigned else following[at]
            elif arg[:2] != "--":
                place = next((n for n, it in enumerate(arg) if f"-{it}" in self.options), 0)
                if place:
                    yield arg[place + 1 :] or following[at]

    def _is_meant(self, name: str) -> bool:
        """Return whether this is one of the options, or a beginning of a long one."""
        begins = name[:2] == "--" and len(name) >= SHORTEST and not self.exact
        return name in self.options or (begins and any(it.startswith(name) for it in self.options))


_address = re2.compile(r"(?:[a-z][a-z0-9+.-]*://)?[^/?#:]+(?::\d+)?/(?:[^?#]*/)?([^/?#]+)")
"""An address; its group is how a program that fetches calls the file."""


def joined(folder: str, path: str) -> str:
    """A path that is seen from a folder, seen from where that is."""
    if path[:1] in {"", "-", "/", "~", "&", HOLE} or path.isdigit():
        return path
    bare = path.removeprefix("./")
    return folder if bare in {"", "."} else f"{folder.rstrip('/')}/{bare}"


_RULES = msgspec.convert(data_file("outputs"), dict[str, tuple[OutputRule, ...]])
_FORMS = {
    name: tuple(map(_Form, rules)) for names, rules in _RULES.items() for name in names.split()
}
WRITERS = frozenset(_FORMS)
"""By name."""


def with_outputs(command: Command) -> Command:
    """Return the command with a redirection for each file that it is told to write."""
    forms = _FORMS.get(command.name, ())
    files = [file for form in forms for file in form.files(command.args) if file]
    if not files:
        return command
    told = (Redirect(">", file, in_words=True) for file in dict.fromkeys(files))
    return msgspec.structs.replace(command, redirects=(*command.redirects, *told))
