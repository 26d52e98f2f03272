"""The gate: judges calls, halts, renders, resolves, resumes."""
