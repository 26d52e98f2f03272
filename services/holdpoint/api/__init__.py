"""The HTTP API: agents propose, say and wait over HTTP, each with its own credential on the bus."""
