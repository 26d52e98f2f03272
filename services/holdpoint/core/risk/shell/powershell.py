"""What PowerShell is handed as a text: in words, encoded, on its input."""

import base64

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import Found, Inner
from holdpoint.core.risk.shell.model import Command, Origin
from holdpoint.core.risk.shell.scripts import input_of, script_of, unseen


def powershell(command: Command) -> Found:
    """Its words, its input, or what stands behind an option, also encoded."""
    args = command.args
    if _fetched_iex(" ".join(args)):
        return [unseen(Origin.REMOTE)]
    for at, arg in enumerate(args):
        option = arg.lower()
        if not option.startswith("-"):
            if not at or args[at - 1].lower() not in _PWSH_VALUES:
                break
            continue
        if "-encodedcommand".startswith(option) and len(option) > 1 and option[1] == "e":
            return _encoded(args[at + 1 : at + 2])
        if option in {"-command", "-c", "-commandwithargs"}:
            text = " ".join(args[at + 1 :])
            return input_of(command) if text == "-" else script_of(text, command)
        if option in {"-file", "-f"}:
            return []
    plain = [arg for arg in args if not arg.startswith("-")]
    return script_of(" ".join(plain), command) if plain else input_of(command)


_PWSH_VALUES = word_set(
    "-w -windowstyle -ep -ex -exec -executionpolicy -v -version -of -outputformat -if -inputformat "
    "-wd -workingdirectory -configurationname -psconsolefile -settingsfile"
)
_fetched_iex = glance(
    r"(?i)(?:iex|invoke-expression)\b.*(?:iwr|irm|invoke-webrequest|invoke-restmethod|download"
    r"|webclient|curl|wget)\b|(?:iwr|irm|invoke-webrequest|invoke-restmethod|download\w*|curl|wget)\b"
    r".*\b(?:iex|invoke-expression)\b"
)


def _encoded(text: tuple[str, ...]) -> Found:
    try:
        script = base64.b64decode("".join(text)).decode("utf-16-le")
    except ValueError:
        script = ""
    return [Inner(script=script)] if script else [unseen(Origin.DECODED)]
