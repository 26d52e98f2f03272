"""Commands drawn from every word that the shell's rules look at, found in the rules themselves."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from holdpoint.core.risk import http, shell
from holdpoint.core.risk.shell.fast_path import FORMS, QUIET

ENDS = (
    " 2>/dev/null", " >/dev/null 2>&1", " &> /dev/null", " 2>&1", "  > /dev/null", " >&2",
    "2>/dev/null", " 1>&2", " 3>/dev/null", " > a", " 2>&1 >/dev/null x", " >>/dev/null", " < a",
)  # fmt: skip
"""What may stand behind a command: where its output goes, and what it reads."""

_WORD = re.compile(r"[^\s'\"\\;&|<>()$`{}#\x00-\x1f\x7f-\uffff]{1,40}")
_LITERAL = re.compile(r"[A-Za-z][\w.-]+")


def vocabulary() -> list[str]:
    """The words in their sets, tables and patterns, in order."""
    found: set[str] = set()
    for package in (shell, http):
        for one in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for name, value in vars(import_module(one.name)).items():
                if not name.startswith("__"):  # where the module lies on this machine, and the like
                    found.update(_words(value, depth=0))
    return sorted(found)


def _words(value: object, *, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _WORD.findall(value)
    elif pattern := getattr(value, "pattern", None):
        yield from _LITERAL.findall(str(pattern))
    elif isinstance(value, dict):
        yield from _words([*value, *value.values()], depth=depth)
    elif isinstance(value, frozenset | set | tuple | list) and depth < len("abc"):
        for one in value:
            yield from _words(one, depth=depth + 1)


class Drawn:
    """Commands of the programs that have a form, with any words that the engine knows."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)  # noqa: S311  # repeatable, not secret
        self.words = vocabulary()
        self.quiet = sorted(QUIET)
        self.forms = {name: _tokens(form) for name, form in FORMS.items()}
        self.heads = {name: _heads(form, self.forms[name]) for name, form in FORMS.items()}

    def line(self) -> str:
        """Some commands, with signs between them, or in a loop."""
        text = self.command()
        while self.dice.random() < 0.25:
            text += self.dice.choice((" | ", " && ", "; ", "\n", " || ")) + self.command()
        if self.dice.random() < 0.05:
            values = " ".join(self.dice.choices((*self.words, "*.txt", "1"), k=3))
            text = f"for {self.dice.choice(('f', 'PATH', 'x'))} in {values}; do {text}; done"
        return text

    def command(self) -> str:
        """A program and up to five arguments."""
        if self.dice.random() < 0.1:
            name, tokens = self.dice.choice(self.quiet), ["x"]
        else:
            name, tokens = self.dice.choice(list(self.forms.items()))
        count = self.dice.randrange(6)
        args = [self.argument(tokens) for _ in range(count)]
        if self.dice.random() < 0.8:
            args.insert(0, self.dice.choice(self.heads.get(name, tokens)))
        return " ".join((name, *args)) + self.dice.choice(("",) * len(ENDS) + ENDS)

    def argument(self, tokens: list[str]) -> str:
        """An option or a word, mostly of those that the form names."""
        dice, word = self.dice, self.dice.choice(self.words)
        return dice.choice(
            (
                word, word, word, f"{word}/{dice.choice(self.words)}", f"a.{word}",
                f"/tmp/{word}",  # noqa: S108  # a name in a text, no file
                f"./{word}", f"'{word}'", f'"{word}"', f"x={word}", f"{word}*", f"/{word}",
                f"--{dice.choice(tokens)}", f"--{dice.choice(tokens)}={word}", f"-{word[:2]}",
                f"-{dice.choice('abcdefghijklmnopqrstuvwxyzCLPRSFA')}", dice.choice(tokens),
                f"https://{word}.org/{dice.choice(self.words)}?{word}=1",
                f"https://x.org/{word.title()}/5", "-7", "+3d", "--",
                f'-m "{word} {dice.choice(self.words)}"', str(dice.randrange(1000)), "$x",
                f'"${{x}}{word}"', f"${word}",
                f"{word}.py", word.title(), word.upper(), f"'1,{dice.randrange(9)}p'",
                f"-{word.lstrip('-')}",
            )
        )  # fmt: skip


def _tokens(form: re.Pattern[str]) -> list[str]:
    return sorted(set(re.findall(r"[a-z][a-z-]+", form.pattern))) or ["x"]


def _heads(form: re.Pattern[str], tokens: list[str]) -> list[str]:
    return [one for one in (*tokens, "x.py", "xzf", "run build") if form.fullmatch(one)] or tokens
