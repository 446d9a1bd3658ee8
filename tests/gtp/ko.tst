# Ko: every answer is proved by `gtp-engine solve`; see the comment of each record.
# Where a lost ko loses the game whatever is played, or every move wins it, the question is about the stones.

# Four points in an L around the corner.
loadsgf ../../sgf/ko/bent_four_space.sgf
10 reg_genmove w
#? [B7]
11 reg_genmove b
#? [A7|B7]

# Two by three points in the corner, one outside liberty.
loadsgf ../../sgf/ko/rectangular_six_one_liberty.sgf
20 reg_genmove b
#? [F1]
21 reg_genmove w
#? [F1|F2]

# A small corner with the two-two point held.
loadsgf ../../sgf/ko/corner_two_two.sgf
30 reg_genmove w
#? [G6]
31 reg_genmove b
#? [G6|G7]

# A corner walled in by a stair.
loadsgf ../../sgf/ko/corner_stair.sgf
40 reg_genmove b
#? [G6]
41 reg_genmove w
#? [G6|G7]

# An L of stones around the corner, with a leg down the edge.
loadsgf ../../sgf/ko/l_with_leg.sgf
50 gtp_engine-solve A5
#? [ko.*black ko B7.*white dead B7.*]

# An L of stones around the corner, with a hane on the edge.
loadsgf ../../sgf/ko/l_with_hane.sgf
60 reg_genmove b
#? [D1|F1|F2|G2]
61 gtp_engine-solve E2
#? [ko.*white ko F1.*]

# Stones around the corner with both edges open and a hane.
loadsgf ../../sgf/ko/both_edges_hane.sgf
70 reg_genmove w
#? [B1|C1|A2|A3]

# One move makes the second eye real.
loadsgf ../../sgf/ko/false_eye.sgf
80 reg_genmove b
#? [A4]
81 reg_genmove w
#? [A4]

# A ko for the second eye, taken back by whoever has a threat.
loadsgf ../../sgf/ko/capture_first.sgf
90 gtp_engine-solve A6
#? [ko.*]
