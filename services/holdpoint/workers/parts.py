"""What a worker's handlers work with, wired once in `app.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nats.aio.client import Client

from holdpoint.core.grant import Door
from holdpoint.core.tool import ToolSpec
from holdpoint.runtime.history import Runs
from holdpoint.runtime.keys import Keyset


@dataclass(frozen=True, kw_only=True)
class Worker:
    """One domain's hands: it acts on grants for this domain and on nothing else."""

    tenant: str
    domain: str
    owner: str
    """This very process: whose claim it is."""

    lease_s: float
    """How long a claim may stand without a result before it is in doubt."""

    specs: Mapping[str, ToolSpec]
    door: Door
    client: Client
    runs: Runs
    keyset: Keyset
    settings: Any
    """The domain's own settings."""

    resource: Any
    """What the domain opened at start: connections, for example."""

    acted: set[str] = field(default_factory=set)
    """The holds whose effect this process has begun: a claim of its own is free before that."""
