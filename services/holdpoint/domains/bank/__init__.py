"""The bank: six domains over one double-entry ledger in SQL."""
