# Ladder: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# A ladder down from the edge; the other atari lets the stone go.
loadsgf ../../sgf/ladder/edge.sgf
10 reg_genmove w
#? [E9]*
11 reg_genmove b
#? [D7|E7|D8|E8|E9|F9]

# Two stones on the edge in a ladder.
loadsgf ../../sgf/ladder/two_stones.sgf
20 reg_genmove b
#? [E1]
21 reg_genmove w
#? [D1|E1|E2|F2|E3|F3]

# Three stones on the edge in a ladder.
loadsgf ../../sgf/ladder/three_stones.sgf
30 reg_genmove w
#? [J5]
31 reg_genmove b
#? [J4|H5|J5|H6]

# A ladder down from the edge of a 13x13 board.
loadsgf ../../sgf/ladder/edge_13.sgf
40 reg_genmove b
#? [G13]*
41 reg_genmove w
#? [G11|H11|G12|H12|F13|G13]

# A ladder down from the edge of a 19x19 board.
loadsgf ../../sgf/ladder/edge_19.sgf
50 reg_genmove w
#? [A9]*
51 reg_genmove b
#? [A8|A9|B9|C9|B10|C10]

# A longer ladder down from the edge.
loadsgf ../../sgf/ladder/long.sgf
60 reg_genmove b
#? [J5]*
61 reg_genmove w
#? [G4|H4|F5|G5|H5|J5|J6]
