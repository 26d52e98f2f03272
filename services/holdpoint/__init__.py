"""Risky agent actions wait here until the right people say yes."""
