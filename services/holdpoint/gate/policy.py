"""The policy in force: gates judge by what a person adopted, not by what lies on disk."""

from holdpoint.gate.parts import Gate
from holdpoint.messages.state import PolicyState
from holdpoint.runtime.errors import ConflictError, UnavailableError

SETUP = "setup"
"""Who adopted the first policy: the one that the system was set up with."""


async def check_in_force(gate: Gate) -> None:
    """Raise UnavailableError unless the gate's policy is the adopted one; calls wait meanwhile."""
    adopted = await gate.states.adopted()
    if adopted.state is None:
        await _adopt_first(gate)
    elif adopted.state.digest != gate.policy_ref.digest:
        text = (
            f"The policy on disk ({gate.policy_ref.version}) is not the one in force "
            f"({adopted.state.version}). A person adopts it with: holdpoint policy adopt"
        )
        raise UnavailableError(text)


async def _adopt_first(gate: Gate) -> None:
    first = PolicyState(
        version=gate.policy_ref.version, digest=gate.policy_ref.digest, by=SETUP, cause=""
    )
    try:
        await gate.states.adopt(first, after=0)
    except ConflictError as error:
        raise UnavailableError("Another gate adopted a policy just now.") from error
