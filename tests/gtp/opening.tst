# First moves: any of the usual points will do. The comment in each record names the idea.

loadsgf ../../sgf/opening/empty_19.sgf
10 reg_genmove b
#? [C15|C16|C17|D15|D16|D17|E15|E16|E17|P15|P16|P17|Q15|Q16|Q17|R15|R16|R17|C3|C4|C5|D3|D4|D5|E3|E4|E5|P3|P4|P5|Q3|Q4|Q5|R3|R4|R5]

loadsgf ../../sgf/opening/empty_13.sgf
20 reg_genmove b
#? [C9|C10|C11|D9|D10|D11|E9|E10|E11|J9|J10|J11|K9|K10|K11|L9|L10|L11|C3|C4|C5|D3|D4|D5|E3|E4|E5|J3|J4|J5|K3|K4|K5|L3|L4|L5|G7]

loadsgf ../../sgf/opening/empty_9.sgf
30 reg_genmove b
#? [C3|C4|C5|C6|C7|D3|D4|D5|D6|D7|E3|E4|E5|E6|E7|F3|F4|F5|F6|F7|G3|G4|G5|G6|G7]

loadsgf ../../sgf/opening/empty_7.sgf
40 reg_genmove b
#? [C3|C4|C5|D3|D4|D5|E3|E4|E5]

loadsgf ../../sgf/opening/empty_5.sgf
50 reg_genmove b
#? [C3]

loadsgf ../../sgf/opening/last_corner.sgf
60 reg_genmove w
#? [C15|C16|C17|D15|D16|D17|E15|E16|E17]

loadsgf ../../sgf/opening/last_corner_13.sgf
70 reg_genmove w
#? [C9|C10|C11|D9|D10|D11|E9|E10|E11]

loadsgf ../../sgf/opening/ignore_the_first_line.sgf
80 reg_genmove b
#? [C15|C16|C17|D15|D16|D17|E15|E16|E17|P3|P4|P5|Q3|Q4|Q5|R3|R4|R5]

loadsgf ../../sgf/opening/stretch_from_contact.sgf
90 reg_genmove b
#? [D4|F4|D5|F5|D3|F3]

loadsgf ../../sgf/opening/empty_11.sgf
100 reg_genmove b
#? [C3|C4|C5|C6|C7|C8|C9|D3|D4|D5|D6|D7|D8|D9|E3|E4|E5|E6|E7|E8|E9|F3|F4|F5|F6|F7|F8|F9|G3|G4|G5|G6|G7|G8|G9|H3|H4|H5|H6|H7|H8|H9|J3|J4|J5|J6|J7|J8|J9]
