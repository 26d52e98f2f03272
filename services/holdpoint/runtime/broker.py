"""FastStream's broker, connected in the same one way."""

from faststream.nats import NatsBroker
from faststream.nats.security import NatsNKey

from holdpoint.runtime.connection import (
    API_TIMEOUT_S,
    DRAIN_TIMEOUT_S,
    Login,
    callbacks,
    options,
)


def make_broker(login: Login) -> NatsBroker:
    """Return an unconnected FastStream broker that connects like `connect`.

    It logs nothing itself (its lines carry payloads) and hands messages over undecoded.
    """
    return NatsBroker(
        login.url,
        security=NatsNKey.from_seed(login.seed),
        js_options={"prefix": login.api_prefix, "timeout": API_TIMEOUT_S},
        graceful_timeout=float(DRAIN_TIMEOUT_S),
        apply_types=False,
        logger=None,
        **options(login),
        **callbacks(login),
    )
