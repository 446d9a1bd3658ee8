"""Reading and writing game records: what they say, what is odd in them, and that writing and reading agree."""

import os
from pathlib import Path

import pytest
from reference import Board, from_diagram

from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, from_vertex, point_at, to_vertex
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, Rules
from gtp_engine.sgf import Record, SgfError, load, parse


def drawing(game: Game) -> str:
    board = Board(game.size)
    board.set_up([(game.color_at(point), point) for point in board_points(game.size) if game.color_at(point) != EMPTY], game.to_play)
    return str(board)


def drawn(text: str) -> str:
    return str(from_diagram(text))


def moves_of(record: Record) -> str:
    return " ".join(("B" if color == BLACK else "W") + " " + to_vertex(point) for color, point in record.game.moves)


SMALL = b"(;GM[1]FF[4]SZ[5]KM[5.5]RU[AGA]PB[Ann]PW[Bob \\[3k\\]]RE[W+R];B[cc];W[dc];B[cd];W[];B[dd])"


def test_what_a_plain_record_says() -> None:
    record = parse(SMALL)
    assert moves_of(record) == "B C3 W D3 B C2 W pass B D2"
    assert (record.komi, record.rules, record.result) == (5.5, AGA, "W+R")
    assert record.players == {BLACK: "Ann", WHITE: "Bob [3k]"}
    assert record.warnings == []
    assert record.game.rules is AGA
    assert record.game.to_play == WHITE
    assert drawing(record.game) == drawn(
        """
        . . . . .
        . . . . .
        . . X O .
        . . X X .
        . . . . .
        """
    )


@pytest.mark.parametrize(
    ("number", "moves"),
    [
        (-3, ""),
        (0, ""),
        (1, ""),
        (2, "B C3"),
        (4, "B C3 W D3 B C2"),
        (6, "B C3 W D3 B C2 W pass B D2"),
        (1000, "B C3 W D3 B C2 W pass B D2"),
    ],
)
def test_the_position_before_a_move(number: int, moves: str) -> None:
    assert moves_of(parse(SMALL, number)) == moves


def test_main_line_is_the_first_variation() -> None:
    record = parse(b"(;SZ[5]KM[0];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ea];B[aa];B[aa]))")
    assert moves_of(record) == "B A5 W B4 B C3 W D2"


def test_only_the_first_game_of_a_collection_is_read() -> None:
    record = parse(b"junk (;SZ[5]KM[0];B[aa]) (;SZ[9];B[bb]) ")
    assert moves_of(record) == "B A5"
    assert record.warnings == ["the file holds more than one game: only the first is read; to read another, give it a file of its own"]


@pytest.mark.parametrize(
    "text",
    [
        b"(;SZ[5]KM[0];B[aa];W[];B[tt])",
        b"(;FF[3]SiZe[5]KoMi[0];Black[aa];White[tt];Black[])",
        b"\xef\xbb\xbf(;SZ[5]KM[0];B[aa];W[];B[])",
        "(;SZ[5]KM[0];B[aa];W[];B[])".encode("utf-16"),
        b"(SZ[5]KM[0];B[aa];W[];B[])",
        b"(;SZ[5]KM[0]B[aa]W[]B[])",
        b"( ;\r\n SZ\n[5] KM[0]\r\n;B [aa]\n\n;W[ ];B[AA]".replace(b"B[AA]", b"B[]") + b"\n) trailing words",
        b"(;SZ[5:5]KM[0,0];B[AA];;W[];C[no move here];B[])",
        b"(;SZ[ 5 ]KM[ 0 ];B[aa]C[a \\] b ( ; c \\\\];W[]C[)))];B[])",
        b"(;SZ[5]KM[0](B[aa](W[](B[]))))",
    ],
)
def test_many_spellings_of_one_game(text: bytes) -> None:
    record = parse(text)
    assert (record.game.size, moves_of(record)) == (5, "B A5 W pass B pass")
    assert record.komi == 0
    assert record.warnings == []


@pytest.mark.parametrize(
    ("size", "points"),
    [(b"", 19), (b"SZ[]", 19), (b"SZ[2]", 2), (b"SZ[019]", 19), (b"SZ[13x13]", 13)],
)
def test_board_sizes(size: bytes, points: int) -> None:
    assert parse(b"(;" + size + b"KM[0])").game.size == points


@pytest.mark.parametrize(
    ("root", "reason"),
    [
        (b"SZ[9:13]", "9 by 13 lines"),
        (b"SZ[1]", "1 lines"),
        (b"SZ[25]", "25 lines"),
        (b"SZ[-9]", "not a number"),
        (b"SZ[9.5]", "not a number"),
        (b"SZ[nine]", "not a number"),
        (b"SZ[99999999999999999999]", "not a number"),
        (b"GM[2]SZ[8]", "not a record of Go"),
    ],
)
def test_boards_and_games_that_we_do_not_play(root: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason):
        parse(b"(;" + root + b")")


@pytest.mark.parametrize(
    ("komi", "value"),
    [(b"KM[6.5]", 6.5), (b"KM[-5]", -5.0), (b"KM[0]", 0.0), (b"KM[3,5]", 3.5), (b"KM[1e1]", 10.0)],
)
def test_komi(komi: bytes, value: float) -> None:
    record = parse(b"(;SZ[9]" + komi + b")", komi=1.25)
    assert (record.komi, record.warnings) == (value, [])


@pytest.mark.parametrize("komi", [b"", b"KM[]", b"KM[2+3/4]", b"KM[nan]", b"KM[inf]", b"KM[-1e999]", b"KM[99999]", b"KM[half]"])
def test_a_komi_that_makes_no_sense_gives_the_default_and_a_warning(komi: bytes) -> None:
    record = parse(b"(;SZ[9]" + komi + b")", komi=1.25)
    assert record.komi == 1.25
    assert len(record.warnings) == 1
    assert record.warnings[0].endswith("1.25 is used, with Chinese rules")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (b"Chinese", CHINESE),
        (b"japanese", JAPANESE),
        (b"NZ", NEW_ZEALAND),
        (b"New Zealand", NEW_ZEALAND),
        (b"Tromp-Taylor", TROMP_TAYLOR),
        (b"Korean", JAPANESE),
        (b"", None),
    ],
)
def test_rules(text: bytes, rules: Rules | None) -> None:
    record = parse(b"(;SZ[9]KM[0]RU[" + text + b"])", rules=AGA)
    assert record.rules is rules
    assert record.game.rules is (rules or AGA)
    assert record.warnings == []


def test_unknown_rules_are_a_warning() -> None:
    record = parse(b"(;SZ[9]KM[0]RU[Mongolian])", rules=AGA)
    assert record.rules is None and record.game.rules is AGA
    assert record.warnings == ["unknown rules 'Mongolian': AGA rules are used"]


def test_rules_that_are_read_as_others_are_a_warning() -> None:
    record = parse(b"(;SZ[9]KM[0]RU[Japanese 1989])")
    assert record.rules is JAPANESE
    assert record.warnings == ["the rules 'Japanese 1989' are read as Japanese rules"]


@pytest.mark.parametrize(
    ("properties", "komi", "warning"),
    [
        ("KM[375]RU[Chinese]AP[GNU Go:3.8]RN[3]AP[foxwq]", 7.5, ""),
        ("KM[750]AP[foxwq]", 7.5, ""),
        ("KM[325]AP[foxwq]", 6.5, ""),
        ("KM[650]RU[Japanese]AP[foxwq]", 6.5, ""),
        ("KM[275]AP[foxwq]", 5.5, ""),
        ("KM[550]AP[foxwq]", 5.5, ""),
        ("KM[350]AP[foxwq]", 7.0, ""),
        ("KM[700]AP[foxwq]", 7.0, ""),
        ("KM[50]RU[Japanese]AP[foxwq]", 0.5, ""),
        ("KM[0]AP[foxwq]", 0.0, ""),
        ("KM[6.5]AP[foxwq]", 6.5, ""),  # not Fox's own: somebody mended it
        ("KM[375]", 7.5, "the komi '375' is read as hundredths: 7.5"),
        ("KM[650]", 6.5, "the komi '650' is read as hundredths: 6.5"),
        ("KM[3.75]RU[Chinese]US[GoGoD95]", 7.5, "the komi '3.75' counts stones, as in China: 7.5 points"),
        ("KM[2,75]RU[Chinese]", 5.5, "the komi '2,75' counts stones, as in China: 5.5 points"),
        ("KM[3.75]RU[Japanese]", 3.75, ""),
        ("KM[50]", 50.0, ""),
        ("KM[99999]", 1.25, "the komi '99999' makes no sense: 1.25 is used, with AGA rules"),
        ("KM[inf]AP[foxwq]", 1.25, "the komi 'inf' makes no sense: 1.25 is used, with AGA rules"),
        ("RU[Japanese]", 1.25, "the record has no komi: 1.25 is used, with Japanese rules"),
    ],
)
def test_komi_in_the_units_that_programs_write(properties: str, komi: float, warning: str) -> None:
    record = parse(f"(;SZ[9]{properties})".encode(), rules=AGA, komi=1.25)
    assert record.komi == komi
    assert record.warnings == ([warning] if warning else [])


def test_prisoners_stay_when_stones_are_set_up_in_mid_game() -> None:
    """Black takes a stone at A9; then a stone goes and another comes."""
    moves = ";B[bb];W[aa];B[ba];W[ii];B[ab];W[hi]"
    game = parse(f"(;SZ[9]KM[0]RU[Japanese]{moves})".encode()).game
    assert (game.captures(BLACK), game.captures(WHITE)) == (1, 0)
    game = parse(f"(;SZ[9]KM[0]RU[Japanese]{moves};AE[ii]AB[ee];B[dd])".encode()).game
    assert (game.captures(BLACK), game.captures(WHITE)) == (1, 0)
    assert game.moves == [(BLACK, point_at(6, 4))]


HANDICAP = b"(;SZ[9]KM[0.5]HA[3]AB[cg][gc][cc];W[ee])"


def test_handicap_stones() -> None:
    game = parse(HANDICAP, 1).game
    assert (game.handicap, game.to_play) == (3, WHITE)
    assert [to_vertex(point) for _, point in game.setup_stones] == ["C3", "C7", "G7"]


@pytest.mark.parametrize(
    ("root", "handicap", "warnings"),
    [
        (b"AB[cg][gc];W[ee]", 2, 0),
        (b"AB[cg][gc]", 2, 0),
        (b"AB[cg][gc]PL[B]", 0, 0),
        (b"AB[cg][gc];B[ee]", 0, 0),
        (b"AB[cg];W[ee]", 0, 0),
        (b"AB[cg][gc]AW[aa];W[ee]", 0, 0),
        (b"HA[0];B[ee]", 0, 0),
        (b"HA[1];B[ee]", 0, 0),
        (b"HA[2]AB[cg][gc]AW[aa];W[ee]", 2, 0),
        (b"HA[3]AB[cg][gc];W[ee]", 3, 1),
        (b"HA[none];B[ee]", 0, 1),
        (b"HA[-2];B[ee]", 0, 1),
        (b"HA[99999999];B[ee]", 0, 1),
        (b"HA[two]AB[cg][gc];W[ee]", 2, 1),
        (b"HA[2];B[cg];B[gc];W[ee]", 2, 0),
        (b"HA[4];W[ee]", 4, 1),
        (b"HA[80];W[ee]", 0, 1),
        (b"HA[4];B[ee]", 0, 1),
    ],
)
def test_what_counts_as_a_handicap(root: bytes, handicap: int, warnings: int) -> None:
    record = parse(b"(;SZ[9]KM[0]" + root + b")")
    assert record.game.handicap == handicap
    assert len(record.warnings) == warnings


def test_a_handicap_without_stones_stands_on_the_usual_points() -> None:
    game = parse(b"(;SZ[9]KM[0]HA[4];W[ee])").game
    assert [point for _, point in game.setup_stones] == sorted(fixed_handicap_points(9, 4))


def test_set_up_stones_rectangles_and_player_to_move() -> None:
    record = parse(b"(;SZ[5]KM[0]AB[aa:cb][ee]AW[ad:bd][dd][dd]PL[W])")
    assert record.game.to_play == WHITE
    assert drawing(record.game) == drawn(
        """
        X X X . .
        X X X . .
        . . . . .
        O O . O .
        . . . . X
        """
    )


def test_stones_added_and_removed_in_mid_game() -> None:
    record = parse(b"(;SZ[5]KM[0];B[bb];W[cc];B[dd];AB[ee]AE[bb]AW[ae];W[aa];B[ea])")
    assert moves_of(record) == "W A5 B E5"
    assert drawing(record.game) == drawn(
        """
        O . . . X
        . . . . .
        . . O . .
        . . . X .
        O . . . X
        """
    )
    before = parse(b"(;SZ[5]KM[0];B[bb];W[cc];B[dd];AB[ee]AE[bb]AW[ae];W[aa];B[ea])", 3)
    assert moves_of(before) == "B B4 W C3", "the set-up stands behind move 3"


def test_a_set_up_in_mid_game_keeps_the_handicap_and_the_turn() -> None:
    game = parse(b"(;SZ[9]KM[0]HA[2]AB[cg][gc];W[ee];AB[aa])").game
    assert (game.handicap, game.to_play) == (2, BLACK)


@pytest.mark.parametrize(
    ("root", "reason"),
    [
        (b"AB[aa]AW[ab][ba]", "A5 has no liberties"),
        (b"AB[aa]AW[aa]", "repeated vertex A5"),
        (b"AB[zz]", r"AB\[zz\] after move 0 is not a point"),
        (b"AB[aa:zz]", "is not a point"),
        (b"AB[tt]", "is not a point"),
        (b"AB[aa:ee][aa]", "more points than the board has"),
        (b";B[aa];AB[f]", r"AB\[f\] after move 1"),
        (b";B[aa];AW[ab][ba]", "bad set-up after move 1"),
    ],
)
def test_impossible_set_ups(root: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason):
        parse(b"(;SZ[5]KM[0]" + root + b")")


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (b";B[cc];W[cc]", r"move 2 \(white C3\) is illegal: occupied"),
        (b";B[cc];W[];B[zz]", r"move 3 \(black 'zz'\) is not a point of the 5x5 board"),
        (b";B[c]", r"move 1 \(black 'c'\) is not a point"),
        (b";B[cc][dd]", r"move 1 \(black 'cc'\) names more than one point: keep one of them"),
        (b";W[ab];W[ba];B[aa]", r"move 3 \(black A5\) is illegal: suicide"),
        (b";B[ba];W[ca];B[ab];W[cb];B[bc];W[cc];W[];B[ea];W[bb];B[cb]", "move 10 .* is illegal: occupied"),
    ],
)
def test_the_first_illegal_move_is_named(moves: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason):
        parse(b"(;SZ[5]KM[0]" + moves + b")")


KO = b"(;SZ[5]KM[0]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb];W[bb])"


def test_retaking_a_ko_at_once_is_illegal_and_superko_is_not_asked() -> None:
    with pytest.raises(SgfError, match=r"move 2 \(white B4\) is illegal: ko"):
        parse(KO)
    passes_between = KO.replace(b";W[bb]", b";W[];B[];W[bb]")
    assert parse(passes_between, rules=CHINESE).game.moves[-1] == (WHITE, from_vertex("B4", 5))


def test_an_illegal_move_beyond_the_wanted_position_does_no_harm() -> None:
    assert moves_of(parse(b"(;SZ[5]KM[0];B[cc];W[cc];B[zz])", 2)) == "B C3"


def test_suicide_is_legal_where_the_rules_of_the_record_allow_it() -> None:
    text = b"(;SZ[5]KM[0]RU[Tromp-Taylor]AB[aa]AW[ca][ab][bb];B[ba])"
    assert drawing(parse(text).game).startswith(". . O . .")
    with pytest.raises(SgfError, match="suicide"):
        parse(text.replace(b"Tromp-Taylor", b"Chinese"))


@pytest.mark.parametrize("name", ["a game.sgf", "Spiel ä.sgf"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(SMALL)
    assert moves_of(load(path)) == "B C3 W D3 B C2 W pass B D2"
    assert moves_of(load(str(path), 2)) == "B C3"


@pytest.mark.parametrize("path", ["/dev/null", "/dev/zero", "/", "", "no such file", "a\0b", "x" * 5000])
def test_what_is_no_file(path: str) -> None:
    with pytest.raises(SgfError):
        load(path)


@pytest.mark.parametrize("name", ["/dev/zero", "/proc/kmsg", "pipe"])
def test_what_has_no_end_is_not_read(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SgfError):
        load(tmp_path / name)
