"""The domain of tasks: seed 003's to-do list, in a database of its own."""
