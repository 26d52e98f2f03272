"""Reads SQL: what a text of statements would do to a database, in whatever dialect."""
