"""Boards that several tests look at."""

TWO_HEADED_DRAGON = """
        X X X X X X X X X
        X O O O O O O O X
        X O . O O O O O X
        X O O O O O . O X
        . X O O . O O X .
        X X O O O O O X X
        X O O . O O . O X
        X O O O O O O O X
        X X X X X X X X X
    """

ONE_POINT_LEFT = """
    . . X O . .
    . X X O O .
    . . X a O .
    X X X O O O
    . . X O . .
    . X X O . .
"""

# W and B, white and black, are in seki.
TWO_SHARED_LIBERTIES = """
        . W W W W W W . B
        B B B B B B B B B
        O O O O O O O O O
        . O . O . O . O .
        O O O O O O O O O
        X X X X X X X X X
        . X . X . X . X .
        X X X X X X X X X
        X X X X X X X X X
    """

# Black M10 makes a seki; with a move of its own White lives with two eyes.
SEKI = """
    X X X X . X . X X . O O O
    . X . X X X X X X X O . O
    X X X X X X X X X O O X O
    O O X X . X . X X O X . O
    O O O X X X X X X O . . O
    O O . O X . X X X O O O O
    O O O O O X X . X X X . X
    O . O O O O X X X X X X X
    O O O . O O O X . X X X X
    O O O O O . O O X X X X .
    . O . O O O O O O X X X X
    O O O O O . O O . O X . X
    O O . O O O O O O O O X X
"""

# White B8 is taken by nobody, and takes no one: all White stones beside it are lost in the end, and so are C8 and B7, which "take" B9.
LOST_BESIDE = """
    . X O O X X . . .
    O X O O O X O . .
    . O O X X X . O .
    X O . O X . X X O
    . X X . X . X O .
    . . . X O O . X .
    . . X O . O . O .
    . . . X O . . . .
    . . . . . . . . .
"""

# White H5 kills fourteen stones on the right: a throw-in. Black lives with the same move. All else is safe.
THROW_IN = """
    X X X X X X X O O
    X . X X X O O O .
    X X X X O O O O O
    X X . X O X X X X
    . X X O O X . . X
    X X O O . X X O X
    X O . O O O X O X
    O O O O . O X X X
    . O . O O O O O O
"""
