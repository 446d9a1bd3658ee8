# Ladder: every answer is proved by `gtp-engine solve`; see the comment of each record.
# Where letting the stone go wins more territory, the question is about the stone: no komi makes its capture the only move that wins.

# A ladder down from the edge; the other atari lets the stone go.
loadsgf ../../sgf/ladder/edge.sgf
10 gtp_engine-solve D9
#? [unsettled.*white dead E9(,.*)?]
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
40 gtp_engine-solve H13
#? [unsettled.*black dead G13(,.*)?]
41 reg_genmove w
#? [G11|H11|G12|H12|F13|G13]

# A ladder down from the edge of a 19x19 board.
loadsgf ../../sgf/ladder/edge_19.sgf
50 gtp_engine-solve A10
#? [unsettled.*white dead A9(,.*)?]
51 reg_genmove b
#? [A8|A9|B9|C9|B10|C10]

# A longer ladder down from the edge.
loadsgf ../../sgf/ladder/long.sgf
60 gtp_engine-solve J4
#? [unsettled.*black dead J5(,.*)?]
61 reg_genmove w
#? [G4|H4|F5|G5|H5|J5|J6]
