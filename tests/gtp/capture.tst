# Captures: what to take, what to save, and what to leave alone. The comment in each record names the idea.

loadsgf ../../sgf/capture/triple_atari.sgf
10 reg_genmove b
#? [C4]

loadsgf ../../sgf/capture/four_stones.sgf
20 reg_genmove w
#? [C7]

loadsgf ../../sgf/capture/five_stones.sgf
30 reg_genmove w
#? [C5]

loadsgf ../../sgf/capture/four_with_a_rescue.sgf
40 reg_genmove w
#? [D4]

loadsgf ../../sgf/capture/two_rather_than_one.sgf
50 reg_genmove b
#? [D6]

loadsgf ../../sgf/capture/two_beside_one.sgf
60 reg_genmove b
#? [D2]

loadsgf ../../sgf/capture/three_rather_than_one.sgf
70 reg_genmove w
#? [C7]

loadsgf ../../sgf/capture/two_to_save_four.sgf
80 reg_genmove w
#? [D4]

loadsgf ../../sgf/capture/connect_and_threaten.sgf
90 reg_genmove b
#? [C6]

loadsgf ../../sgf/capture/double_atari.sgf
100 reg_genmove w
#? [E2]

loadsgf ../../sgf/capture/atari_before_capture.sgf
110 reg_genmove w
#? [C6]

loadsgf ../../sgf/capture/leave_three_alone.sgf
120 reg_genmove w
#? [D2]

loadsgf ../../sgf/capture/three_stones.sgf
130 reg_genmove b
#? [D3]

loadsgf ../../sgf/capture/atari_on_four.sgf
140 reg_genmove w
#? [C5]

loadsgf ../../sgf/capture/one_stone.sgf
150 reg_genmove b
#? [D4]

loadsgf ../../sgf/capture/the_bigger_one.sgf
160 reg_genmove b
#? [E2]
