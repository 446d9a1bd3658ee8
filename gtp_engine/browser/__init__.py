"""The board in the browser: play, look back, analyze, all on one tree of a game.

`board` is what its pages may ask for, `server` brings it to them, `page` are their files. `game_tree` is the tree, `desk` what the
views have in common; each view has a file: `play`, `records`, `analysis`.
"""

__all__ = ["board", "desk", "server"]
