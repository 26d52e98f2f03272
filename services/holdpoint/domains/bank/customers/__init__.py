"""The bank's domain of customers."""
