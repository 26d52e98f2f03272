"""The audit: every stream, in order, into the ledger."""
