"""Slack: cards in channels, a yes or a no up to level 3, and requests to the coordinator."""
