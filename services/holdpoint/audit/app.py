"""The audit as a process: one reader of every audited stream, one ledger, one background check."""

from functools import partial

from holdpoint.audit.follower import Follower
from holdpoint.audit.room_watch import RoomWatch
from holdpoint.audit.signatures import verified_with_the_commit, verify_signatures
from holdpoint.audit.stream_reader import StreamReader
from holdpoint.core import hash_chain
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.writer import Ledger
from holdpoint.messages.subjects import AUDITED, sources, stream
from holdpoint.runtime.broker.connection import jetstream, login
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import AUDIT
from holdpoint.runtime.security.keys import Keyset


async def build(settings: Settings) -> Service:
    """Wire the audit of one tenant; its ledger is upgraded before the first message is read."""
    agents = load_agents(settings.config_dir / AGENTS_FILE)
    audited = sources(AUDITED, (it.name for it in agents))
    verify = partial(verified_with_the_commit, Keyset(settings.keys_dir))
    ledger = Ledger(settings.ledger_url, hash_chain.seal, verify)
    who = login(settings, AUDIT)
    broker, client = await connected(who)
    follower = Follower(
        reader=StreamReader(client, who),
        ledger=ledger,
        streams=tuple(stream(settings.tenant, source) for source in audited),
    )
    who.lost.append(follower.check_again)
    room = RoomWatch(
        jetstream=jetstream(client, who),
        streams=follower.streams,
        ledger=file_of(settings.ledger_url),
    )
    return Service(
        name=AUDIT,
        broker=broker,
        client=client,
        at_start=(ledger.open,),
        jobs=(
            follower.run,
            follower.look_for_damage,
            room.run,
            partial(verify_signatures, ledger, Keyset(settings.keys_dir)),
        ),
        at_end=(ledger.close,),
        problem=follower.problem,
    )
