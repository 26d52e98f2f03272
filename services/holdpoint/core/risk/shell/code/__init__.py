"""Inline code of other languages."""
