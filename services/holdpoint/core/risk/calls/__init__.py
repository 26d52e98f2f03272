"""Reads tool calls: what a tool's name says it does, on how much, and for how much money."""
