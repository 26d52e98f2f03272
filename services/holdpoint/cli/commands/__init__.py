"""The commands, one module each; `main.py` has the table."""
