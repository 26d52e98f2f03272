"""The policy in force, its copy on this machine, and what another one would change."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec

from holdpoint.core.digest import policy_digest
from holdpoint.messages.policy import Pack, Pattern, Policy
from holdpoint.runtime import files
from holdpoint.runtime.settings import Settings

COPY = "policy.adopted.json"
ABSENT = "nothing"
"""What a value was that was not there."""


SHOWN_DIGEST = 12
"""Characters of a digest that tell two policies apart."""


def named(version: str, digest: str) -> str:
    """A policy as people tell it from another: its version alone says nothing of its packs."""
    return f"{version} (digest {digest[:SHOWN_DIGEST]})"


def same_version(version: str, digest: str, wanted: Policy) -> str:
    """What to heed where another policy has this version already; empty where none has."""
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


def changes(old: Policy, new: Policy) -> list[str]:
    """Every value that differs: `levels.4.verdict: deny -> hold`."""
    before, after = _values(old), _values(new)
    return [
        f"{name}: {before.get(name, ABSENT)} -> {after.get(name, ABSENT)}"
        for name in sorted(before | after)
        if before.get(name) != after.get(name)
    ]


def _values(policy: Policy) -> dict[str, str]:
    return dict(_flat("", policy))


def _flat(path: str, value: Any) -> Iterator[tuple[str, str]]:
    """Every leaf with its path; what has an id is named by it, whatever its place in a list."""
    match value:
        case msgspec.Struct():
            yield from _flat(path, msgspec.structs.asdict(value))
        case dict():
            for name, part in value.items():
                word = name.value if isinstance(name, Enum) else str(name)
                yield from _flat(f"{path}.{word}" if path else word, part)
        case (Pattern(), *_):
            yield from _flat(path, {part.id: part for part in value})
        case (Pack(), *_):
            yield from _flat(path, {part.name: part.version for part in value})
        case _:
            yield path, msgspec.json.encode(value).decode()
