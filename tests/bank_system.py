"""A road with the bank, for tests of seed 000: chat is proof enough at every level there."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml
from tests.running_system import AMPLE, STREAM_BYTES, Road, running

from holdpoint.cli.domains import load_domain
from holdpoint.core.tool import Run, RunContext, arguments_of, spec_of
from holdpoint.domains.bank.opening import opened
from holdpoint.domains.bank.store import Bank
from holdpoint.domains.settings import BANK_DOMAINS, BankSettings, bank_resolved
from holdpoint.runtime.config.settings import Settings

CHECKING, SAVINGS = "ACC-12345678", "ACC-87654321"
CARD, OTHERS, FROZEN = "ACC-40001111", "ACC-22223333", "ACC-55550000"
BAKERY = "TXN-20250112-001"
TOOLS: Mapping[str, Run] = {
    run.__name__: run for name in BANK_DOMAINS for run in load_domain(Settings(), name).TOOLS
}
"""By their short names."""

NO_LEVEL = 6
"""From which level on workers ask for passkeys: none."""

AGENTS_YAML = f"""\
agents:
  - name: teller
    tools: [{", ".join(TOOLS)}]
    acts_for: [ann, ben]
    budget: {{{AMPLE}}}
  - name: observer
    tools: [get_account_balances, get_transactions]
    acts_for: [ann]
"""


def usd(value: str) -> dict[str, Any]:
    """An amount as an agent sends it."""
    return {"value": value, "currency": "USD"}


def by_chat(policy: str) -> str:
    """The shipped policy, but levels 4 and 5 ask as level 3 does, and no sum is too high."""
    rules = yaml.safe_load(policy)
    rules["levels"] = dict(rules["levels"])
    rules["levels"] |= {4: rules["levels"][3], 5: rules["levels"][3]}
    return yaml.safe_dump(rules, sort_keys=False)


@asynccontextmanager
async def bank_road(
    folder: Path,
    change: Callable[[str], str] = by_chat,
    lease_s: float = 90.0,
    stream_bytes: int = STREAM_BYTES,
) -> AsyncIterator[Road]:
    """Broker, gate, audit and one worker for all six domains."""
    others = frozenset({"worker-shell", "worker-database"})
    async with running(
        folder,
        change,
        own={},
        agents_yaml=AGENTS_YAML,
        later=others,
        bank=True,
        passkey_from_level=NO_LEVEL,
        lease_s=lease_s,
        stream_bytes=stream_bytes,
    ) as road:
        yield road


@asynccontextmanager
async def sample_bank(url: str, folder: Path, **changes: Any) -> AsyncIterator[Bank]:
    """The domain's own ledger, with the sample accounts."""
    settings = bank_resolved(BankSettings(url=url, sample=True, **changes), folder)
    async with opened(settings) as bank:
        yield bank


def context_of(bank: Bank, key: str, preconditions: Any = None) -> RunContext:
    """What a run under this key is given."""
    return RunContext(
        hold_id=key,
        nonce="n1",
        preconditions=preconditions or {},
        idempotency_key=key,
        settings=bank.settings,
        resource=bank,
    )


def arguments(name: str, raw: Mapping[str, Any]) -> Any:
    """A tool's own arguments."""
    return arguments_of(spec_of(TOOLS[name]), dict(raw))
