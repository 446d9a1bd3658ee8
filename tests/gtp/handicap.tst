# Handicap games: the compensation, the stones, White's first move. The comment in each record names the idea.

loadsgf ../../sgf/handicap/compensation_chinese.sgf
10 final_score
#? [B\+6.5]

loadsgf ../../sgf/handicap/compensation_aga.sgf
20 final_score
#? [B\+7.5]

loadsgf ../../sgf/handicap/compensation_japanese.sgf
30 final_score
#? [B\+6.5]

loadsgf ../../sgf/handicap/compensation_new_zealand.sgf
40 final_score
#? [B\+8.5]

loadsgf ../../sgf/handicap/stones_as_moves.sgf
50 final_score
#? [B\+6.5]

loadsgf ../../sgf/handicap/stones_left_out.sgf
60 list_stones b
#? [(?=.*D4)(?=.*D16)(?=.*Q4)(?=.*Q16)\S+ \S+ \S+ \S+]

loadsgf ../../sgf/handicap/first_move_two_stones.sgf
70 reg_genmove w
#? [[C-HJ-R]([3-9]|1[0-7])]

loadsgf ../../sgf/handicap/first_move_nine_stones.sgf
80 reg_genmove w
#? [[C-HJ-R]([3-9]|1[0-7])]

loadsgf ../../sgf/handicap/first_move_four_stones_9.sgf
90 reg_genmove w
#? [[B-H][2-8]]
