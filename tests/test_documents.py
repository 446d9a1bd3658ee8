"""What the documents promise is so: options, files, the example command, the pictures, GTP's commands."""

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import Client, build_small_engine, load_script

from gtp_engine import __version__, sgf
from gtp_engine.cli.main import SUBCOMMANDS, make_parser
from gtp_engine.cli.match import read_tournament
from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.go.points import BLACK, WHITE, row_and_column
from gtp_engine.go.rules import RULE_SETS, HandicapBonus, Ko, Scoring
from gtp_engine.interfaces.gtp.arguments import Color
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.commands.board import BoardCommands
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

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


def document(repository: Path, name: str) -> str:
    """A page of docs/."""
    return (repository / "docs" / name).read_text(encoding="utf-8")


# ---------------------------------------------------------------- architecture


def test_every_file_on_the_path_of_a_move_exists(repository: Path) -> None:
    paths = re.findall(r"`((?:\w+/)+\w*(?:\.py)?)`", document(repository, "architecture.md"))
    assert len(paths) >= 20
    assert [path for path in paths if not (repository / "gtp_engine" / path).exists() and not (repository / path).exists()] == []


# ---------------------------------------------------------------- README


def test_the_readme_is_short(readme: str) -> None:
    assert len(readme.splitlines()) < 120


def engine_options(text: str) -> list[list[str]]:
    """The options of every command of the engine in a text, in a line of its own or between quotes."""
    commands = re.findall(r"^(?:scripts/)?gtp-engine (--.*)$", text, re.MULTILINE) + re.findall(
        r"[\"`](?:scripts/)?gtp-engine (--[^\"`]+)", text
    )
    return [words.split() for words in commands]


def test_every_option_in_the_readme_exists(readme: str) -> None:
    """With its value, where one is shown."""
    options = [words.split() for words in re.findall(r"`(--[^`]+)`", readme)] + engine_options(readme)
    assert len(options) >= 10
    parser = make_parser(["gtp"])
    for words in options:
        if len(words) == 1 and not words[0].startswith("--no-"):
            words.append("1")  # the text speaks of the option only
        parser.parse_args(["gtp", *words])


def test_the_commands_of_the_strength_page_can_be_played(repository: Path) -> None:
    """Every match is one that `gtp-engine match` takes, between players whose options exist."""
    page = document(repository, "strength.md")
    assert len(page.splitlines()) <= 80 and "match.py" not in page
    rows = re.findall(r"^\| (\d+) \|", page, re.MULTILINE)
    commands = dict(re.findall(r"^# (\d+)\ngtp-engine (match .*)$", page, re.MULTILINE))
    assert len(rows) >= 10 and list(commands) == rows
    for command in commands.values():
        tournament = read_tournament(make_parser(["match"]).parse_args(shlex.split(command)))
        assert tournament.players[0].command[0] == "gtp-engine"
    for words in engine_options(page):
        make_parser(["gtp"]).parse_args(["gtp", *words])


def test_the_subcommands_in_the_readme_exist(readme: str) -> None:
    assert set(re.findall(r"scripts/gtp-engine (\w+)", readme)) <= set(SUBCOMMANDS)


def test_the_defaults_in_the_readme_hold(readme: str) -> None:
    args = make_parser(["gtp"]).parse_args(["gtp"])
    from gtp_engine.engine.search.params import SearchParams

    assert args.subcommand == "gtp"
    defaults = dict(re.findall(r"\| `--(\w+) [^|]*\| [^|]*\(default: ([\w.]+)\)", readme))
    actual = {**vars(FrontEnd()), **vars(SearchParams())}
    assert len(defaults) >= 3
    for name, value in defaults.items():
        assert str(actual[name]) in (value, f"{value}.0"), name


def test_every_path_in_the_readme_exists(readme: str, repository: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", readme) if "://" not in link]
    paths = re.findall(r"`((?:scripts|tests|docs|gtp_engine|\.ci)/[\w./-]*)", readme)
    assert len(links) >= 10 and len(paths) >= 2
    for path in {*links, *paths} - {"gtp_engine/"}:
        assert (repository / path).exists(), path


def test_the_table_of_rules_is_right(repository: Path) -> None:
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in document(repository, "rules.md").splitlines()
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


def test_the_example_command_works(repository: Path, gtp: Client) -> None:
    """The method in CONTRIBUTING.md, put into a class of commands as it stands there."""
    names: dict[str, object] = {"Color": Color, "BoardCommands": BoardCommands}
    text = (repository / "CONTRIBUTING.md").read_text(encoding="utf-8")
    exec("class Example(BoardCommands):\n" + textwrap.indent(code(section(text, "Adding a GTP command"))[0], "    "), names)
    board = gtp.dispatcher.methods["showboard"].__self__  # type: ignore[attr-defined]  # a bound method
    example = names["Example"](**vars(board))  # type: ignore[operator]
    gtp.dispatcher.methods["count_stones"] = example.cmd_count_stones
    gtp.ok("play black D4")
    assert [gtp.ok(f"count_stones {color}") for color in ("b", "white")] == ["1", "0"]
    assert "count_stones: How many stones of COLOR are on the board." in gtp.ok("help count_stones")


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/troubleshooting.md", "docs/rules.md"])
def test_every_path_and_link_exists(page: str, repository: Path) -> None:
    text, folder = (repository / page).read_text(encoding="utf-8"), (repository / page).parent
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    paths = re.findall(r"(?:`|python )((?:scripts|tests|docs|sgf|gtp_engine|\.ci)/[\w./-]*)", text)
    assert [link for link in links if not (folder / link).exists()] == []
    assert [path for path in paths if path != "gtp_engine/" and not (repository / path).exists()] == []


def test_the_page_of_commands_is_what_the_docstrings_say(repository: Path) -> None:
    """After a change of a docstring: `.venv/bin/python docs/figures/gtp_commands.py --write`."""
    script = load_script(repository / "docs" / "figures" / "gtp_commands.py")
    assert document(repository, "gtp-commands.md") == script.page()


def test_the_page_of_commands_has_them_all(repository: Path) -> None:
    dispatcher = make_dispatcher(EngineLoader(build_small_engine), "gtp_engine", "0", front_end=FrontEnd(kgs_chat=True))
    named = re.findall(r"^\| `([\w-]+)", document(repository, "gtp-commands.md"), re.MULTILINE)
    assert sorted(named) == sorted(dispatcher.methods)


# ---------------------------------------------------------------- dependencies


def test_types_are_for_users_too(repository: Path) -> None:
    assert (repository / "gtp_engine" / "py.typed").exists()


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
    command = [sys.executable, str(repository / "docs" / "figures" / "draw_board.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=repository)


def test_the_picture_is_drawn_from_the_record(repository: Path, tmp_path: Path) -> None:
    """After a change of the script: `.venv/bin/python docs/figures/draw_board.py docs/game.sgf docs/game.svg --move 35`."""
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


# ---------------------------------------------------------------- commands


def commands_of(text: str) -> list[str]:
    """What stands behind `gtp-engine` in each command of a page: lines of code blocks, and code between backticks."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    outside = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines += [" ".join(words.split()) for words in re.findall(r"`([^`]+)`", outside)]
    found = []
    for line in lines:
        match = re.match(r"(?:\$ )?(?:exec )?(?:\S*/)?gtp-engine( [^|<>&]*)?", line)
        if match:
            found.append(re.sub(r"\s#.*|^ *arguments: ", "", match[1] or "").strip())
    return found


def parse_command(words: list[str]) -> None:
    """Raises SystemExit for what the command line would refuse."""
    if not words or words[0].startswith("-"):
        words = ["gtp", *words]
    make_parser([words[0]] if words[0] in SUBCOMMANDS else SUBCOMMANDS).parse_args(words)


def pages(repository: Path) -> list[Path]:
    """README, every page of docs/, but for the trials, which tell what was done with older versions, and the networks' cards."""
    cards = repository / "gtp_engine/engine/network/models/README.md"
    return [repository / "README.md", repository / "CONTRIBUTING.md", *sorted((repository / "docs").glob("*.md")), cards]


def test_every_command_in_the_documents_is_taken(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count, refused = 0, []
    for page in pages(repository):
        for command in commands_of(page.read_text(encoding="utf-8")):
            if command in SUBCOMMANDS:
                continue  # only its name is told
            count += 1
            try:
                parse_command(shlex.split(command))
            except SystemExit as stop:
                if stop.code:
                    refused.append(f"{page.name}: {command}: {capsys.readouterr().err}")
    assert refused == []
    assert count > 60


def takes_seconds(words: list[str]) -> bool:
    """Does this command end soon where nobody types anything, and need nothing but the repository?"""
    quick = ("gtp", "play", "analysis", "config", "picture")
    if {"--browser", "strong"} & set(words):  # a strong network is not everywhere
        return False
    return (
        not words or words[0].startswith("--") or words[0] in quick or words[:2] == ["solve", "sgf/life_and_death/straight_three_edge.sgf"]
    )


def test_the_short_commands_of_the_documents_run(repository: Path, tmp_path: Path) -> None:
    """In a folder of its own; GTP sessions and games are ended at once."""
    (tmp_path / "sgf").symlink_to(repository / "sgf")
    (tmp_path / "docs").mkdir()
    found = {command for page in pages(repository) for command in commands_of(page.read_text(encoding="utf-8"))} - {*SUBCOMMANDS}
    short = [command for command in sorted(found) if takes_seconds(shlex.split(command))]
    environment = os.environ | {"PYTHONPATH": str(repository), "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    for command in short:
        words = [sys.executable, "-P", "-m", "gtp_engine", *shlex.split(command)]
        process = subprocess.run(words, input="quit\n", capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert process.returncode == 0, f"{command}: {process.stderr}"
    assert len(short) > 12 and (tmp_path / "docs" / "alphabeta.svg").exists()


# ---------------------------------------------------------------- the changelog


def test_the_changelog_has_this_version_and_the_time_of_its_first_start(repository: Path) -> None:
    """CI compares with the figures of `.ci/cold_compile.json`: they are those that the changelog tells."""
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert versions == sorted(versions, key=lambda version: [int(part) for part in version.split(".")], reverse=True)
    assert versions[0] == __version__ and "## [Unreleased]" in text
    told = re.search(r"first start compiles in ([\d.]+) s on two cores: ([\d.]+) times", text)
    assert told is not None
    figures = json.loads((repository / ".ci" / "cold_compile.json").read_text(encoding="utf-8"))
    assert (float(told[1]), float(told[2])) == (round(figures["cold_compile_s"], 1), figures["yardsticks"])
