"""Sample MCP servers by domain: programs of their own, on the official SDK."""
