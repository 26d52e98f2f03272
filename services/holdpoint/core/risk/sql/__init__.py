"""SQL: what statements do to a database, by sqlglot's syntax tree where they parse."""
