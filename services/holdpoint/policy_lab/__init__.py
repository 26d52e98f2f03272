"""Try a policy before it is in force: assess, explain, lint, replay, compare, suggest."""
