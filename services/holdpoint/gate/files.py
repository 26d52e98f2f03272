"""The policy as it lies on disk, refused unless a gate could keep to it."""

from holdpoint.core.risk.check import check_policy
from holdpoint.messages.policy import Policy
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.policy import load_policy
from holdpoint.runtime.registry import Registry, groups_of
from holdpoint.runtime.settings import Settings


def checked_policy(settings: Settings, registry: Registry) -> Policy:
    """The policy on disk, if it is one that this gate can keep to."""
    policy = load_policy(settings.config_dir, groups_of(registry))
    if problems := check_policy(policy):
        raise SetupError("The policy cannot be used:\n" + "\n".join(problems))
    return policy
