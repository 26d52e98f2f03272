"""The browser console: people see cards, answer them as themselves, and read the ledger."""
