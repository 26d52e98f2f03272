"""Names of the variables that begin with HP_: one that nothing reads is a mistake."""

from collections.abc import Iterable
from difflib import get_close_matches

from holdpoint.cli.acting_as import Who
from holdpoint.runtime.config.settings import PREFIX, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import crash
from holdpoint.runtime.process.listening import handed_on
from holdpoint.runtime.security.credentials import API, CONSOLE, SLACK

CHOSEN = tuple(f"{PREFIX}{name.upper()}" for kind in (Settings, Who) for name in kind.model_fields)
"""Those that a person sets."""

OTHERS = (
    *(handed_on(name) for name in (CONSOLE, API, SLACK)),
    crash.VARIABLE,
    "HP_HEALTH_PORT",
    "HP_PARENT",
    "HP_HOOK_DIR",
    "HP_API_URL",
    "HP_TOKEN",
    "HP_SEED",
)
"""Those that services get from whoever starts them, and that hooks, examples and tests read."""

ANY_LIKENESS = 0.0


def check_names(variables: Iterable[str]) -> None:
    """Raise SetupError where a variable looks like a setting and is none."""
    unknown = [
        f"{name} is not a setting; the nearest one is {nearest(name, CHOSEN)}. "
        "Correct its name, or unset it."
        for name in sorted(variables)
        if name.startswith(PREFIX) and name not in {*CHOSEN, *OTHERS}
    ]
    if unknown:
        raise SetupError("\n".join(unknown))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return which of the known names this one is most like."""
    return get_close_matches(name, tuple(known), 1, ANY_LIKENESS)[0]
