"""What an agent gets back: the outcome of a call or a sentence, and the seed's `Result`."""

from typing import Any, NoReturn

import msgspec

from holdpoint.messages.base import Value
from holdpoint.messages.envelope import FINAL, Envelope, Status

SUCCEEDED = frozenset({Status.DONE, Status.ALREADY_PROCESSED, Status.CONFIRMED})


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
    def is_final(self) -> bool:
        """Nothing more will come of it."""
        return self.status in FINAL

    @property
    def is_pending(self) -> bool:
        """People, the gate or a worker have not finished with it: resume its `hold_id`."""
        return self.status not in FINAL

    def __bool__(self) -> NoReturn:
        raise TypeError("An outcome is neither true nor false: ask `.ok` or `.confirmed`.")


def outcome_of(told: Envelope, idempotency_key: str) -> Outcome:
    """What the gate told, with the key that repeats the call."""
    return Outcome(**msgspec.structs.asdict(told) | {"idempotency_key": idempotency_key})


class Result(Value, frozen=True, kw_only=True):
    """What a tool of the agent's own returns (seed 002): `Result.ok(data)`, `Result.fail(why)`."""

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
