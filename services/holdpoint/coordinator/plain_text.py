"""Text without case and accents."""

import unicodedata


def plain(text: str) -> str:
    """Return the text without case and accents, its apostrophes alike."""
    folded = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("`", "'"))
    return "".join(it for it in folded if not unicodedata.combining(it)).casefold()
