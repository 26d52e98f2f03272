"""The coordinator: requests in plain words; what it calls, the gate judges like any agent's."""
