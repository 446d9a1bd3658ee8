"""The bytes of a record: charsets, damage, hostile files."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_engine.go.points import BLACK, WHITE, point_at, to_vertex
from gtp_engine.sgf import Record, SgfError, dump, parse
from gtp_engine.sgf.text import MAX_BYTES, MAX_DEPTH, MAX_NODES, read_nodes

GUESSED = {
    "ascii": [],
    "utf-8": [],
    "latin-1": ["read as Latin-1"],
    "gb2312": ["read as GB18030"],
    "gb18030": ["read as GB18030"],
    "shift_jis": ["read as Shift-JIS"],
}
NAMES = ["Ann", "Müller", "李世乭", "吴清源", "小林光一", "イ・チャンホ", "Дмитрий"]


def black_player(data: bytes) -> tuple[str, list[str]]:
    record = parse(data)
    return record.players[BLACK], record.warnings


def text_with(name: str, charset: str = "") -> str:
    return f"(;SZ[9]KM[0]{f'CA[{charset}]' if charset else ''}PB[{name}])"


@pytest.mark.parametrize(
    ("name", "charset"),
    [
        ("Ann", "ascii"),
        ("Müller", "utf-8"),
        ("Müller", "latin-1"),
        ("Renée", "latin-1"),
        ("Ångström", "latin-1"),
        ("吴清源", "utf-8"),
        ("吴清源", "gb2312"),
        ("李世乭", "gb18030"),
        ("陳祖德", "gb18030"),
        ("小林光一", "utf-8"),
        ("ソノ・テスト", "shift_jis"),  # its bytes contain a backslash and brackets
        ("さくら 二段", "shift_jis"),
    ],
)
def test_charset_found_without_being_named(name: str, charset: str) -> None:
    found, warnings = black_player(text_with(name).encode(charset))
    assert found == name
    assert [warning.partition(",")[0] for warning in warnings] == GUESSED[charset]


@pytest.mark.parametrize(
    ("text", "charset", "name"),
    [
        ("許功蓋", "big5", "Big5"),  # each ends in a byte that is a backslash
        ("許", "big5", "Big5"),
        ("周俊勳 林至涵", "big5", "Big5"),
        ("第一屆應氏杯世界職業圍棋錦標賽", "big5", "Big5"),
        ("이세돌 구단 대 박정환 구단", "euc_kr", "EUC-KR"),
        ("제오회 응창기배 결승", "euc_kr", "EUC-KR"),
        ("聂卫平 九段", "gb2312", "GB18030"),
        ("丁浩", "gb2312", "GB18030"),  # three bytes in four could be Korean ones, too
        ("阿黄执黑先行", "gb2312", "GB18030"),
        ("小林光一 九段のけんとう", "shift_jis", "Shift-JIS"),
        ("Größe", "latin-1", "Latin-1"),
    ],
)
def test_a_guessed_charset_is_said_to_be_a_guess(text: str, charset: str, name: str) -> None:
    found, warnings = black_player(text_with(text).encode(charset))
    assert found == text
    assert warnings == [f"read as {name}, which is a guess: the file names no charset that fits; if a name looks wrong, save it in UTF-8"]


def test_a_name_that_ends_in_a_backslash_byte_leaves_the_moves_alone() -> None:
    record = parse("(;SZ[9]KM[5.5]PB[許功]PW[許];B[ee];W[cc])".encode("big5"))
    assert (record.players[BLACK], record.players[WHITE]) == ("許功", "許")
    assert [to_vertex(point) for _, point in record.game.moves] == ["E5", "C7"]


@pytest.mark.parametrize("charset", ["UTF-8", "utf8", "GB18030", "GBK", "Shift_JIS", "SJIS", "EUC-JP", "Big5", "ISO-2022-JP", "HZ"])
def test_named_charset(charset: str) -> None:
    name = "中一"
    assert black_player(text_with(name, charset).encode(charset)) == (name, [])


def test_latin_charset_named() -> None:
    assert black_player(text_with("Müller", "ISO-8859-1").encode("latin-1")) == ("Müller", [])
    assert black_player(text_with("Дмитрий", "windows-1251").encode("cp1251")) == ("Дмитрий", [])


@pytest.mark.parametrize("charset", ["x-unknown", "zip", "hex", "punycode", "idna", "utf-7", "unicode_escape", "rot13", "..", "a" * 40])
def test_unknown_charset_is_guessed_with_a_warning(charset: str) -> None:
    assert black_player(text_with("Müller", charset).encode()) == (
        "Müller",
        [f"unknown charset {charset}: it is guessed; if a name looks wrong, save the record in UTF-8"],
    )


def test_a_charset_that_does_not_fit_is_guessed_with_a_warning() -> None:
    name, warnings = black_player(text_with("吴清源", "UTF-8").encode("gb2312"))
    assert name == "吴清源"
    assert warnings[0] == "the file is not written in utf-8, the charset that it names"
    assert warnings[1].startswith("read as GB18030, which is a guess")


def test_any_bytes_behind_a_byte_order_mark() -> None:
    assert black_player(b"\xef\xbb\xbf(;SZ[9]KM[0]PB[a\xff])")[0] == "a\ufffd"
    with pytest.raises(SgfError):
        parse(b"\xff\xfe(;SZ[9])")


def test_text_is_one_clean_line() -> None:
    assert black_player(b"(;SZ[9]KM[0]PB[ a\\]b\\\\c\\\nd\r\ne\tf\x00\x1b[31m\\] ])")[0] == "a]b\\cd e f [31m]"
    assert len(black_player(b"(;SZ[9]KM[0]PB[" + b"\\x" * 5000 + b"])")[0]) == 500


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "the file is empty: save the game again"),
        (b" \n", "the file is empty"),
        (b"not sgf", "no game record"),
        (b"\0\0\0", "no game record"),
        (b"GIF89a\xff\x00;()", "no game record"),
        (b"()", "no game record"),
        (b"(;", "cut off"),
        (b"(;SZ[9];B[aa];W[bb]", "cut off"),
        (b"\n(;SZ[9]\nC[two\nlines];B[aa]\n", "cut off in line 4"),
        (b"\n(;SZ[9]\nC[two\nlines];B[aa]C[a]b])", "in line 4, node 2"),
        (b"(;SZ[9];B[aa](;W[bb])", "cut off"),
        (b"(;SZ[9]C[a comment", "cut off"),
        (b"(;SZ[9]C[a comment\\", "cut off"),
        (b"(;SZ[9]C[a comment\\])", "cut off"),
        (b"(;SZ[9];B[aa]C[see [1] or ]];W[bb])", r"in line 1, node 2 of the record, there is an unescaped \]: put a \\ before it"),
        (b"(;SZ[9];B[aa]C[a [1], b];W[bb])", r"line 1, node 2 .*stray text \(','\): take it out"),
        (b"(;SZ[9];B[aa](;W[bb])(;W[cc]C[1] 2]))", "stray text|unescaped"),
        (b"(;SZ[9];B[aa]\0;W[bb])", r"stray text \('\\x00'\)"),
        (b"(;SZ[9];[aa])", "value without a property name in node 2"),
        (b"(;SZ[9];b[aa])", "value without a property name"),
        (b"(;SZ[9]KM;B[aa])", "property KM has no value in node 1 of the record"),
        (b"(;SZ[9] said)", "stray text"),
    ],
)
def test_damaged_records_are_refused_with_a_sentence(text: bytes, reason: str) -> None:
    with pytest.raises(SgfError, match=reason):
        parse(text)


HOSTILE = {
    "only opening parentheses": b"(" * 10_000,
    "opened again and again": b"(;" * (MAX_BYTES // 2),
    "nested with moves": b"(;SZ[9]" + b"(;B[]" * 10_000 + b")" * 10_001,
    "brackets never closed": b"(;C" + b"[" * (MAX_BYTES - 10),
    "brackets and a last backslash": b"(;C" + b"[" * (MAX_BYTES - 10) + b"\\",
    "many nodes": b"(;SZ[9]" + b";B[]" * 900_000 + b")",
    "many values": b"(;SZ[19]" + b"AB[aa:ss]" * 400_000 + b")",
    "many set-ups": b"(;SZ[19]" + b";AB[aa:sr]" * 9_000 + b")",
    "letters": b"(;" + b"A " * 1_900_000 + b")",
    "10 MB": b"(;" + b"B[aa]" * 2_000_000 + b")",
    "almost a start": b"(A" * (MAX_BYTES // 2),
    "spaces": b"( " * (MAX_BYTES // 2),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str) -> None:
    with pytest.raises(SgfError):
        parse(HOSTILE[name])


def test_large_but_honest_files_are_read() -> None:
    assert len(parse(b"(;SZ[9]KM[0]" + b";B[]C[" + b"x" * 3_000_000 + b"])").game.moves) == 1
    assert len(parse(b"(;SZ[9]KM[0]" + b";B[]" * (MAX_NODES - 1) + b")").game.moves) == MAX_NODES - 1
    assert len(parse(b"(;SZ[9]KM[0]" + b"(;B[]" * (MAX_DEPTH - 1) + b")" * MAX_DEPTH).game.moves) == MAX_DEPTH - 1
    assert len(parse(b"(;SZ[9]KM[0];B[]" + b"(;W[aa])" * 100_000 + b")").game.moves) == 2


def test_nodes_keep_raw_values_and_leave_out_empty_nodes() -> None:
    nodes = read_nodes(b"(;;SZ[9];C[a\\]];;AB[aa][bb]AB[cc])", [])
    assert nodes == [{"SZ": ["9"]}, {"C": ["a\\]"]}, {"AB": ["aa", "bb", "cc"]}]


def read_or_refuse(data: bytes) -> Record | None:
    """A record, or None for an SgfError; anything else fails the test."""
    try:
        return parse(data)
    except SgfError:
        return None


@settings(deadline=None, max_examples=200)
@given(st.binary())
def test_random_bytes_are_a_record_or_refused(data: bytes) -> None:
    read_or_refuse(data)


WORDS = ["AB", "AW", "AE", "PL", "HA", "KM", "SZ", "CA", "RU", "aa", "ab", "tt", "ss", "-1", "B[aa]", ";W[bb]", "AB[aa:bb]", "(;SZ[5]"]
PIECES = st.sampled_from([*"()[];\\:\n\0\u4e2d29BW", *WORDS])


@settings(deadline=None, max_examples=300)
@given(st.lists(PIECES, max_size=30))
def test_anything_made_of_sgf_pieces_is_a_record_or_refused(pieces: list[str]) -> None:
    read_or_refuse(("(;" + "".join(pieces) + ")").encode())


VALID = (
    b"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]HA[2]AB[cg][gc]RU[Chinese]PB[\xe9\xbb\x92]PW[b\\]];W[ee]C[x (y) ;z];B[ec]"
    b"(;W[dc];B[db];AW[aa:bb]AE[ee];W[])(;W[tt];B[cc]))"
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 2), st.integers(0, 255)), min_size=1, max_size=4))
def test_a_mutated_record_is_a_record_or_refused(changes: list[tuple[int, int, int]]) -> None:
    data = bytearray(VALID)
    for place, kind, byte in changes:
        if kind == 0:
            data[place : place + 1] = bytes([byte])
        elif kind == 1:
            del data[place : place + byte % 8]
        else:
            data[place:place] = bytes([byte])
    record = read_or_refuse(bytes(data))
    if record is not None:
        game = record.game
        again = parse(dump(game, record.komi, game.rules, record.players, record.result).encode()).game
        assert (again.moves, sorted(again.setup_stones), again.handicap) == (game.moves, sorted(game.setup_stones), game.handicap)


@pytest.mark.parametrize("change", ["AW[aa:ii]AE[ai]", "AE[aa:ii]"])
def test_a_handicap_ends_with_black_s_last_stone(change: str) -> None:
    """Where a set-up in mid-game takes all of them off; else what we write of it would get new ones when it is read."""
    game = parse(f"(;SZ[9]HA[2]AB[cg][gc];W[ee];{change};W[])".encode()).game
    again = parse(dump(game, 6.5, game.rules, {}, "").encode()).game
    assert game.handicap == again.handicap == 0
    assert sorted(again.setup_stones) == sorted(game.setup_stones)


def test_a_handicap_without_stones_adds_none_to_white_s() -> None:
    record = parse(b"(;SZ[9]HA[2]AW[cg];W[ee])")
    assert (record.game.setup_stones, record.game.handicap) == ([(WHITE, point_at(3, 3))], 2)


def test_the_unchanged_record_is_read() -> None:
    record = parse(VALID)
    assert [len(record.game.moves), record.game.handicap, record.warnings] == [
        1,
        2,
        ["the record has variations: only its main line is read"],
    ]
