"""Numbers with their thousands apart, as people read them: `12,500`, `1,000,000.00`."""

import re

_PLAIN = re.compile(r"-?[0-9]{4,}(?:\.[0-9]+)?")


def grouped(number: str) -> str:
    """Return a plain decimal number with commas between its thousands; any other text as it is."""
    if not _PLAIN.fullmatch(number):
        return number
    whole, dot, rest = number.partition(".")
    return f"{int(whole):,}{dot}{rest}"
