"""Records on their way into a review and out of it: games found in files, and annotated without losing anything."""

import random
from pathlib import Path

import pytest
from review_samples import SHORT_GAME, drawn_review, record_of
from sgfmill import sgf as sgfmill_sgf

from gtp_engine import sgf
from gtp_engine.base.files import write_file
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.sgf.nodes import main_line, split_games
from gtp_engine.sgf.values import escaped, plain
from gtp_engine.tools.review.annotate import annotated_record
from gtp_engine.tools.review.output import folder_names
from gtp_engine.tools.review.record_text import normalized
from gtp_engine.tools.review.records import find_files, read_sources

FULL_OF_THINGS = r"""(;FF[4]GM[1]CA[ISO-8859-1]SZ[9]KM[5.5]RU[Japanese]PB[A\]b]PW[(;x)]GN[odd]XX[own][thing]AB[aa:ba]AW[ii]
C[root \] (;B[aa\])]
;B[ee]C[first]LB[ee:1]BM[1]
(;W[cc]N[main];B[gg]C[two\
lines]
(;W[gc];B[cg]TR[ee][cc])
(;W[cg]C[side];B[gc](;W[dd])(;W[ff])))
(;W[gc]C[other]))"""


def nodes_of(text: str) -> sgfmill_sgf.Tree_node:
    """The root as sgfmill reads it."""
    return sgfmill_sgf.Sgf_game.from_bytes(text.encode()).get_root()


def properties(node: sgfmill_sgf.Tree_node) -> dict[str, list[bytes]]:
    return {name: node.get_raw_list(name) for name in node.properties()}


def assert_kept(old: sgfmill_sgf.Tree_node, new: sgfmill_sgf.Tree_node) -> None:
    """Everything in and under `old` is in and under `new`, comments perhaps with more behind them."""
    found = properties(new)
    for name, values in properties(old).items():
        if name == "C":
            assert found["C"][0].startswith(values[0])
        elif name != "CA":
            assert found[name] == values
    assert len(new) >= len(old)
    unmatched = list(new)
    for child in old:
        twin = next(
            other
            for other in unmatched
            if properties(other).get("C", [b""])[0].startswith(properties(child).get("C", [b""])[0])
            and child.get_move() == other.get_move()
            and "Better than" not in str(other.get_raw("C") if other.has_property("C") else "")
        )
        unmatched.remove(twin)
        assert_kept(child, twin)


def random_record(seed: int) -> str:
    """A game on 9x9 with variations, comments and marks, at random."""
    rng = random.Random(seed)
    points = [column + row for column in "abcdefghi" for row in "abcdefghi"]
    rng.shuffle(points)

    def branch(depth: int, color: str) -> str:
        text = ""
        for _ in range(rng.randint(1, 4)):
            text += f";{color}[{points.pop()}]" + rng.choice(["", r"C[x\]y]", "TR[aa]", "C[(;B[aa\\])]", "\n "])
            color = "W" if color == "B" else "B"
        if depth < 3 and rng.random() < 0.7:
            text += "".join(f"({branch(depth + 1, color)})" for _ in range(rng.randint(2, 3)))
        return text

    return f"(;GM[1]SZ[9]KM[6.5]{branch(0, 'B')})"


# ---------------------------------------------------------------- files


def test_every_game_of_a_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_text(f"mail header\n{SHORT_GAME}\nbetween\n{SHORT_GAME}\n", encoding="utf-8")
    sources = read_sources(path)
    assert [(source.stem, source.title) for source in sources] == [
        ("two-game1", f"{path}, game 1"),
        ("two-game2", f"{path}, game 2"),
    ]
    assert {source.text for source in sources} == {SHORT_GAME}


@pytest.mark.parametrize("content", ["", "  \n", "no game", "(no game)"])
def test_a_file_without_a_game_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "none.sgf"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(sgf.SgfError):
        read_sources(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(sgf.SgfError, match="no such file"):
        read_sources(tmp_path / "missing.sgf")
    with pytest.raises(sgf.SgfError, match="not an ordinary file"):
        read_sources(tmp_path)


def test_a_folder_stands_for_its_records(tmp_path: Path) -> None:
    for name in ("b.sgf", "a.SGF", "c.txt"):
        (tmp_path / name).touch()
    assert find_files([tmp_path, tmp_path / "b.sgf"]) == [tmp_path / "a.SGF", tmp_path / "b.sgf"]


def test_a_cut_off_game_is_left_to_the_reader() -> None:
    games = split_games(SHORT_GAME + SHORT_GAME[:30])
    assert games == [SHORT_GAME, SHORT_GAME[:30]]
    with pytest.raises(sgf.SgfError, match="cut off"):
        record_of(games[1])


# ---------------------------------------------------------------- what a record says


def test_the_main_line_and_its_header_are_read() -> None:
    record = record_of(FULL_OF_THINGS)
    vertices = [(BLACK, "E5"), (WHITE, "C7"), (BLACK, "G3"), (WHITE, "G7"), (BLACK, "C3")]
    assert record.moves == [(color, from_vertex(vertex, 9)) for color, vertex in vertices]
    assert (record.komi, record.rules.name, record.players[BLACK]) == (5.5, "japanese", "A]b")


def test_each_position_is_the_one_before_the_move() -> None:
    record = record_of(SHORT_GAME)
    assert [len(game.stones(BLACK)) + len(game.stones(WHITE)) for game in record.positions()] == list(range(7))


def test_set_up_stones_in_mid_game_are_part_of_the_positions() -> None:
    record = record_of("(;SZ[5]KM[0];B[cc];W[cb];AE[cc]AB[ab][ac];B[bb])")
    boards = [(len(game.stones(BLACK)), len(game.stones(WHITE))) for game in record.positions()]
    assert boards == [(0, 0), (1, 0), (2, 1), (3, 1)]


def test_passes_and_forgotten_semicolons_are_moves() -> None:
    record = record_of("(;SZ[5]KM[0];B[cc]W[tt];B[])")
    assert [point for _, point in record.moves[1:]] == [PASS, PASS]
    assert normalized("(SZ[5]B[cc]W[dd])") == "(;CA[UTF-8]SZ[5]B[cc];W[dd])"


def test_escapes_are_undone() -> None:
    for text in ("a]b", "back\\slash", "a\\]"):
        assert plain(escaped(text)) == text


# ---------------------------------------------------------------- annotation


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_mistake_gets_a_branch_beside_the_move(number: int) -> None:
    better = ("H8", "H7", "pass") if number % 2 else ("B8",)
    root = nodes_of(annotated_record(drawn_review(FULL_OF_THINGS, {number: better})))
    node = root
    for _ in range(number - 1):
        node = node[0]
    branch = next(child for child in node if b"Better than" in (child.get_raw("C") if child.has_property("C") else b""))
    assert branch is not node[0]
    assert branch.get_move()[0] == ("b" if number % 2 else "w")
    assert branch.get_raw("SBKV") == (b"60.00" if number % 2 else b"40.00")
    assert branch.has_property("TE")


@pytest.mark.parametrize("text", [FULL_OF_THINGS, SHORT_GAME, "(;SZ[9]B[aa])", *(random_record(seed) for seed in range(12))])
def test_nothing_of_the_record_is_lost(text: str) -> None:
    """Whichever moves are mistakes."""
    count = len(record_of(text).moves)
    size = record_of(text).size
    for chosen in ([], [1], [count], range(1, count + 1), range(1, count + 1, 2)):
        annotated = annotated_record(drawn_review(text, dict.fromkeys(chosen, ("A1" if size < 9 else "J1", "pass"))))
        assert_kept(nodes_of(normalized(text)), nodes_of(annotated))
        again = record_of(annotated)
        assert again.moves == record_of(text).moves
        assert again.komi == record_of(text).komi


def test_sabaki_finds_its_properties_in_each_move() -> None:
    """SBKV is Black's win rate in percent after the move, SBKS Black's lead; BM and DO mark what was bad."""
    text = annotated_record(drawn_review(SHORT_GAME, {2: ("A1",)}))
    nodes = [node for node in main_line(text).nodes if node.color_name]
    assert all(node.properties["SBKV"].values == ["50.00"] and node.properties["SBKS"].values == ["0.00"] for node in nodes)
    assert [("BM" in node.properties) for node in nodes] == [False, True, False, False, False, False]


def test_own_marks_are_not_contradicted() -> None:
    """BM stands in the record already: a node may have one of these marks only."""
    text = annotated_record(drawn_review(FULL_OF_THINGS, {1: ("A1",)}))
    assert main_line(text).nodes[1].properties["BM"].values == ["1"]


def test_a_charset_is_replaced_by_the_one_that_is_written() -> None:
    assert "CA[UTF-8]" in annotated_record(drawn_review(FULL_OF_THINGS, {}))
    assert "ISO-8859-1" not in annotated_record(drawn_review(FULL_OF_THINGS, {}))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(;CA[UTF-8]GM[1]SZ[9]KM[6.5]PB[x]CA[UTF-8];B[aa])", "(;CA[UTF-8]GM[1]SZ[9]KM[6.5]PB[x];B[aa])"),
        ("(;CA[GB2312]SZ[9] CA[x] [y]CA;B[aa]CA[z])", "(;CA[UTF-8]SZ[9] ;B[aa]CA[z])"),
        ("(CA[GB2312]SZ[9]CA[x];B[aa])", "(;CA[UTF-8]SZ[9];B[aa])"),
        ("(;SZ[9];B[aa])", "(;CA[UTF-8]SZ[9];B[aa])"),
    ],
)
def test_a_charset_that_is_named_twice_takes_nothing_else_with_it(text: str, wanted: str) -> None:
    assert normalized(text) == wanted
    assert record_of(text).size == 9


def test_win_rates_that_stand_twice_are_written_once_and_nothing_between_them_goes() -> None:
    text = annotated_record(drawn_review("(;SZ[9]KM[0];B[aa]SBKV[1]LB[aa:x]SBKS[2]N[name]SBKV[3]SBKS[4]C[one]TR[aa]C[two];W[bb])", {}))
    found = properties(nodes_of(text)[0])
    assert (found["LB"], found["N"], found["TR"]) == ([b"aa:x"], [b"name"], [b"aa"])
    assert (found["SBKV"], found["SBKS"]) == ([b"50.00"], [b"0.00"])
    assert text.count("SBKV[") == 2 and "C[one]TR[aa]C[two\n\nBlack's move 1" in text


def test_names_and_links_that_lead_nowhere_are_one_failure_each(tmp_path: Path) -> None:
    (tmp_path / "circle.sgf").symlink_to(tmp_path / "circle.sgf")
    long = Path(256 * "x")
    files = find_files([tmp_path, long, tmp_path / "circle.sgf", Path("a\0b")])
    assert files == [tmp_path / "circle.sgf", long, Path("a\0b")]
    for path in files:
        with pytest.raises(sgf.SgfError):
            read_sources(path)


def test_the_folder_of_a_file_with_the_longest_name_can_be_made(tmp_path: Path) -> None:
    path = tmp_path / (60 * "\U0001f600" + ".sgf")  # 244 bytes
    path.write_text("(;SZ[9];B[aa])", encoding="utf-8")
    (name,) = folder_names(read_sources(path))
    (tmp_path / name).mkdir()
    write_file(tmp_path / name / f"{name}.html", b"")
