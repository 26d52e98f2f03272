"""The bank's domain of accounts."""
