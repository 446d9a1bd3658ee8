"""The board in the browser: playing, browsing, analysis and review on one tree of a game; practice on its own board.

`board` answers the requests of pages, `server` serves them, `page` has their files. `game_tree` is the tree, and `desk` the common part of
the views; each view has a file: `play`, `records`, `analysis`, `reviewing`, `practice`.
"""

__all__ = ["board", "desk", "door", "server"]
