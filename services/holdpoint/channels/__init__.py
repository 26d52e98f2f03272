"""Ways in which people are asked and answer."""
