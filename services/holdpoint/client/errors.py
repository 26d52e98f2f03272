"""What the SDK raises; every error has a stable `code`. What people decide is never an error.

HoldpointError
├── SetupError         a person has to mend something: the text says what
├── RefusedError       the call did not count and nothing ran: `code` says why
└── UnavailableError   nobody answered for longer than the patience: nothing is known to have run

`RefusedError.code` is the gate's word: `unknown_tool`, `bad_arguments`, `arguments_too_large`,
`reasoning_too_large`, `too_large`, `not_your_principal`, `idempotency_key_reused`, `bad_key`,
`bad_data`, `bad_detail`, `bad_json`, `bad_unicode`, `empty_text`, `not_finite`, `unknown_hold`,
`unknown_call`, `already_closed`, `already_started`, `cannot_run`; `no_dry_run`: the tool's worker
was away, try the same again …
`SetupError.code` is `setup`. `UnavailableError.code` is `unavailable`; repeat the call with its
`idempotency_key`, or resume its `hold_id`: neither runs anything twice.
"""

from holdpoint.runtime import errors
from holdpoint.runtime.errors import HoldpointError, SetupError

__all__ = ["HoldpointError", "RefusedError", "SetupError", "UnavailableError"]


class RefusedError(HoldpointError):
    """The call did not count: change what the text names before the next try."""

    def __init__(self, code: str, text: str, hold_id: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.hold_id = hold_id


class UnavailableError(errors.UnavailableError):
    """The broker or the gate could not be reached: the same call, repeated, is the same hold."""

    code = "unavailable"

    def __init__(self, text: str, idempotency_key: str = "", hold_id: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.idempotency_key = idempotency_key
        self.hold_id = hold_id
