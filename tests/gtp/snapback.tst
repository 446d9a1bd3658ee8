# Snapback: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# Two stones caught by a throw-in on the edge.
loadsgf ../../sgf/snapback/two_stones.sgf
10 reg_genmove w
#? [E9]
11 reg_genmove b
#? [E9]

# Two stones caught by a throw-in away from the edge.
loadsgf ../../sgf/snapback/away_from_the_edge.sgf
20 reg_genmove b
#? [E2]
21 reg_genmove w
#? [E2]

# Four stones caught by a throw-in.
loadsgf ../../sgf/snapback/four_stones.sgf
30 reg_genmove w
#? [J4]
31 reg_genmove b
#? [J4]

# Four bent stones caught by a throw-in.
loadsgf ../../sgf/snapback/four_stones_bent.sgf
40 reg_genmove b
#? [E9]
41 reg_genmove w
#? [E9]

# A throw-in on the second line.
loadsgf ../../sgf/snapback/throw_in_second.sgf
50 reg_genmove w
#? [B4]
51 reg_genmove b
#? [B4]
