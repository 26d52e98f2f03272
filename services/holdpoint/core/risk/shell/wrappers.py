"""Programs that run another program: how each keeps it among its own options and words."""

from collections.abc import Mapping

import msgspec

from holdpoint.core.risk.knowledge import data_file
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner_commands import Wrapper
from holdpoint.messages.program_rules import WrapperForm, Wrappers

_FILE = msgspec.convert(data_file("wrappers"), Wrappers)


def _wrapper(form: WrapperForm) -> Wrapper:
    options = (_FILE.options.get(word, word) for word in form.values.split())
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
    forms = {**_FILE.wrappers, _FILE.plain: (WrapperForm(),)}
    return {
        name: wrappers
        for names, those in forms.items()
        for wrappers in [tuple(map(_wrapper, those))]
        for name in names.split()
    }


WRAPPERS = _wrappers()
"""By name; the first whose path fits and which leaves a command is taken."""

MANAGERS = word_set(_FILE.managers)
"""Those of them whose other words are orders of their own: `juju destroy-model`."""

HEADS = {
    name: frozenset(wrapper.path[0] for wrapper in wrappers)
    for name, wrappers in WRAPPERS.items()
    if all(wrapper.path and not wrapper.script for wrapper in wrappers)
}
"""The first words of those that run something only behind one."""
