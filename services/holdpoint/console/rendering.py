"""Templates and what they need: every value is escaped, and none is ever marked as safe."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from holdpoint.console.card_view import local_time

HERE = Path(__file__).parent
STATIC = HERE / "static"


class Pages:
    """Draws whole pages, and the pieces that are sent again when something changes."""

    def __init__(self, *, tenant: str, environment: str) -> None:
        self._templates = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {"tenant": tenant, "environment": environment}
        self._templates.filters["local_time"] = local_time
        self._templates.filters["stamp"] = _stamp

    def page(self, name: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
        """One whole page."""
        return HTMLResponse(self.piece(name, values), status)

    def piece(self, name: str, values: Mapping[str, Any]) -> str:
        """A part of a page."""
        return self._templates.get_template(f"{name}.html").render(values)


def _stamp(at: datetime) -> str:
    """As `<time datetime>` wants it."""
    return at.isoformat(timespec="milliseconds")
