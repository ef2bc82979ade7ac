"""How bots choose their moves: pure functions of what a seat knows, a budget, and luck."""
