"""The policy as it lies on disk, refused unless a gate could keep to it."""

from dataclasses import dataclass

from holdpoint.core.risk import check_policy
from holdpoint.messages.policy import Policy
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.policy import POLICY_FOLDER, load_policy, policy_files
from holdpoint.runtime.policy_places import located
from holdpoint.runtime.registry import Registry, groups_of
from holdpoint.runtime.settings import Settings


@dataclass(frozen=True, kw_only=True)
class OnDisk:
    """What a gate finds on its disk when it starts: a policy, or what is wrong with it."""

    policy: Policy | None
    fault: str = ""


def on_disk(settings: Settings, registry: Registry) -> OnDisk:
    """The files are only a draft of what is adopted next: a fault there need not end a gate."""
    try:
        return OnDisk(policy=checked_policy(settings, registry))
    except SetupError as error:
        return OnDisk(policy=None, fault=str(error))


def checked_policy(settings: Settings, registry: Registry) -> Policy:
    """The policy on disk, if it is one that this gate can keep to."""
    policy = load_policy(settings.config_dir, groups_of(registry))
    if problems := check_policy(policy):
        told = located(problems, policy_files(settings.config_dir / POLICY_FOLDER))
        raise SetupError("The policy cannot be used:\n" + "\n".join(told))
    return policy
