"""`holdpoint audit`: ask the ledger, and verify it offline.

Exit codes: 0 all is well, 1 something was tampered with, is missing or needs an explanation,
2 the question itself is wrong, 4 the ledger cannot be read, 7 no hold (or more than one) begins so.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from holdpoint.cli.audit_session import JsonOption, UrlOption, answered, asked, print_json
from holdpoint.cli.commands import audit_erase, audit_proofs
from holdpoint.cli.commands.audit_evidence import evidence
from holdpoint.cli.commands.audit_export import export_range
from holdpoint.cli.commands.audit_forward import forward
from holdpoint.cli.commands.audit_query import query
from holdpoint.cli.commands.audit_report import report
from holdpoint.cli.read_notes import note_read
from holdpoint.core.graph_picture import svg
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.cycle_pictures import cycle_picture, mermaid
from holdpoint.ledger.history import Node, cycles_of, derivative, history
from holdpoint.ledger.rebuild import rebuild
from holdpoint.ledger.writer import upgrade
from holdpoint.runtime.config.settings import Settings

OK, BAD = 0, 1
audit = typer.Typer(help="Ask the ledger, and verify it.", no_args_is_help=True)

audit.command()(query)
audit.command()(report)
audit.command()(forward)
audit.command()(evidence)
audit.command(name="export")(export_range)
audit_proofs.add_to(audit)
audit_erase.add_to(audit)


@audit.command(name="history")
def history_of(  # noqa: PLR0913  # each is one option
    agent: Annotated[str, typer.Argument(help="Whose chat history.")],
    *,
    h: Annotated[bool, typer.Option("--h", help="User inputs and answers.")] = False,
    h1: Annotated[bool, typer.Option("--h1", help="With each call and its result.")] = False,
    h2: Annotated[bool, typer.Option("--h2", help="Whole trees: the default.")] = False,
    as_mermaid: Annotated[
        bool, typer.Option("--mermaid", help="Draw the trees as a Mermaid graph.")
    ] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="Draw the trees as SVG.")] = False,
    last: Annotated[int | None, typer.Option(min=1, help="Only the last so many cycles.")] = None,
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Show an agent's cycles, from a user's input to the answer (seed 001)."""
    if sum((h, h1, h2)) > 1:
        raise typer.BadParameter("Choose one of --h, --h1 and --h2.")
    if sum((as_mermaid, as_svg, as_json)) > 1 or ((h or h1) and (as_mermaid or as_svg)):
        raise typer.BadParameter("--mermaid and --svg draw whole trees, and go with --last only.")
    tenant = Settings().tenant
    note_read(ledger, "history", {"agent": agent})
    cycles = asked(ledger, lambda connection: cycles_of(connection, tenant, agent, last))
    if as_mermaid or as_svg:
        typer.echo(mermaid(cycles) if as_mermaid else svg(cycle_picture(cycles)))
        return
    shown: Sequence[object] = history(cycles) if h else derivative(cycles) if h1 else cycles
    if as_json:
        print_json(shown)
        return
    if not shown:
        typer.echo(f"The ledger has no cycle of {one_line(visible(agent))}.")
    for cycle in shown:
        text = cycle.shape if isinstance(cycle, Node) else msgspec.json.encode(cycle).decode()
        typer.echo(one_line(visible(text)))


@audit.command(name="rebuild")
def rebuild_derived(*, as_json: JsonOption = False, ledger: UrlOption = "") -> None:
    """Derive every derived table again from the events, and say which one had been changed.

    Exit code 0 when all were as their events say, 1 when one was not, and was mended.
    """
    rebuilt = answered(ledger, rebuild)
    if as_json:
        print_json(rebuilt)
    else:
        for it in rebuilt:
            how = "said something else, and was mended" if it.changed else "as it was"
            typer.echo(f"{it.table}: {it.rows:,} rows, {how}")
    raise typer.Exit(BAD if any(it.changed for it in rebuilt) else OK)


@audit.command()
def migrate(*, as_json: JsonOption = False, ledger: UrlOption = "") -> None:
    """Make the ledger, or take it to the newest tables, as the audit does when it starts.

    Needed only where the audit's own role may not: PostgreSQL with deploy/postgresql/roles.sql.
    """
    answered(ledger, upgrade)
    print_json({"migrated": True}) if as_json else typer.echo("The ledger is up to date.")


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(audit, name="audit")
