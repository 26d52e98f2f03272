"""Where the commands of people, agents and operators are mounted: one list."""

import typer

from holdpoint.cli.agent import agent
from holdpoint.cli.config import config
from holdpoint.cli.doctor import doctor_app
from holdpoint.cli.keys import keys
from holdpoint.cli.orders import kill, policy
from holdpoint.cli.people import answers, people
from holdpoint.cli.status import status_app

AT_THE_TOP = (answers, agent, status_app, doctor_app)
GROUPS = (
    ("people", people),
    ("kill", kill),
    ("policy", policy),
    ("keys", keys),
    ("config", config),
)


def mount(app: typer.Typer) -> None:
    """Add every command of this list to the app."""
    for group in AT_THE_TOP:
        app.add_typer(group)
    for name, group in GROUPS:
        app.add_typer(group, name=name)
