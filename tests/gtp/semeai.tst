# Semeai: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# Two liberties each, none shared.
loadsgf ../../sgf/semeai/two_against_two.sgf
10 reg_genmove w
#? [C8|C9]
11 reg_genmove b
#? [F8|F9]

# Three liberties each, none shared.
loadsgf ../../sgf/semeai/three_against_three.sgf
20 reg_genmove b
#? [G1|G2|G3]
21 reg_genmove w
#? [D1|D2|D3]

# Three liberties against two.
loadsgf ../../sgf/semeai/three_against_two.sgf
30 final_status_list alive
#? [.*\bF6\b.*]

# Two liberties against three.
loadsgf ../../sgf/semeai/two_against_three.sgf
40 final_status_list dead
#? [.*\bF6\b.*]

# Four liberties each, none shared.
loadsgf ../../sgf/semeai/four_against_four.sgf
50 reg_genmove w
#? [A7|B7|C7|D7]
51 reg_genmove b
#? [A4|B4|C4|D4]

# One liberty each: whoever plays first.
loadsgf ../../sgf/semeai/one_liberty_each.sgf
60 reg_genmove b
#? [J3]
61 reg_genmove w
#? [J6]

# Three points in the eye against one.
loadsgf ../../sgf/semeai/big_eye_against_small.sgf
70 reg_genmove w
#? [D1]
71 reg_genmove b
#? [D1|G1|G2]

# Two outside liberties each and a shared one.
loadsgf ../../sgf/semeai/one_shared.sgf
80 reg_genmove b
#? [A3|B3]
81 reg_genmove w
#? [A7|B7]

# Two shared liberties and one outside for each.
loadsgf ../../sgf/semeai/two_shared.sgf
90 final_status_list seki
#? [.*\bD7\b.*]

# Two shared liberties and nothing else.
loadsgf ../../sgf/semeai/two_shared_only.sgf
100 final_status_list seki
#? [.*\bF1\b.*]

# Two shared liberties, and two outside liberties for one side only.
loadsgf ../../sgf/semeai/two_shared_more_outside.sgf
110 final_status_list alive
#? [.*\bG5\b.*]

# An eye against no eye.
loadsgf ../../sgf/semeai/eye_against_none.sgf
120 final_status_list alive
#? [.*\bE7\b.*]

# An eye against outside liberties.
loadsgf ../../sgf/semeai/eye_against_liberties.sgf
130 reg_genmove w
#? [A4]
131 reg_genmove b
#? [A2|B2]

# Three shared liberties, two outside for each.
loadsgf ../../sgf/semeai/three_shared.sgf
140 final_status_list seki
#? [.*\bF4\b.*]
