"""Errors on the way to the world; the class says what becomes of the message.

HoldpointError
├── ConflictError       somebody wrote first: load, decide again
├── UnknownOutcomeError nobody knows whether it was stored: the message comes again
├── UnavailableError    the broker or a store said no: the message comes again
│   └── RefusedByBrokerError  the stream does not take it, and the server's code says why
├── HistoryError        a stream is not the one that the ledger knows: nothing of it is entered
├── SignatureError      it does not verify: no effect, and a trace in the ledger
└── SetupError          a person has to mend something: the text says what
"""


class HoldpointError(Exception):
    """The root of ours."""


class ConflictError(HoldpointError):
    """Another writer was first on this subject."""


class UnknownOutcomeError(HoldpointError):
    """No acknowledgement came: stored or not, nobody knows. Never acknowledge the source."""


class UnavailableError(HoldpointError):
    """The broker refused or could not be reached: nothing was stored. Try again later."""


class RefusedByBrokerError(UnavailableError):
    """The stream does not take it: too large, or no room is left. `code` is the server's own."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


class HistoryError(HoldpointError):
    """A stream was created again, cut or replaced: its messages are not those that were entered."""


class SignatureError(HoldpointError):
    """The bytes do not carry a signature that counts."""


class SetupError(HoldpointError):
    """Something is missing or wrong in the set-up; the text says what to do next."""

    code = "setup"
