"""The way to the world: broker, streams, keys, clock, settings. No rule lives here."""
