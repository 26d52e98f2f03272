"""Reads tool calls: what a tool's name says it does, and what its arguments order."""
