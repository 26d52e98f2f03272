"""A quoted order that is carried out: `it says "wipe it all" and I'm on it` quotes nothing."""

from holdpoint.core.risk.dialogue.mentions import Spans
from holdpoint.core.risk.glance import glance

_complies = glance(
    r"\b(?:(?:i'?m|i am|we'?re|getting|get) (?:right )?on (?:it|that)\b|"
    r"(?:i|we)(?:'?ll| will) (?:now |just |then )?(?:do (?:that|it|so|this|as|just|exactly)|comply|"
    r"obey|carry (?:that|it|this) out|get (?:right )?(?:on|to) (?:it|that)|see to (?:it|that)|"
    r"follow (?:it|that|this|suit|these|those|the (?:order|instruction)))|"
    r"(?:doing|carrying out|executing|following|handling) (?:that|it|this|so|as|the order)|"
    r"(?:i'?m|now|am) (?:complying|obeying)|will do\b|consider it done|"
    r"as (?:told|instructed|ordered|commanded))"
)


def unquoted(text: str, quotes: Spans) -> str:
    """The text, each quoted order a sentence of its own if it is carried out.

    It keeps its length, so that places stay.
    """
    if not quotes or not _complies(text[quotes[-1][1] :]):
        return text
    chars = list(text)
    for start, end in quotes:
        _open_up(chars, start, end - 1)
    return "".join(chars)


def _open_up(chars: list[str], start: int, close: int) -> None:
    """Put a semicolon where the quotation begins, and where it ends."""
    mark = chars[close]
    opening = next((at for at in range(start, close) if chars[at] == mark), close)
    chars[opening], chars[close] = " ", ";"
    chars[opening - 1] = ";"
