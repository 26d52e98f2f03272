"""Reads quantities out of payloads: sums of money, counts, selectors, recipients."""
