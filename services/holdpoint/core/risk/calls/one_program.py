"""A call that only hands over one program: `shell.run {"command": "…"}`. It is that program."""

from holdpoint.core.risk.calls.leaf import Walked, words_of
from holdpoint.core.risk.calls.many import MAX_COUNT
from holdpoint.core.risk.keys import PROGRAM_KEYS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.remembered import remembered


def only_program(walked: Walked, tool: str) -> str:
    """The program, where the call says nothing else; else empty.

    It is too long for a count, a sum or a selector, and no single word.
    """
    if len(walked.leaves) != 1 or len(walked.objects) != 1 or walked.lists:
        return ""
    leaf = walked.leaves[0]
    text = leaf.value
    if leaf.key not in PROGRAM_KEYS or leaf.path != f"/{leaf.key}" or not isinstance(text, str):
        return ""
    return text if len(text) > MAX_COUNT and " " in text.strip() and _only_runs(tool) else ""


@remembered(1024)
def _only_runs(tool: str) -> bool:
    """Whether its name only says that it runs something, and nothing about it."""
    return bool(tool) and _RUNS.issuperset(words_of(tool))


_RUNS = words("words/tools:one_program.runs")
