# What may be played, under each rule set. Numbered commands are checked: `#? [answer]`, a regular expression.

# The ko, row 5 and column E empty:
#
#   4  . X O .
#   3  X O . O      Black C3 takes B3, and White may not take back at once.
#   2  . X O .
#   1  . . . .
boardsize 5
clear_board
kgs-rules japanese
play b b4
play b a3
play b b2
play w c4
play w b3
play w d3
play w c2
play b c3
10 list_stones w
#? [C2 D3 C4]
11 is_legal w b3
#? [0]
# Any other move, and the ko is open again.
play w e5
play b e1
12 is_legal w b3
#? [1]
play w b3
13 is_legal b c3
#? [0]

# Suicide: the two white points in the corner are one chain without liberties after A1.
#
#   3  X X . .
#   2  O X . .
#   1  . X . .
boardsize 4
clear_board
play b b1
play b b2
play b b3
play b a3
play w a2
kgs-rules chinese
20 is_legal w a1
#? [0]
kgs-rules new_zealand
21 is_legal w a1
#? [1]
# Positional superko sees the position before White's A2 come back, situational superko another player to move.
kata-set-rules tromp-taylor
22 is_legal w a1
#? [0]
kgs-rules new_zealand
play w a1
23 list_stones w
#? []
24 captures b
#? [2]
# One stone alone may never be taken off by its own player.
play b a2
25 is_legal w a1
#? [0]

# Superko on the smallest board: Black on A1 would make the position after the first move again.
boardsize 2
clear_board
kgs-rules chinese
play b a1
play w b1
play b a2
play w b2
play b a1
play w a2
30 is_legal b a1
#? [0]
kgs-rules japanese
31 is_legal b a1
#? [1]
# Under situational superko it depends on who is to play: White moved to this position never, Black did.
kgs-rules aga
32 is_legal b a1
#? [0]
