"""Errors of the bank's domains.

```
ValueError
├── BankError     what was asked for cannot be done; the text is for the person who asked
└── ChangedError  something differs from what was confirmed
RuntimeError
└── UnknownCommitError  the connection broke while it committed
```
"""


class BankError(ValueError):
    """The bank refuses; nothing was changed."""


class ChangedError(ValueError):
    """Something differs from what the confirmation showed."""


class UnknownCommitError(RuntimeError):
    """The connection broke while it committed: nobody knows."""
