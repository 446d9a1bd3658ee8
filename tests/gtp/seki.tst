# Seki: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# Three stones inside, a liberty at each end.
loadsgf ../../sgf/seki/three_stones_side.sgf
10 final_status_list seki
#? [.*\bA8\b.*]

# Four stones inside in a row, a liberty at each end.
loadsgf ../../sgf/seki/four_stones_side.sgf
20 final_status_list seki
#? [.*\bC1\b.*]

# Stones in a T, liberties on both sides.
loadsgf ../../sgf/seki/pyramid_stones.sgf
30 final_status_list seki
#? [.*\bE3\b.*]

# Stones in a row of six, a liberty at each end.
loadsgf ../../sgf/seki/four_stones_corner.sgf
40 final_status_list seki
#? [.*\bC8\b.*]

# Three stones along the edge from the two-one point.
loadsgf ../../sgf/seki/three_stones_edge.sgf
50 final_status_list seki
#? [.*\bA5\b.*]

# Three stones inside, two liberties shared.
loadsgf ../../sgf/seki/three_stones_corner.sgf
60 final_status_list seki
#? [.*\bG1\b.*]

# A long eye space with two groups of stones.
loadsgf ../../sgf/seki/two_pairs_inside.sgf
70 reg_genmove w
#? [D1]
71 reg_genmove b
#? [A1|D1|G1]

# An eye each, one shared liberty.
loadsgf ../../sgf/seki/an_eye_each.sgf
80 final_status_list seki
#? [.*\bA2\b.*]
