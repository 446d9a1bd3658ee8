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
