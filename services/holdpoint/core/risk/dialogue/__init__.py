"""Reads what an agent says: which actions it announces, on how much of what, and how sure it is."""
