"""The bank's domain of investments."""
