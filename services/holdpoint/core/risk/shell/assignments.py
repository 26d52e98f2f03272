"""Variables: what an assignment or a declaration leaves in the scope."""

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.expand import Expander

RUN_LATER = word_set(
    "PROMPT_COMMAND GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_PAGER GIT_SEQUENCE_EDITOR GIT_ASKPASS "
    "GIT_EXTERNAL_DIFF PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE FCEDIT"
)
"""Variables whose value other programs run as a command."""

MAX_ELEMENTS = 64
"""Elements of an array that are kept."""


def assign(expander: Expander, text: str, elements: list[str]) -> str:
    """`x=…`, `x+=…`, `x[0]=…`, and `x=(a b)` whose elements are given; the name is given back."""
    name, _, value = text.partition("=")
    if value.startswith("("):
        _array(expander, name, elements)
        return name
    known = expander.text(value)
    if name.endswith("+"):
        name = name[:-1]
        known = (expander.scope.get(name) or "") + known
    expander.scope.put(name, known)
    if name in RUN_LATER:
        expander.run(known)
    return name


def _array(expander: Expander, name: str, elements: list[str]) -> None:
    words = [word for element in elements for word in expander.words(element)]
    for place, word in enumerate(words[:MAX_ELEMENTS]):
        expander.scope.put(f"{name}[{place}]", word)
    for whole in (f"{name}[@]", f"{name}[*]"):
        expander.scope.put(whole, " ".join(words))
    expander.scope.put(name, words[0] if words else "")


def declare(expander: Expander, name: str, options: str) -> None:
    """`declare -l` and `-u` change the case of what is assigned."""
    value = expander.scope.get(name) or ""
    if " -l" in options:
        expander.scope.put(name, value.lower())
    elif " -u" in options:
        expander.scope.put(name, value.upper())
