"""The audit as a process: one lane for each audited stream, one ledger, one background check."""

from functools import partial

from holdpoint.audit.handlers import BATCH, GroupCommit, verify_signatures
from holdpoint.core import chain
from holdpoint.messages.subjects import AUDITED, stream
from holdpoint.runtime.connection import login
from holdpoint.runtime.keys import Keyset
from holdpoint.runtime.lanes import Lane
from holdpoint.runtime.ledger.book import Ledger
from holdpoint.runtime.pulls import pull
from holdpoint.runtime.service import Service, connected
from holdpoint.runtime.settings import Settings
from holdpoint.runtime.streams import AUDIT

REST_S = 0.1
"""How much later than it happened something may stand in the ledger."""


async def build(settings: Settings) -> Service:
    """Wire the audit of one tenant; its ledger is upgraded before the first message comes."""
    ledger = Ledger(settings.ledger_url, chain.seal)
    commits = GroupCommit(ledger)
    who = login(settings, AUDIT)
    broker, client = await connected(who)
    lanes = (
        Lane(stream=stream(settings.tenant, kind), durable=AUDIT, batch=BATCH, rest_s=REST_S)
        for kind in AUDITED
    )
    return Service(
        name=AUDIT,
        broker=broker,
        client=client,
        at_start=(ledger.open,),
        jobs=(
            *(partial(pull, client, who, lane, commits.handle) for lane in lanes),
            commits.run,
            partial(verify_signatures, ledger, Keyset(settings.keys_dir), commits),
        ),
        at_end=(ledger.close,),
    )
