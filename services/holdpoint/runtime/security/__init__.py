"""Signing keys, broker credentials, and signatures over many facts at once."""
