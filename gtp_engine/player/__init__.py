"""A player: the engine that GTP, the terminal, matches and reviews call, and what a player decides beside the search."""
