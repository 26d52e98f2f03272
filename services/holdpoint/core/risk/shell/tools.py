"""Names of tools: those that print, compute or build, and those that manage what others use."""

from holdpoint.core.risk.knowledge import words

KNOWN_HARMLESS = words("words/shell:programs.harmless")

SERVICES = words("words/shell:programs.services")
