"""How a card and ledger rows look in a terminal."""
