"""The audit as a process: one reader of every audited stream, one ledger, one background check."""

from functools import partial

from nats.js import JetStreamContext

from holdpoint.audit.checkpoint_keys import Attester, origin_of
from holdpoint.audit.duty import Duty, lock_of
from holdpoint.audit.follower import Follower
from holdpoint.audit.publishing import Publisher, witness_of
from holdpoint.audit.room_watch import RoomWatch
from holdpoint.audit.signatures import verified_with_the_commit, verify_signatures
from holdpoint.audit.stream_reader import StreamReader
from holdpoint.ledger.engines import local_file
from holdpoint.ledger.writer import Ledger
from holdpoint.messages.subjects import AUDITED, sources, stream
from holdpoint.runtime.broker.connection import jetstream, login
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.config.witness_files import load_witnesses
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import AUDIT
from holdpoint.runtime.security.keys import Keyset

CATCHES_UP_S = 30.0
"""Time in which one of three brokers that stood still has what the others have."""


async def build(settings: Settings) -> Service:
    """Wire the audit of one tenant; its ledger is upgraded before the first message is read."""
    verify = partial(verified_with_the_commit, Keyset(settings.keys_dir))
    keyset = Keyset(settings.keys_dir)
    origin = origin_of(settings.tenant)
    attest = Attester(settings.keys_dir, keyset, origin)
    ledger = Ledger(settings.ledger_url, verify, attest)
    witnesses = [witness_of(it, origin) for it in load_witnesses(settings.config_dir)]
    publisher = Publisher(ledger=ledger, witnesses=witnesses)
    who = login(settings, AUDIT)
    broker, client = await connected(who)
    follower = _follower(settings, StreamReader(client, who), ledger)
    who.lost.append(follower.check_again)
    room = _room_watch(settings, jetstream(client, who), follower)
    duty = Duty(
        lock=lock_of(settings),
        begin=(ledger.open, follower.begin, follower.begin_metrics),
        jobs=(
            follower.run,
            follower.look_for_damage,
            room.run,
            partial(verify_signatures, ledger, Keyset(settings.keys_dir)),
            publisher.run,
        ),
        end=(publisher.publish, ledger.close),
    )
    return Service(
        name=AUDIT,
        broker=broker,
        client=client,
        at_start=(duty.take_at_once,),
        jobs=(duty.run,),
        at_end=(duty.leave,),
        problem=lambda: " ".join(
            filter(None, (follower.problem(), publisher.problem(), attest.problem))
        ),
    )


def _follower(settings: Settings, reader: StreamReader, ledger: Ledger) -> Follower:
    """Return what follows each stream that the ledger keeps."""
    agents = load_agents(settings.config_dir / AGENTS_FILE)
    audited = sources(AUDITED, (it.name for it in agents))
    return Follower(
        reader=reader,
        ledger=ledger,
        streams=tuple(stream(settings.tenant, source) for source in audited),
        stale_s=CATCHES_UP_S if settings.is_cluster else 0.0,
    )


def _room_watch(settings: Settings, streams: JetStreamContext, follower: Follower) -> RoomWatch:
    return RoomWatch(
        jetstream=streams,
        streams=follower.streams,
        ledger=local_file(settings.ledger_url),
        entered_to=follower.entered_to,
    )
