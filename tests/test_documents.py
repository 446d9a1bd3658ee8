"""What the documents promise is so: the map of the house, options, files, the example command, the picture."""

import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import Client
from test_layers import ROOMS

from gtp_engine import __version__, sgf
from gtp_engine.cli.main import SUBCOMMANDS, make_parser
from gtp_engine.go.points import BLACK, WHITE, row_and_column
from gtp_engine.go.rules import RULE_SETS, HandicapBonus, Ko, Scoring
from gtp_engine.gtp.arguments import Color
from gtp_engine.gtp.commands.board import BoardCommands

MOVE_OF_PICTURE = 35  # the picture shows the position before it
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def readme(repository: Path) -> str:
    """README.md."""
    return (repository / "README.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands under a heading, up to the next of the same level."""
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


def code(text: str) -> list[str]:
    """The contents of the code blocks."""
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def rooms_on_the_map(readme: str) -> list[str]:
    """The names on the README's map, top floor first."""
    return [line.split()[0] for line in code(section(readme, "How the house is laid out"))[0].splitlines()]


# ---------------------------------------------------------------- README


def test_the_map_names_every_room_there_is(readme: str, repository: Path) -> None:
    package = repository / "gtp_engine"
    rooms = {path.parent.name for path in package.glob("*/__init__.py")} | {path.stem for path in package.glob("*.py")} - {"__init__"}
    assert len(rooms) > 8
    assert sorted(rooms_on_the_map(readme)) == sorted(rooms)


def test_the_map_is_in_the_order_of_imports(readme: str) -> None:
    """Whatever a room may import stands below it."""
    floors = rooms_on_the_map(readme)
    for room, allowed in ROOMS.items():
        top = room.split(".")[0]
        below = {name.split(".")[0] for name in allowed} - {top, "*"}
        for other in below & set(floors):
            assert top not in floors or floors.index(top) < floors.index(other), f"{top} imports {other}"


def test_every_option_in_the_readme_exists(readme: str) -> None:
    """With its value, where one is shown."""
    commands = [line.split("scripts/gtp-engine", 1)[1] for line in "\n".join(code(readme)).splitlines() if "scripts/gtp-engine --" in line]
    options = [words.split() for words in re.findall(r"`(--[^`]+)`", readme) + commands]
    assert len(options) >= 8
    parser = make_parser(["gtp"])
    for words in options:
        if len(words) == 1 and not words[0].startswith("--no-"):
            words.append("1" if words[0] != "--rules" else "chinese")  # the text speaks of the option only
        parser.parse_args(["gtp", *words])


def test_the_subcommands_in_the_readme_exist(readme: str) -> None:
    assert set(re.findall(r"scripts/gtp-engine (\w+)", readme)) <= set(SUBCOMMANDS)


def test_the_defaults_in_the_readme_hold(readme: str) -> None:
    args = make_parser(["gtp"]).parse_args(["gtp"])
    from gtp_engine.config.front_end import FrontEnd
    from gtp_engine.search.params import SearchParams

    assert args.subcommand == "gtp"
    defaults = dict(re.findall(r"\| `--(\w+) [^|]*\| [^|]*\(default: ([\w.]+)\)", readme))
    actual = {**vars(FrontEnd()), **vars(SearchParams())}
    assert len(defaults) >= 3
    for name, value in defaults.items():
        assert str(actual[name]) in (value, f"{value}.0"), name


def test_every_path_in_the_readme_exists(readme: str, repository: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in link]
    paths = re.findall(r"`((?:scripts|tests|docs|gtp_engine|\.ci)/[\w./-]*)", readme)
    assert len(links) >= 3 and len(paths) >= 8
    for path in {*links, *paths} - {"gtp_engine/"}:
        assert (repository / path).exists(), path


def test_the_table_of_rules_is_right(readme: str) -> None:
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in section(readme, "Rules").splitlines()
        if line.startswith("| `")
    ]
    table = {cells[0]: cells[1:] for cells in rows if cells[0] in RULE_SETS}
    kos = {Ko.SIMPLE: "simple ko", Ko.POSITIONAL: "positional superko", Ko.SITUATIONAL: "situational superko"}
    bonuses = {HandicapBonus.NONE: "0", HandicapBonus.ONE_LESS: "N-1", HandicapBonus.FULL: "N"}
    assert table == {
        name: [
            kos[rules.ko],
            "chains of two or more" if rules.suicide else "no",
            "area" if rules.scoring is Scoring.AREA else "territory",
            bonuses[rules.handicap_bonus],
            "must be captured" if rules.all_alive else "taken off",
        ]
        for name, rules in RULE_SETS.items()
    }


def test_the_example_command_works(readme: str, gtp: Client) -> None:
    """The README's method, put into a class of commands as it stands there."""
    names: dict[str, object] = {"Color": Color, "BoardCommands": BoardCommands}
    exec("class Example(BoardCommands):\n" + textwrap.indent(code(section(readme, "Adding a GTP command"))[0], "    "), names)
    board = gtp.dispatcher.methods["showboard"].__self__  # type: ignore[attr-defined]  # a bound method
    example = names["Example"](**vars(board))  # type: ignore[operator]
    gtp.dispatcher.methods["count_stones"] = example.cmd_count_stones
    gtp.ok("play black D4")
    assert [gtp.ok(f"count_stones {color}") for color in ("b", "white")] == ["1", "0"]
    assert "count_stones: How many stones of COLOR are on the board." in gtp.ok("help count_stones")


# ---------------------------------------------------------------- CHANGELOG


def test_the_changelog_begins_with_what_is_unreleased(repository: Path) -> None:
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", heading) for heading in headings[1:])
    assert headings[1:2] in ([], [__version__])
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# ---------------------------------------------------------------- the picture


def draw(repository: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the drawing script."""
    command = [sys.executable, str(repository / "scripts" / "draw_board.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=repository)


def test_the_picture_is_drawn_from_the_record(repository: Path, tmp_path: Path) -> None:
    """After a change of the script: `.venv/bin/python scripts/draw_board.py docs/game.sgf docs/game.svg --move 35`."""
    picture = tmp_path / "game.svg"
    process = draw(repository, repository / "docs" / "game.sgf", picture, "--move", str(MOVE_OF_PICTURE))
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
    assert picture.read_text(encoding="utf-8") == (repository / "docs" / "game.svg").read_text(encoding="utf-8")


def test_the_picture_has_every_stone_in_its_place(repository: Path) -> None:
    game = sgf.load(repository / "docs" / "game.sgf", MOVE_OF_PICTURE).game
    root = ElementTree.parse(repository / "docs" / "game.svg").getroot()
    distance = 40.0
    for color, fill in ((BLACK, "black"), (WHITE, "white")):
        circles = [circle for circle in root.iter(f"{SVG}circle") if circle.get("fill") == fill]
        places = {(round(float(c.get("cx", "0")) / distance - 0.4), round(9 + 1.4 - float(c.get("cy", "0")) / distance)) for c in circles}
        expected = {(row_and_column(point)[1], row_and_column(point)[0]) for point in game.stones(color)}
        assert places == expected
    title = root.find(f"{SVG}title")
    assert title is not None and title.text == "Go on a 9x9 board after 34 moves, the last one white F4"


@pytest.mark.parametrize("size", [2, 3, 7, 13, 19])
def test_every_board_can_be_drawn(size: int, repository: Path, tmp_path: Path) -> None:
    record, picture = tmp_path / "record.sgf", tmp_path / "picture.svg"
    record.write_text(f"(;FF[4]GM[1]SZ[{size}];B[aa];W[])", encoding="utf-8")
    assert draw(repository, record, picture).returncode == 0
    root = ElementTree.parse(picture).getroot()
    assert len(list(root.iter(f"{SVG}text"))) == 4 * size
    assert [circle.get("fill") for circle in root.iter(f"{SVG}circle")].count("black") == 1


def test_a_record_that_cannot_be_read_is_an_error(repository: Path, tmp_path: Path) -> None:
    process = draw(repository, tmp_path / "missing.sgf", tmp_path / "picture.svg")
    assert process.returncode == 1
    assert process.stderr.startswith("draw_board.py: ") and "Traceback" not in process.stderr
