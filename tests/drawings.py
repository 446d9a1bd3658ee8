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
