"""For whom an agent acts, by its configuration."""

from holdpoint.gate.context import Gate, RefusedError


def principal_of(gate: Gate, agent: str, on_behalf_of: str) -> str:
    """For whom the agent acts: one of those its configuration names."""
    may = gate.agents[agent].acts_for
    if not on_behalf_of:
        return may[0] if may else ""
    if on_behalf_of not in may:
        text = f"agents.yaml does not let {agent} act for {on_behalf_of!r}."
        raise RefusedError("not_your_principal", text)
    return on_behalf_of
