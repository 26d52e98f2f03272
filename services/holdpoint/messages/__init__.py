"""Messages on the bus: frozen values that import nothing else of ours."""
