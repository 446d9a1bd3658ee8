# Repetitions, under each rule for them. The comment in each record names the idea.

loadsgf ../../sgf/superko/ko.sgf
10 is_legal b D3
#? [0]
11 reg_genmove b
#? [!D3]

loadsgf ../../sgf/superko/ko_after_a_threat.sgf
20 is_legal b D3
#? [1]

loadsgf ../../sgf/superko/ko_after_a_pass.sgf
30 is_legal b D3
#? [0]
31 reg_genmove b
#? [!D3]

loadsgf ../../sgf/superko/ko_after_a_pass_japanese.sgf
40 is_legal b D3
#? [1]

loadsgf ../../sgf/superko/send_two.sgf
50 is_legal w B1
#? [0]
51 reg_genmove w
#? [!B1]

loadsgf ../../sgf/superko/send_two_japanese.sgf
60 is_legal w B1
#? [1]

loadsgf ../../sgf/superko/send_two_situational.sgf
70 is_legal w B1
#? [1]

loadsgf ../../sgf/superko/send_two_after_a_pass.sgf
80 is_legal w B1
#? [0]
81 reg_genmove w
#? [!B1]

loadsgf ../../sgf/superko/triple_ko.sgf
90 is_legal w D2
#? [0]
91 reg_genmove w
#? [!D2]

loadsgf ../../sgf/superko/triple_ko_situational.sgf
100 is_legal w D2
#? [0]
101 reg_genmove w
#? [!D2]

loadsgf ../../sgf/superko/triple_ko_japanese.sgf
110 is_legal w D2
#? [1]
