"""Signed facts and state: written with compare-and-set, read back verified."""
