"""What a dead process had in hand comes to the next one sooner than after 20 s."""

from contextlib import AsyncExitStack

import msgspec
from tests.actors import Guests
from tests.running_system import Road

from holdpoint.runtime.broker.provisioning import load_tenant
from holdpoint.runtime.broker.streams import NANOSECONDS, Limits, plan
from holdpoint.runtime.security.credentials import PROVISIONER


async def hand_over_after(road: Road, ack_wait_s: float) -> None:
    """Set it for every consumer of this road."""
    async with AsyncExitStack() as stack:
        client = await Guests(road=road, stack=stack).client(PROVISIONER)
        tenant = load_tenant(road.settings, road.supervisor.domains)
        for it in plan(tenant, Limits(max_bytes=1, replicas=1)).consumers:
            config = it.config() | {"ack_wait": int(ack_wait_s * NANOSECONDS)}
            update = {"stream_name": it.stream, "config": config, "action": "update"}
            subject = f"$JS.API.CONSUMER.CREATE.{it.stream}.{it.durable}"
            reply = await client.request(subject, msgspec.json.encode(update), timeout=5)
            assert "error" not in msgspec.json.decode(reply.data)
