"""`holdpoint catalog`: what agents may call, what it takes, and whether the rules are kept."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.bus import operator
from holdpoint.cli.catalog_checks import ask_only_tools, catalog_problems
from holdpoint.cli.commands.tools import told, tool_lines, tools
from holdpoint.cli.config_checks import Checked, Problem
from holdpoint.cli.domains import catalog as catalog_of
from holdpoint.cli.ledger_session import LedgerOption, snapshot
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.parity import matrix, mistakes
from holdpoint.cli.session import JsonOption, begun
from holdpoint.contract.stubs import members, python_stubs, typescript_stubs
from holdpoint.core.responses import report, result
from holdpoint.core.tool_graph import Edge, drawn, edges_of, mermaid
from holdpoint.ledger.replies import replies
from holdpoint.messages.hold import Rendered
from holdpoint.messages.state import Flag, flags_off
from holdpoint.runtime.config.parity_files import PARITY_FOLDER, load_parity, parity_files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError

catalog = typer.Typer(help="The tools that agents may call.", no_args_is_help=True)
catalog.command("list")(tools)

LANGUAGES = {"python": python_stubs, "typescript": typescript_stubs}


class Edges(msgspec.Struct, frozen=True, kw_only=True):
    """The tool graph, for programs."""

    edges: tuple[Edge, ...]


class CatalogChecked(Checked, frozen=True, kw_only=True):
    """Result of `holdpoint catalog check`."""

    legacy_ask: list[Problem]
    """Tools that only ask a person, while the flag `legacy_ask` is on."""


class Stubs(msgspec.Struct, frozen=True, kw_only=True):
    """Signatures, for programs."""

    language: str
    text: str


@catalog.command()
def show(
    name: Annotated[str, typer.Argument(help="The tool, or an alias of it.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Show one tool, by its name or an alias, and the type of each argument."""
    settings = begun()
    known = catalog_of(settings)
    tool = known.find(name)
    if tool is None:
        text = f"There is no tool {name}. `holdpoint catalog list` lists those that exist."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_tool", text)
    (line,) = tool_lines(settings, known, [tool])
    if as_json:
        output.emit(line)
        return
    output.show(told(line, output.width()))
    for number, member in enumerate(members(line.arguments, line.arguments)):
        output.show(output.field("" if number else "  Takes", member, output.width()))


@catalog.command()
def search(
    text: Annotated[str, typer.Argument(help="Words in name, alias or description.")] = "",
    *,
    domain: Annotated[str, typer.Option(help="Only tools of this domain.")] = "",
    max_tier: Annotated[int, typer.Option(help="The highest operation level.")] = 3,
    limit: Annotated[int, typer.Option(help="How many at most.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """Search tools by domain, words and level. With --json: one tool per line."""
    settings = begun()
    known = catalog_of(settings)
    found = known.search_tools(domain=domain, text=text, max_tier=max_tier, limit=limit)
    lines = tool_lines(settings, known, found)
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.show(told(line, output.width()))


@catalog.command()
def graph(
    *,
    as_mermaid: Annotated[bool, typer.Option("--mermaid", help="As a Mermaid flowchart.")] = False,
    ledger: LedgerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Draw which next steps the replies in the ledger offered, tool by tool."""
    known = catalog_of(begun())
    with snapshot(ledger) as connection:
        edges = edges_of(
            (
                (
                    tool,
                    report(fact, None, known.find(tool), "")
                    if isinstance(fact, Rendered)
                    else result(fact, ""),
                )
                for tool, fact in replies(connection)
            ),
            known,
        )
    if as_json:
        output.emit(Edges(edges=edges))
        return
    for line in (mermaid(edges) if as_mermaid else drawn(edges)).splitlines():
        output.show(Text(line))


@catalog.command()
def parity(
    file: Annotated[Path | None, typer.Argument(help="Default: every parity file.")] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Compare an interface's actions with the tools. Exit code 1 if a gap is not documented."""
    settings = begun()
    known = catalog_of(settings)
    files = [file] if file else parity_files(settings.config_dir / PARITY_FOLDER)
    actions = [action for path in files for action in load_parity(path)]
    rows, wrong = matrix(actions, known), list(mistakes(actions))
    if as_json:
        output.emit(*rows)
    else:
        for row in rows:
            output.show(Text(f"{row.frequency:>6}  {row.action:<32} {row.tool:<36} {row.status}"))
        for text in wrong:
            output.say(text)
    if wrong or any(row.is_gap for row in rows):
        raise typer.Exit(ExitCode.FAILED)


async def _may_ask(settings: Settings) -> bool:
    """Return whether the flag `legacy_ask` is on; where no broker answers, it is not."""
    try:
        async with operator(settings) as bus:
            return Flag.LEGACY_ASK not in flags_off(await bus.flags())
    except (CommandError, HoldpointError):
        return False


@catalog.command()
def check(*, as_json: JsonOption = False) -> None:
    """Check names, domains and their tools. Exit code 1 if anything is wrong."""
    settings = begun()
    found, named = catalog_problems(settings), []
    if any(it in found for it in ask_only_tools(settings)) and asyncio.run(_may_ask(settings)):
        found, named = catalog_problems(settings, legacy_ask=True), ask_only_tools(settings)
    if as_json:
        output.emit(CatalogChecked(ok=not found, problems=found, legacy_ask=named))
    else:
        for problem in named:
            output.say(f"{problem.line} (allowed while the flag legacy_ask is on)")
        for problem in found:
            output.say(problem.line)
        output.say(f"{len(found)} problem{'s' if len(found) != 1 else ''}.")
    if found:
        raise typer.Exit(ExitCode.FAILED)


@catalog.command()
def stubs(
    *,
    language: Annotated[str, typer.Option(help="python or typescript.")] = "python",
    domain: Annotated[str, typer.Option(help="Only tools of this domain.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Write a typed signature of each tool, for a program that calls it."""
    if language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is none of: {', '.join(LANGUAGES)}.")
    known = catalog_of(begun())
    among = known.get_tools_for_domain(domain) if domain else known.entries
    text = LANGUAGES[language](among)
    if as_json:
        output.emit(Stubs(language=language, text=text))
        return
    typer.echo(text)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(catalog, name="catalog")
