"""The policy in force, and its copy on this machine."""

import msgspec

from holdpoint.core.digest import policy_digest
from holdpoint.messages.policy import Policy
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings

COPY = "policy.adopted.json"

SHOWN_DIGEST = 12
"""Characters of a digest that tell two policies apart."""


def named(version: str, digest: str) -> str:
    """A policy as people tell it from another: its version alone says nothing of its packs."""
    return f"{version} (digest {digest[:SHOWN_DIGEST]})"


def same_version(version: str, digest: str, wanted: Policy) -> str:
    """Return what to heed where another policy has this version already; empty where none has."""
    new = policy_digest(wanted)
    if wanted.version != version or new == digest:
        return ""
    return (
        f"Two policies would be called version {version}: the adopted one has the digest "
        f"{digest[:SHOWN_DIGEST]}, this one {new[:SHOWN_DIGEST]}. Give this one another `version` "
        "in default.yaml."
    )


def kept(settings: Settings) -> Policy | None:
    """The policy that was adopted here last; None when none was, or its copy is damaged."""
    try:
        return msgspec.json.decode((settings.state_dir / COPY).read_bytes(), type=Policy)
    except (OSError, msgspec.DecodeError):
        return None


def remember(settings: Settings, policy: Policy) -> None:
    """Keep a copy, so that the next one can be compared with it."""
    content = msgspec.json.format(msgspec.json.encode(policy))
    files.replace(settings.state_dir / COPY, content, files.PRIVATE)
