"""MCP servers behind the gate: a worker that calls them, and gateways that offer what they have."""
