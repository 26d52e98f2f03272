"""Names of the variables that begin with HP_: one that nothing reads is a mistake."""

import os
from collections.abc import Iterable
from difflib import get_close_matches

from holdpoint.runtime.config.settings import PREFIX, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import crash
from holdpoint.runtime.process.listening import handed_on
from holdpoint.runtime.security.credentials import API, CONSOLE, SLACK

ACTING = ("HP_PERSON", "HP_AGENT")
"""Those of the command line: whom its commands act as."""

CHOSEN = (*(f"{PREFIX}{name.upper()}" for name in Settings.model_fields), *ACTING)
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
"""Those that services get from their supervisor, and that hooks, examples and tests read."""


def chosen_settings() -> Settings:
    """Return the settings that the environment chose.

    Raises SetupError where a variable has a wrong value, or is none of them.
    """
    check_names(os.environ)
    return Settings()


def check_names(variables: Iterable[str]) -> None:
    """Raise SetupError where a variable looks like a setting and is none."""
    unknown = [
        _unknown(name)
        for name in sorted(variables)
        if name.startswith(PREFIX) and name not in {*CHOSEN, *OTHERS}
    ]
    if unknown:
        raise SetupError("\n".join(unknown))


def _unknown(name: str) -> str:
    names = [it.removeprefix(PREFIX) for it in CHOSEN]
    like = get_close_matches(name.removeprefix(PREFIX), names, 1)
    if not like:
        return f"{name} is not a setting, and nothing reads it. Unset it."
    meant = f"the nearest one is {PREFIX}{like[0]}"
    return f"{name} is not a setting; {meant}. Correct its name, or unset it."
