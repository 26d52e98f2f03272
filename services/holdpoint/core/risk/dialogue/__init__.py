"""Reads what an agent says: which deeds it announces, on how much of what, and how sure it is."""
