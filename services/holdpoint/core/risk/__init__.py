"""How risky an action or a sentence is: pure heuristics over its words, arguments and plan."""
