"""Adapters: the same hold, asked for by the frameworks and programs that people have already.

Each of them is cooperative: the program asks, and runs the tool itself (docs/adapters.md).
"""
