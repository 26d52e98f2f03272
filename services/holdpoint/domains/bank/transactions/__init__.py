"""The bank's domain of transactions."""
