"""Programs that run another program: how each keeps it among its own options and words."""

from collections.abc import Mapping

import msgspec

from holdpoint.core.risk.knowledge import entry, mapping, words
from holdpoint.core.risk.shell.inner_commands import Wrapper


class _Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same, as `data/wrappers.toml` has it."""

    path: str = ""
    values: str = ""
    script: str = ""
    own_words: int = 0
    joined: bool = False
    dashed: bool = False


_LISTS = mapping("wrappers:options")


def _wrapper(form: _Form) -> Wrapper:
    options = (_LISTS.get(word, word) for word in form.values.split())
    script = frozenset(form.script.split())
    return Wrapper(
        path=tuple(form.path.split()),
        values=frozenset(" ".join(options).split()) | script,
        skip=form.own_words,
        joined=form.joined,
        script=script,
        dashed=form.dashed,
    )


def _wrappers() -> Mapping[str, tuple[Wrapper, ...]]:
    forms = msgspec.convert(entry("wrappers:wrappers"), dict[str, tuple[_Form, ...]])
    forms[entry("wrappers:plain")] = (_Form(),)
    return {
        name: wrappers
        for names, those in forms.items()
        for wrappers in [tuple(map(_wrapper, those))]
        for name in names.split()
    }


WRAPPERS = _wrappers()
"""By name; the first whose path fits and which leaves a command is taken."""

MANAGERS = words("wrappers:managers")
"""Those of them whose other words are orders of their own: `juju destroy-model`."""

HEADS = {
    name: frozenset(wrapper.path[0] for wrapper in wrappers)
    for name, wrappers in WRAPPERS.items()
    if all(wrapper.path and not wrapper.script for wrapper in wrappers)
}
"""The first words of those that run something only behind one."""
