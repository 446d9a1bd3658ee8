# What strong networks misread: KataGo's networks take a chain around a living group to be safe until it is in atari (Wang et al. 2022), and with few
# visits they overlook throw-ins and sekis in crowded positions. Every position is ours; see the comment of each record.
# A * marks what this engine gets wrong at a second a move.

# Three liberties each, Black to play.
loadsgf ../../sgf/misread/race_13_three_black_inside.sgf
10 reg_genmove b
#? [E18|J18|B15]

# Three liberties each, White to play.
loadsgf ../../sgf/misread/race_13_three_white_outside.sgf
20 reg_genmove w
#? [E15|J15|E11]

# Three liberties each, White to play.
loadsgf ../../sgf/misread/race_13_three_white_inside.sgf
30 reg_genmove w
#? [E18|J18|B15]

# Three liberties each, Black to play.
loadsgf ../../sgf/misread/race_13_three_black_outside.sgf
40 reg_genmove b
#? [E15|J15|E11]

# Four liberties each, Black to play.
loadsgf ../../sgf/misread/race_13_four_black_inside.sgf
50 reg_genmove b
#? [E18|J18|B15|B11]

# Four liberties each, White to play.
loadsgf ../../sgf/misread/race_13_four_white_outside.sgf
60 reg_genmove w
#? [E15|J15|E11|J11]

# Four liberties each, White to play.
loadsgf ../../sgf/misread/race_13_four_white_inside.sgf
70 reg_genmove w
#? [E18|J18|B15|B11]

# Four liberties each, Black to play.
loadsgf ../../sgf/misread/race_13_four_black_outside.sgf
80 reg_genmove b
#? [E15|J15|E11|J11]

# Three liberties each, Black to play.
loadsgf ../../sgf/misread/race_15_three_black_inside.sgf
90 reg_genmove b
#? [E18|L18|B15]*

# Under the stones, made and proved by `gtp-engine problems`.
loadsgf ../../sgf/misread/under_the_stones.sgf
100 reg_genmove b
#? [R4]

# Seki in a crowd, made and proved by `gtp-engine problems`.
loadsgf ../../sgf/misread/seki_in_a_crowd.sgf
110 reg_genmove b
#? [N11]*

# Capture in a crowd, made and proved by `gtp-engine problems`.
loadsgf ../../sgf/misread/capture_in_a_crowd.sgf
120 reg_genmove b
#? [A2]*

# Connect and die, made and proved by `gtp-engine problems`.
loadsgf ../../sgf/misread/connect_and_die.sgf
130 reg_genmove b
#? [L5]*

# A two-headed dragon.
loadsgf ../../sgf/misread/two_headed_dragon.sgf
140 final_status_list alive
#? [.*\bC9\b.*]

# A chain around a living group.
loadsgf ../../sgf/misread/chain_around_a_group.sgf
150 final_status_list dead
#? [.*\bC11\b.*]
151 final_status_list alive
#? [.*\bE9\b.*]
