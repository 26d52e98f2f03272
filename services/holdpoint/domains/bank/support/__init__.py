"""The bank's domain of support."""
