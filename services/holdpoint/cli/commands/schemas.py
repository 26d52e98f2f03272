"""`holdpoint schemas`: write the contract for any language; no broker is needed."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from holdpoint import contract
from holdpoint.cli import output
from holdpoint.cli.session import JsonOption
from holdpoint.runtime.errors import SetupError


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """Result of `holdpoint schemas`."""

    written: list[str]
    """The files' paths."""


writing = typer.Typer()
"""`schemas`: mounted at the top."""


@writing.command()
def schemas(
    directory: Annotated[Path, typer.Argument(help="Where the contract is written.")],
    *,
    json: JsonOption = False,
) -> None:
    """Write the contract for any language: JSON Schema, AsyncAPI, OpenAPI, TypeScript."""
    try:
        paths = contract.write(directory)
    except OSError as error:
        raise SetupError(f"{directory} cannot be written: {error.strerror}.") from None
    if json:
        output.emit(Written(written=[str(path) for path in paths]))


def mount(app: typer.Typer) -> None:
    """Add this command."""
    app.add_typer(writing)
