"""Text without case and accents."""

import unicodedata


def plain(text: str) -> str:
    """Return the text without case and accents, its apostrophes alike."""
    folded = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("`", "'"))
    return "".join(it for it in folded if not unicodedata.combining(it)).casefold()


def as_said(text: str, part: str) -> str:
    """Return a part of the plain text as it stands in the text: with its accents and case."""
    whole = unicodedata.normalize("NFC", text)
    signs = [(at, sign) for at, it in enumerate(whole) for sign in plain(it)]
    begin = "".join(sign for _, sign in signs).find(part)
    if begin < 0 or not part:
        return part
    return whole[signs[begin][0] : signs[begin + len(part) - 1][0] + 1]
