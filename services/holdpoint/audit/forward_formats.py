"""An event of the ledger as other systems read it: syslog (RFC 5424), OCSF, plain JSON.

No body is forwarded: arguments stay in the ledger. `seq` has no gaps: what is missing is seen.
"""

import msgspec

from holdpoint.messages.base import TYPE_PREFIX, JsonObject

AUDIT_INFO = 13 * 8 + 6
"""Facility log audit, severity informational."""

SD_ID = "holdpoint@32473"
"""32473 is the enterprise number that RFC 5612 keeps for examples and private use."""

OCSF_VERSION = "1.3.0"
API_ACTIVITY, APPLICATION_ACTIVITY, OTHER_ACTIVITY, INFORMATIONAL = 6003, 6, 99, 1


class ForwardedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event without its body."""

    seq: int
    stream: str
    stream_seq: int
    subject: str
    type: str
    time: str
    """RFC 3339, UTC."""

    time_ms: int
    hold_id: str
    agent: str
    principal: str
    body_sha256: str
    leaf: str
    """Its hash in the ledger's tree, hex."""


def syslog(event: ForwardedEvent, host: str) -> bytes:
    """Return the event as one RFC 5424 message."""
    parts = {
        "seq": str(event.seq),
        "stream": event.stream,
        "streamSeq": str(event.stream_seq),
        "hold": event.hold_id,
        "agent": event.agent,
        "principal": event.principal,
        "leaf": event.leaf,
    }
    data = "".join(f' {name}="{_escaped(value)}"' for name, value in parts.items() if value)
    word = event.type.removeprefix(f"{TYPE_PREFIX}.")[:32]
    text = f"<{AUDIT_INFO}>1 {event.time} {host} holdpoint - {word} [{SD_ID}{data}] {event.subject}"
    return text.encode()


def ocsf(event: ForwardedEvent) -> JsonObject:
    """Return the event as an OCSF API Activity."""
    return {
        "class_uid": API_ACTIVITY,
        "category_uid": APPLICATION_ACTIVITY,
        "activity_id": OTHER_ACTIVITY,
        "activity_name": event.type,
        "type_uid": API_ACTIVITY * 100 + OTHER_ACTIVITY,
        "severity_id": INFORMATIONAL,
        "time": event.time_ms,
        "metadata": {
            "version": OCSF_VERSION,
            "product": {"name": "Holdpoint", "vendor_name": "Holdpoint"},
            "uid": str(event.seq),
            "sequence": event.seq,
        },
        "actor": {"user": {"name": event.principal or "unknown"}},
        "api": {"operation": event.type, "request": {"uid": event.hold_id or str(event.seq)}},
        "src_endpoint": {"name": event.stream},
        "unmapped": msgspec.to_builtins(event),
    }


def _escaped(value: str) -> str:
    plain = value.replace("\\", "\\\\").replace('"', '\\"').replace("]", "\\]")
    return plain.replace("\n", " ").replace("\r", " ")
