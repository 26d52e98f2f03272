"""Where in the files of a policy stands what is wrong with it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from holdpoint.runtime.policy import PolicyFile
from holdpoint.runtime.written import composed, keys_of, line_at, scalars


def places(problem: str, files: Sequence[Path]) -> list[tuple[str, str]]:
    """File and line of what a problem of the policy is about: its rule, or its field.

    The first file is the main one. What is about all of them, as their size, stands in their
    folder, and has no line.
    """
    return _rules(problem, files) or _tools(problem, files) or [_field(problem, files[0])]


def located(problems: Iterable[str], files: Sequence[Path]) -> list[str]:
    """Each problem behind its `file:line`, as a file that cannot be read is told."""
    return [f"{':'.join(filter(None, places(one, files)[0]))}: {one}" for one in problems]


def _rules(problem: str, files: Sequence[Path]) -> list[tuple[str, str]]:
    return [
        (str(path), str(rule.start_mark.line + 1))
        for path in sorted(files)
        for rule in scalars(composed(path), ("patterns", "id"))
        if problem.startswith((f"pattern {rule.value}: ", f"pattern {rule.value!r}: "))
    ]


def _tools(problem: str, files: Sequence[Path]) -> list[tuple[str, str]]:
    return [
        (str(path), str(line_at(composed(path), ("commands", name))))
        for path in sorted(files)
        for name in keys_of(composed(path), "commands")
        if problem.startswith((f"commands.{name}: ", f"commands.{name} "))
    ]


def _field(problem: str, main: Path) -> tuple[str, str]:
    first, *steps = problem.partition(": ")[0].split(".")
    if first not in PolicyFile.model_fields:
        return str(main.parent), ""
    return str(main), str(line_at(composed(main), (first, *steps)))
