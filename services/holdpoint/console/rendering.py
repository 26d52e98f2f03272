"""Templates and what they need: every value is escaped, and none is ever marked as safe."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from holdpoint.console.card_view import local_time
from holdpoint.console.gate_words import load_gate_words
from holdpoint.console.languages import (
    NAMES,
    Catalogue,
    Translation,
    load_catalogue,
    localized,
    phrased,
    said,
    spoken,
)
from holdpoint.console.text_segments import pieces_of
from holdpoint.core.sentences import as_sentence

HERE = Path(__file__).parent
STATIC = HERE / "static"


def _version() -> str:
    """Digest of every file that pages load: another one makes another address."""
    files = sorted(STATIC.iterdir())
    return sha256(b"".join(sha256(it.read_bytes()).digest() for it in files)).hexdigest()[:16]


FILES = f"/static/{_version()}"
"""Address of the files of this version: a browser keeps them, and never asks again."""


class Pages:
    """Draws whole pages, and the pieces that are sent again when something changes."""

    def __init__(self, *, tenant: str, environment: str) -> None:
        shown = {"tenant": tenant, "environment": environment, "languages": NAMES, "files": FILES}
        self._templates = {it: _templates(it, shown) for it in NAMES}

    def page(self, name: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
        """One whole page."""
        return HTMLResponse(self.piece(name, values), status)

    def piece(self, name: str, values: Mapping[str, Any]) -> str:
        """A part of a page."""
        return self._templates[spoken.get()].get_template(f"{name}.html").render(values)


def _templates(language: str, shown: Mapping[str, Any]) -> Environment:
    """Return the templates with their fixed texts in this language."""
    catalogue = load_catalogue(STATIC, language)
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=[Translation] if catalogue else [],
    )
    templates.extend(catalogue=catalogue)
    templates.globals |= {**shown, "language": language, "gate": load_gate_words(STATIC, language)}
    templates.filters["local_time"] = local_time
    templates.filters["stamp"] = _stamp
    templates.filters["number"] = partial(_number, language=language)
    templates.filters["pieces"] = pieces_of
    templates.filters["sentence"] = as_sentence
    templates.filters["phrase"] = partial(phrased, catalogue=catalogue)
    templates.filters["listed"] = partial(_listed, catalogue=catalogue)
    templates.filters["say"] = partial(said, catalogue=catalogue)
    return templates


def _number(value: int | str, language: str) -> str:
    """A count or a text with numbers, as the language writes them."""
    return localized(f"{value:,}" if isinstance(value, int) else value, language)


def _listed(values: Iterable[object], catalogue: Catalogue) -> str:
    """Several in a sentence: `3, 4 and 5`."""
    *others, last = map(str, values)
    return f"{', '.join(others)}{said(' and ', catalogue)}{last}" if others else last


def _stamp(at: datetime) -> str:
    """As `<time datetime>` wants it."""
    return at.isoformat(timespec="milliseconds")
