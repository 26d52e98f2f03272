"""The bank's domain of transfers."""
