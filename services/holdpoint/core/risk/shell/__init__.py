"""What a shell text will really run, and what is dangerous about it: parsed, never matched."""
