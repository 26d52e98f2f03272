"""The ledger: every event of every audited stream in SQL, chained, append-only, and queryable."""
