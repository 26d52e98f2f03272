"""Views of cards and ledger rows in a terminal."""
