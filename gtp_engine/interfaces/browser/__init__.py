"""The board in the browser: play, look back, analyze, review on one tree of a game; practice on a board of its own.

`board` is what its pages may ask for, `server` brings it to them, `page` are their files. `game_tree` is the tree, `desk` what the
views have in common; each view has a file: `play`, `records`, `analysis`, `reviewing`, `practice`.
"""

__all__ = ["board", "desk", "door", "server"]
