"""Remembered permissions as the ledger has them: the newest state of each agent."""

from sqlalchemy import Connection

from holdpoint.ledger.states import states_found
from holdpoint.messages.state import Permission, PermissionState


def permissions_found(connection: Connection) -> list[tuple[str, Permission]]:
    """Every permission that stands, with its agent; some of them may have ended."""
    states = states_found(connection, PermissionState)
    return [(agent, it) for agent, state in states.items() for it in state.permissions]
