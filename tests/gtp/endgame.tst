# The last open points, and when nothing is left. The comment in each record names the idea.

loadsgf ../../sgf/endgame/push_on_the_edge.sgf
10 reg_genmove b
#? [D7]

loadsgf ../../sgf/endgame/push_in_the_middle.sgf
20 reg_genmove b
#? [D6]

loadsgf ../../sgf/endgame/block_in_the_middle.sgf
30 reg_genmove w
#? [C3]

loadsgf ../../sgf/endgame/lower_side.sgf
40 reg_genmove w
#? [D2]

loadsgf ../../sgf/endgame/not_the_capture.sgf
50 reg_genmove b
#? [C5|E3|E5]

loadsgf ../../sgf/endgame/right_side_first.sgf
60 reg_genmove b
#? [E4]

loadsgf ../../sgf/endgame/first_line.sgf
70 reg_genmove b
#? [C1]

loadsgf ../../sgf/endgame/corner_of_the_border.sgf
80 reg_genmove w
#? [D7]

loadsgf ../../sgf/endgame/save_and_close.sgf
90 reg_genmove w
#? [D4]

loadsgf ../../sgf/endgame/centre_of_the_border.sgf
100 reg_genmove w
#? [D5]

loadsgf ../../sgf/endgame/quiet_border.sgf
110 reg_genmove w
#? [C3]

loadsgf ../../sgf/endgame/last_point.sgf
120 reg_genmove b
#? [D4]

loadsgf ../../sgf/endgame/nothing_left.sgf
130 reg_genmove b
#? [(?i)pass]

loadsgf ../../sgf/endgame/nothing_left_japanese.sgf
140 reg_genmove b
#? [(?i)pass]
