"""The demo: its script, its sample agent, and the checks of its result."""
