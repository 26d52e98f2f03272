"""A handler that fails while the broker is away ends quietly: the message comes again by itself."""

from tests.log_lines import captured_lines

from holdpoint.messages.subjects import CALLS, stream
from holdpoint.runtime.broker.lanes import Delivery, guarded
from holdpoint.runtime.broker.wire import Headers, WireClient
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock


async def test_a_failed_handler_is_no_second_failure_without_a_broker() -> None:
    delivery = Delivery(
        subject="hp.acme.call.robot.propose",
        data=b"{}",
        headers=Headers(),
        stream=stream("acme", CALLS),
        seq=1,
        at=clock.now(),
        deliveries=1,
        reply="$JS.ACK.HP_CALLS_acme.gate.1.1.1.1795305600000001999.0",
        wire=WireClient().wire,
    )

    async def fail(_: Delivery) -> None:
        raise UnavailableError("The broker is away.")

    with captured_lines() as lines:
        await guarded(fail, delivery)

    assert [line["event"] for line in lines] == ["handler_failed"]
