"""Workers: run what carries a grant, once."""
