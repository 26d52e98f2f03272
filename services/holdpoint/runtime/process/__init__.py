"""Running as a process: services, the supervisor, health, metrics, logs, clock."""
