"""The database domain: SQL in databases that have a name, one proven statement at a time."""
