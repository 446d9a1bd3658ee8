# Finished games: the count and the dead stones. The comment in each record names the idea.

loadsgf ../../sgf/scoring/walls.sgf
10 final_score
#? [B\+1.5]

loadsgf ../../sgf/scoring/dead_stone.sgf
20 final_score
#? [B\+1.5]
21 final_status_list dead
#? [B6]

loadsgf ../../sgf/scoring/dead_chain.sgf
30 final_score
#? [W\+9.5]
31 final_status_list dead
#? [H[456] H[456] H[456]]

loadsgf ../../sgf/scoring/jigo.sgf
40 final_score
#? [0]

loadsgf ../../sgf/scoring/one_color.sgf
50 final_score
#? [B\+41.5]

loadsgf ../../sgf/scoring/territory.sgf
60 final_score
#? [B\+2.5]

loadsgf ../../sgf/scoring/territory_dead_stone.sgf
70 final_score
#? [W\+0.5]
71 final_status_list dead
#? [B6]

loadsgf ../../sgf/scoring/neutral_points.sgf
80 final_score
#? [W\+6.5]

loadsgf ../../sgf/scoring/seki.sgf
90 final_score
#? [W\+1.5]
91 final_status_list dead
#? []
92 final_status_list seki
#? [(?s)(?=.*B1)(?=.*F1).*]

loadsgf ../../sgf/scoring/nothing_is_dead.sgf
play b pass
play w pass
100 final_score
#? [W\+29.5]
