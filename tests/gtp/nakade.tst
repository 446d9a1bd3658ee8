# Nakade: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# Three bent points in the open.
loadsgf ../../sgf/nakade/bent_three.sgf
10 reg_genmove w
#? [C5]
11 reg_genmove b
#? [C5]

# Four points as a pyramid in the open.
loadsgf ../../sgf/nakade/pyramid_four.sgf
20 reg_genmove b
#? [E3]
21 reg_genmove w
#? [E3]

# Five points, a square with a tail, in the open.
loadsgf ../../sgf/nakade/bulky_five.sgf
30 reg_genmove w
#? [E5]
31 reg_genmove b
#? [E5|F5|E6]

# Five points as a cross.
loadsgf ../../sgf/nakade/cross_five.sgf
40 reg_genmove b
#? [E5]
41 reg_genmove w
#? [E5]

# Six points, a square with two ears.
loadsgf ../../sgf/nakade/rabbitty_six.sgf
50 reg_genmove w
#? [C5]
51 reg_genmove b
#? [C4|B5|C5]

# A cross with a stone on an arm.
loadsgf ../../sgf/nakade/cross_five_stone_inside.sgf
60 reg_genmove b
#? [E3]
61 reg_genmove w
#? [E3]

# One stone inside three points gone: two by the wall.
loadsgf ../../sgf/nakade/three_with_a_stone_inside.sgf
70 final_status_list dead
#? [.*\bA1\b.*]

# A square of four is dead as it stands.
loadsgf ../../sgf/nakade/square_four.sgf
80 final_status_list dead
#? [.*\bA1\b.*]

# Four stones inside five points: taking them is no help.
loadsgf ../../sgf/nakade/four_stones_inside.sgf
90 final_status_list dead
#? [.*\bA5\b.*]

# Three stones inside four points.
loadsgf ../../sgf/nakade/three_stones_inside.sgf
100 final_status_list dead
#? [.*\bC1\b.*]

# A square with a tail, two stones inside.
loadsgf ../../sgf/nakade/bulky_five_two_inside.sgf
110 final_status_list dead
#? [.*\bF3\b.*]

# A stone inside six points.
loadsgf ../../sgf/nakade/rabbitty_six_stone_inside.sgf
120 reg_genmove b
#? [E5]
121 reg_genmove w
#? [D5|E5|E6]

# Two by three points cannot be killed.
loadsgf ../../sgf/nakade/rectangular_six.sgf
130 final_status_list alive
#? [.*\bA3\b.*]
