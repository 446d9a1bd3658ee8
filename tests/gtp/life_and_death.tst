# Life and death: every answer is proved by `gtp-engine solve`; see the comment of each record.
# A * marks what this engine gets wrong at a second a move; most of these it answers with a pass.

# Three points in a row on the edge.
loadsgf ../../sgf/life_and_death/straight_three_edge.sgf
10 reg_genmove w
#? [B7]
11 reg_genmove b
#? [B7]

# Three bent points around the corner.
loadsgf ../../sgf/life_and_death/bent_three_corner.sgf
20 reg_genmove b
#? [G1]
21 reg_genmove w
#? [G1]

# Four points in a row along the edge, the corner included.
loadsgf ../../sgf/life_and_death/straight_four_edge.sgf
30 final_status_list alive
#? [.*\bF3\b.*]

# Four points in a zigzag from the corner.
loadsgf ../../sgf/life_and_death/zigzag_four_corner.sgf
40 final_status_list alive
#? [.*\bD5\b.*]

# Four points in a square in the corner.
loadsgf ../../sgf/life_and_death/square_four_corner.sgf
50 final_status_list dead
#? [.*\bA5\b.*]

# Four points as a pyramid on the edge.
loadsgf ../../sgf/life_and_death/pyramid_four_edge.sgf
60 reg_genmove b
#? [G3]
61 reg_genmove w
#? [G3]

# Five points, a square with a tail, in the corner.
loadsgf ../../sgf/life_and_death/bulky_five_corner.sgf
70 reg_genmove w
#? [A2]
71 reg_genmove b
#? [A2]

# Five points, a square with a tail, on the edge.
loadsgf ../../sgf/life_and_death/bulky_five_edge.sgf
80 reg_genmove b
#? [A3]
81 reg_genmove w
#? [A2|A3|B3]

# Five points in a row along the edge.
loadsgf ../../sgf/life_and_death/straight_five_edge.sgf
90 final_status_list alive
#? [.*\bA8\b.*]

# Five points in a long L from the corner.
loadsgf ../../sgf/life_and_death/l_five_corner.sgf
100 final_status_list alive
#? [.*\bC1\b.*]

# Five points as an angle with two equal arms from the corner.
loadsgf ../../sgf/life_and_death/v_five_corner.sgf
110 final_status_list alive
#? [.*\bF4\b.*]

# Two by three points in the corner, no outside liberty.
loadsgf ../../sgf/life_and_death/rectangular_six_corner.sgf
120 reg_genmove b
#? [F6]
121 reg_genmove w
#? [F6|F7]

# Two by three points in the corner, two outside liberties.
loadsgf ../../sgf/life_and_death/rectangular_six_corner_two_liberties.sgf
130 final_status_list alive
#? [.*\bA4\b.*]

# Two by three points on the edge.
loadsgf ../../sgf/life_and_death/rectangular_six_edge.sgf
140 final_status_list alive
#? [.*\bE1\b.*]

# Two by four points in the corner.
loadsgf ../../sgf/life_and_death/two_by_four_corner.sgf
150 reg_genmove w
#? [B1|C2]
151 reg_genmove b
#? [A1|B1|C1|D1|A2|B2|C2]

# Seven points, two by three and one more, in the corner.
loadsgf ../../sgf/life_and_death/long_seven_corner.sgf
160 reg_genmove b
#? [B2]
161 reg_genmove w
#? [B1|A2|B2]

# Three stones on the second line in the corner.
loadsgf ../../sgf/life_and_death/second_line_three_corner.sgf
170 final_status_list dead
#? [.*\bA6\b.*]

# Four stones on the second line in the corner.
loadsgf ../../sgf/life_and_death/second_line_four_corner.sgf
180 final_status_list dead
#? [.*\bE2\b.*]

# Five stones on the second line in the corner.
loadsgf ../../sgf/life_and_death/second_line_five_corner.sgf
190 reg_genmove w
#? [J8]*
191 reg_genmove b
#? [J5|J8]

# Six stones on the second line in the corner.
loadsgf ../../sgf/life_and_death/second_line_six_corner.sgf
200 final_status_list alive
#? [.*\bE9\b.*]*

# Six stones on the second line of the side.
loadsgf ../../sgf/life_and_death/second_line_six_side.sgf
210 final_status_list dead
#? [.*\bB3\b.*]

# An L of stones around the corner, open on one edge.
loadsgf ../../sgf/life_and_death/l_group.sgf
220 final_status_list dead
#? [.*\bE2\b.*]

# Three stones around the two-two point, open on both edges.
loadsgf ../../sgf/life_and_death/both_edges_open.sgf
230 final_status_list dead
#? [.*\bC2\b.*]

# A corner that lives or dies on a two-one point.
loadsgf ../../sgf/life_and_death/corner_two_one.sgf
240 reg_genmove b
#? [B1|B2|A3|A4]
241 reg_genmove w
#? [B1]

# A hane that makes the eye space smaller.
loadsgf ../../sgf/life_and_death/corner_hane.sgf
250 reg_genmove w
#? [B8|C8|D8|E8]
251 reg_genmove b
#? [E8]

# A comb on the edge: teeth make the eyes.
loadsgf ../../sgf/life_and_death/comb.sgf
260 final_status_list alive
#? [.*\bC1\b.*]

# Four stones along the edge, one end open.
loadsgf ../../sgf/life_and_death/edge_four_hane.sgf
270 final_status_list dead
#? [.*\bG5\b.*]

# An eye space on the edge, both ends open.
loadsgf ../../sgf/life_and_death/edge_five_open_ends.sgf
280 final_status_list dead
#? [.*\bE8\b.*]

# A throw-in takes the second eye.
loadsgf ../../sgf/life_and_death/throw_in_corner.sgf
290 final_status_list alive
#? [.*\bA3\b.*]

# An attacking stone in the middle of four points.
loadsgf ../../sgf/life_and_death/stone_in_four.sgf
300 reg_genmove b
#? [G2]
301 reg_genmove w
#? [G2]

# Two white stones inside five points.
loadsgf ../../sgf/life_and_death/stones_inside_two.sgf
310 reg_genmove w
#? [C2]
311 reg_genmove b
#? [C2]

# Three by three points in the corner, the wall in one piece: a fight for two kos that never ends.
loadsgf ../../sgf/life_and_death/square_nine_corner.sgf
320 final_status_list alive
#? [.*\bD1\b.*]

# The carpenter's square: three by three points in the corner, the wall in two pieces.
loadsgf ../../sgf/life_and_death/carpenters_square.sgf
330 reg_genmove w
#? [C5|B6]
331 reg_genmove b
#? [B6]

# The carpenter's square with one outside liberty.
loadsgf ../../sgf/life_and_death/carpenters_square_liberty.sgf
340 reg_genmove b
#? [F2]
341 reg_genmove w
#? [F1|F2|G2]

# Seven stones on the second line of the side.
loadsgf ../../sgf/life_and_death/second_line_seven_side.sgf
350 reg_genmove w
#? [K3|K9]
351 reg_genmove b
#? [K3|K6|K9]

# A corner that a hane on either edge can reduce.
loadsgf ../../sgf/life_and_death/hane_in_the_corner.sgf
360 reg_genmove b
#? [D7|G7]
361 reg_genmove w
#? [G7]

# Bent four in the corner: the stones inside are a killing shape.
loadsgf ../../sgf/life_and_death/bent_four_corner.sgf
370 final_status_list dead
#? [.*\bA4\b.*]

# Three stones inside around the corner, two liberties left.
loadsgf ../../sgf/life_and_death/three_in_the_corner.sgf
380 reg_genmove b
#? [G1|G2]
381 reg_genmove w
#? [G2]

# Steps around the corner.
loadsgf ../../sgf/life_and_death/corner_steps.sgf
390 reg_genmove w
#? [B1|A2|B2]
391 reg_genmove b
#? [A1|B1|A2|B2]

# A gap in the second line.
loadsgf ../../sgf/life_and_death/second_line_gap.sgf
400 reg_genmove b
#? [B4|A5|A6]
401 reg_genmove w
#? [B4]

# An attacking stone on the corner point of two by three points.
loadsgf ../../sgf/life_and_death/stone_at_corner.sgf
410 reg_genmove w
#? [B6]
411 reg_genmove b
#? [B6|B7]

# A notch in the wall for life.
loadsgf ../../sgf/life_and_death/edge_notch.sgf
420 final_status_list alive
#? [.*\bD1\b.*]

# Six points in a row along the edge.
loadsgf ../../sgf/life_and_death/six_row_edge.sgf
430 final_status_list alive
#? [.*\bH3\b.*]

# Two by three points and one more on the edge.
loadsgf ../../sgf/life_and_death/seven_points_edge.sgf
440 final_status_list alive
#? [.*\bC4\b.*]

# A hanging connection that makes the eye.
loadsgf ../../sgf/life_and_death/hanging.sgf
450 final_status_list alive
#? [.*\bA4\b.*]

# A square with a tail, a stone inside.
loadsgf ../../sgf/life_and_death/diag_square_stone.sgf
460 reg_genmove b
#? [G2]
461 reg_genmove w
#? [G2]

# A stone inside a long corner.
loadsgf ../../sgf/life_and_death/long_corner_stone.sgf
470 reg_genmove w
#? [C1]
471 reg_genmove b
#? [C1]

# Two by three points, one end open on the edge.
loadsgf ../../sgf/life_and_death/three_by_two_open.sgf
480 final_status_list dead
#? [.*\bC1\b.*]

# Five stones on the second line of a 13x13 board.
loadsgf ../../sgf/life_and_death/second_line_five_large_board.sgf
490 final_status_list dead
#? [.*\bC12\b.*]

# A corner of a 13x13 board that lives or dies on a two-one point.
loadsgf ../../sgf/life_and_death/corner_two_one_large_board.sgf
500 reg_genmove b
#? [K1|L1|M2|N2]
501 reg_genmove w
#? [N2]

# Two by three points in the corner of a 19x19 board, no outside liberty.
loadsgf ../../sgf/life_and_death/rectangular_six_large_board.sgf
510 reg_genmove w
#? [B18]
511 reg_genmove b
#? [B18|B19]
