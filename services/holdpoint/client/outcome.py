"""Results for agents: an outcome, the seed's `Result`, or an error with a stable `code`.

HoldpointError
├── SetupError         a person has to mend something: the text says what
├── RefusedError       the call did not count and nothing ran: `code` says why
└── UnavailableError   nobody answered for longer than the patience: nothing is known to have run

What people decide is never an error.
`RefusedError.code` is the gate's word: `unknown_tool`, `bad_arguments`, `missing_arguments` (ask
for what the text names, and call again), `arguments_too_large`, `reasoning_too_large`, `too_large`,
`not_your_principal`, `idempotency_key_reused`, `bad_key`, `bad_data`, `bad_detail`, `bad_json`,
`bad_unicode`, `empty_text`, `not_finite`, `unknown_hold`, `unknown_call`, `already_closed`,
`already_started`, `cannot_run`; `no_dry_run`: the tool's worker was away, try the same again …
`SetupError.code` is `setup`. `UnavailableError.code` is `unavailable`; repeat the call with its
`idempotency_key`, or resume its `hold_id`: neither runs anything twice.
"""

from typing import Any, NoReturn

import msgspec

from holdpoint.messages.base import Value
from holdpoint.messages.catalog import HOST_DOMAIN
from holdpoint.messages.envelope import FINAL, Envelope, Status
from holdpoint.runtime import errors
from holdpoint.runtime.errors import HoldpointError, SetupError

__all__ = [
    "HoldpointError",
    "Outcome",
    "RefusedError",
    "Result",
    "SetupError",
    "UnavailableError",
    "outcome_of",
]


SUCCEEDED = frozenset({Status.DONE, Status.ALREADY_PROCESSED, Status.CONFIRMED})


class RefusedError(HoldpointError):
    """The call did not count: change what the text names before the next try."""

    def __init__(self, code: str, text: str, hold_id: str = "", retry_after_s: float = 0.0) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.hold_id = hold_id
        self.retry_after_s = retry_after_s


class UnavailableError(errors.UnavailableError):
    """The broker or the gate could not be reached: the same call, repeated, is the same hold."""

    code = "unavailable"

    def __init__(self, text: str, idempotency_key: str = "", hold_id: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.idempotency_key = idempotency_key
        self.hold_id = hold_id


class Outcome(Envelope, frozen=True, kw_only=True, omit_defaults=True):
    """The response envelope, and what can be asked of it.

    It has no truth of its own: `if outcome:` raises, because a declined call is an object too.
    """

    @property
    def ok(self) -> bool:
        """It ran (now or before), or the sentence was answered with yes."""
        return self.status in SUCCEEDED

    @property
    def confirmed(self) -> bool:
        """The sentence may go on. Never true of a tool call: ask `ok`."""
        return self.status is Status.CONFIRMED

    @property
    def may_run(self) -> bool:
        """It was let go, and this process is to run it: `Holdpoint.begin` first."""
        return self.status is Status.APPROVED and self.domain == HOST_DOMAIN

    @property
    def is_judged(self) -> bool:
        """The gate stored a verdict: only then is there a hold that people can answer."""
        return self.status is not Status.WAITING

    @property
    def is_final(self) -> bool:
        """Return whether the state is final."""
        return self.status in FINAL

    @property
    def is_pending(self) -> bool:
        """People, the gate or a worker have not finished with it: resume its `hold_id`."""
        return self.status not in FINAL

    def __bool__(self) -> NoReturn:
        raise TypeError("An outcome is neither true nor false: ask `.ok` or `.confirmed`.")


def outcome_of(told: Envelope, idempotency_key: str) -> Outcome:
    """Return what the gate told, with the key that repeats the call."""
    return Outcome(**msgspec.structs.asdict(told) | {"idempotency_key": idempotency_key})


class Result(Value, frozen=True, kw_only=True):
    """Result of an agent's own tool (seed 002): `Result.ok(data)`, `Result.fail(why)`."""

    succeeded: bool
    data: Any = None
    reason: str = ""

    @classmethod
    def ok(cls, data: Any = None) -> "Result":
        """It did what it was asked."""
        return cls(succeeded=True, data=data)

    @classmethod
    def fail(cls, reason: str) -> "Result":
        """It did not, and why."""
        return cls(succeeded=False, reason=reason)

    def __bool__(self) -> bool:
        return self.succeeded
