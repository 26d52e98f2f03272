"""The connection to the broker: wire protocol, FastStream, message headers."""
