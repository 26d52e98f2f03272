"""Settings and the configuration files: policy, agents, people."""
