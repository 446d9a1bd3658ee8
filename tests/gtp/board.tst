# Captures and taking them back. The numbered answers are regular expressions.

# Two white chains lose their last common liberty at D3.
#
#   5  . . X X . . .
#   4  . X O O X . .
#   3  . X O . X . .
#   2  . . X X . . .      row 1 is empty
boardsize 7
clear_board
play b c5
play b d5
play b b4
play b e4
play b b3
play b e3
play b c2
play b d2
play w c4
play w d4
play w c3
10 list_stones w
#? [C3 C4 D4]
11 is_legal w d3
#? [0]
play b d3
12 list_stones w
#? []
13 captures b
#? [3]
14 captures w
#? [0]
undo
15 list_stones w
#? [C3 C4 D4]
16 captures b
#? [0]
17 is_legal b d3
#? [1]
18 last_move
#? [white C3]
gg-undo 11
19 list_stones b
#? []
20 move_history
#? []

# A capture comes before suicide: Black's stone in the corner takes two.
#
#   3  X . . .
#   2  O X . .
#   1  . O X .
clear_board
play b a3
play b b2
play b c1
play w a2
play w b1
30 is_legal b a1
#? [1]
play b a1
31 list_stones w
#? []
32 captures b
#? [2]
