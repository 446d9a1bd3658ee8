# Net: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# A net: stones around four by four points.
loadsgf ../../sgf/net/corner_of_four.sgf
10 reg_genmove w
#? [E5|F5|E6]
11 reg_genmove b
#? [E5|E6]

# A net on the edge of the board.
loadsgf ../../sgf/net/edge.sgf
20 reg_genmove b
#? [D1|E1|D2|E2]
21 reg_genmove w
#? [E1]

# A net: not every atari works.
loadsgf ../../sgf/net/straight_atari_fails.sgf
30 reg_genmove w
#? [F4|E5|F5|G5]
31 reg_genmove b
#? [F5|G5]

# A stone caught by a net, a ladder or a knight's move.
loadsgf ../../sgf/net/wall.sgf
50 reg_genmove w
#? [B5|C5|B6|C6|C7]
51 reg_genmove b
#? [B6]
