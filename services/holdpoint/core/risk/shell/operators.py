"""What an operator in `${…}` makes of a value: `${x%.*}`, `${x/a/b}`, `${x,,}`, `${x:1:2}`."""

from collections.abc import Callable

from holdpoint.core.risk.shell.model import HOLE


def edited(value: str, sign: str, operand: str, text: Callable[[str], str]) -> str:
    """Substrings, cut ends, replacements, other case."""
    if sign == ":":
        return _substring(value, text(operand))
    if sign in "#%":
        pattern = text(operand.lstrip(sign))
        return value.removesuffix(pattern) if sign == "%" else value.removeprefix(pattern)
    if sign == "/":
        everywhere = operand.startswith("/")
        old, _, new = operand.lstrip("/#%").partition("/")
        return value.replace(text(old), text(new), -1 if everywhere else 1) if old else value
    if sign in "^,":
        head = value if operand.startswith(sign) else value[:1]
        return (head.upper() if sign == "^" else head.lower()) + value[len(head) :]
    return value


def _substring(value: str, operand: str) -> str:
    start, _, length = operand.partition(":")
    try:
        cut = value[int(start) :]
        return cut if not length else cut[: int(length)]
    except ValueError:
        return HOLE + "…"
