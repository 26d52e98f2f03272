"""How far workers settled their grants: a missing consumer and a slow broker are told apart."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.gate.worker_lanes import WorkerLanes
from holdpoint.runtime.broker.connection import Login

DENIED = 'nats: permissions violation for publish to "$js.api.consumer.info.hp_holds_acme.worker_'


class SilentBroker:
    """It answers about shell alone."""

    async def consumer_info(self, stream: str, durable: str) -> Any:
        assert stream == "HP_HOLDS_acme"
        if durable != "worker_shell":
            raise NatsTimeoutError
        return SimpleNamespace(ack_floor=SimpleNamespace(stream_seq=17))


def lanes(*denials: str) -> WorkerLanes:
    login = Login(user="gate", seed="", url="")
    login.denials.extend(f'{DENIED}{it}"' for it in denials)
    return WorkerLanes(tenant="acme", jetstream=cast("Any", SilentBroker()), login=login)


async def test_what_the_broker_forbids_is_missing_and_looked_at_from_the_beginning() -> None:
    missing = lanes("accounts")

    assert await missing.floors(["shell", "accounts"]) == {"shell": 17, "accounts": 0}
    assert "workers of accounts" in missing.problem()


@pytest.mark.parametrize("denied", [(), ("accounts_old",)])
async def test_where_the_broker_is_slow_nothing_counts_as_settled(denied: tuple[str, ...]) -> None:
    slow = lanes(*denied)

    with pytest.raises(NatsTimeoutError):
        await slow.floors(["shell", "accounts"])
    assert slow.problem() == ""
