"""The domains: what agents can really do. Each exports its `TOOLS` and never calls another one."""
