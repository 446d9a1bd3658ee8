"""Twins of the sessions that bridges and GUIs have with an engine, line for line in their order, over the pipes of a real process."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared_hosts import end_hosts

from gtp_engine.cli.main import make_parser
from gtp_engine.tools.setup.client_lines import CLIENT_LINES

FAST = ["--playouts", "30", "--seed", "1", "--threads", "1", "--memory", "16"]
PATIENCE = 60.0  # seconds for whatever an engine with warm kernels does at once
VERTEX = re.compile(r"[A-HJ-T]\d{1,2}|pass")

# What gtp2ogs looks for on stderr, as gtp.md 3.3 has it.
PERCENT = r"\d+\.\d\d%"
OGS_VARIATION = rf"([A-Z]\d+|pass) -> +\d+ \(V: +{PERCENT}\) \(LCB: +{PERCENT}\) \(N: +{PERCENT}\) PV:( ([A-Z]\d+|pass))+"


class Bridge:
    """A client of a process; `line_end` is what it ends its lines with."""

    def __init__(self, repository: Path, *arguments: str, line_end: str = "\n") -> None:
        command = [sys.executable, "-m", "gtp_engine", *FAST, *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=repository, bufsize=0)
        self.line_end = line_end

    def write(self, *lines: str) -> None:
        """Send lines in one piece, without waiting for answers."""
        assert self.process.stdin
        self.process.stdin.write("".join(line + self.line_end for line in lines).encode())

    def read(self) -> str:
        """The next response without its closing blank line."""
        assert self.process.stdout
        lines: list[str] = []
        while lines[-1:] != ["\n"]:
            line = self.process.stdout.readline().decode()
            assert line, f"the engine ended after {lines}"
            lines.append(line)
        return "".join(lines[:-1]).rstrip("\n")

    def ask(self, line: str) -> str:
        """The text of the answer to one line, which must be a success."""
        self.write(line)
        response = self.read()
        assert response.startswith("="), f"{line} -> {response}"
        return response[1:].strip()

    def play_anywhere(self, color: str) -> None:
        """An opponent's move."""
        self.ask(f"play {color} {self.ask(f'all_legal {color}').split()[0]}")

    def quit(self) -> str:
        """End the session; what stood on stderr. The process must end by itself with status 0."""
        assert self.process.stdin
        self.write("quit")
        output, errors = self.process.communicate(timeout=PATIENCE)
        assert (output, self.process.returncode) == (b"= \n\n", 0)
        assert b"Traceback" not in errors
        return errors.decode()


@pytest.fixture
def bridges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Bridge]]:
    """The processes that a test starts, none of which may stay behind. Those with --shared find none of the user's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    started: list[Bridge] = []
    yield started
    for bridge in started:
        if bridge.process.poll() is None:
            bridge.process.kill()
        bridge.process.wait()
        for stream in (bridge.process.stdin, bridge.process.stdout, bridge.process.stderr):
            if stream is not None:
                stream.close()
    end_hosts(str(tmp_path))


def test_kgsgtp(bridges: list[Bridge], repository: Path) -> None:
    """Rules, clock and handicap before the game; time_left after each move; the end with dead stones and a dispute."""
    bridges.append(bridge := Bridge(repository))
    listed = bridge.ask("list_commands").split()
    assert {"kgs-rules", "kgs-time_settings", "kgs-genmove_cleanup", "place_free_handicap", "set_free_handicap"} <= set(listed)
    assert "kgs-chat" not in listed
    for line in ("name", "version", "kgs-rules chinese", "boardsize 9", "clear_board", "komi 0.5", "kgs-time_settings byoyomi 60 1 5"):
        bridge.ask(line)
    bridge.ask("set_free_handicap C3 G7")
    for number in range(4):
        assert VERTEX.fullmatch(bridge.ask("genmove w"))
        bridge.ask(f"time_left w {50 - number} 0")
        bridge.play_anywhere("b")
    bridge.ask("time_left w 1 4")
    bridge.ask("undo")
    bridge.ask("undo")
    for line in ("play w pass", "play b pass", "final_status_list dead"):
        bridge.ask(line)
    bridge.ask("undo")
    assert VERTEX.fullmatch(bridge.ask("kgs-genmove_cleanup w"))
    bridge.ask("kgs-game_over")
    bridge.quit()


def test_kgsgtp_in_a_disputed_ranked_game(bridges: list[Bridge], repository: Path) -> None:
    """The list of dead stones never fails; after a dispute they are taken off, one by one, until a pass says that none is left."""
    bridges.append(bridge := Bridge(repository))
    for line in ("kgs-rules chinese", "boardsize 9", "clear_board", "komi 7.5", "kgs-time_settings byoyomi 600 20 5"):
        bridge.ask(line)
    assert bridge.ask("final_status_list dead") == ""
    for row in range(1, 10):
        bridge.ask(f"play b C{row}")
        bridge.ask(f"play w G{row}")
    for line in ("play b J5", "play w pass", "play b pass"):
        bridge.ask(line)
    assert bridge.ask("final_status_list dead") == "J5"
    bridge.ask("undo")
    bridge.ask("undo")
    moves: list[str] = []
    while moves[-1:] != ["pass"]:
        moves.append(bridge.ask("kgs-genmove_cleanup w"))
        bridge.ask("play b pass")
    assert set(moves[:-1]) <= {"J4", "J6", "H5"} and len(moves) > 2
    assert bridge.ask("final_status_list dead") == ""
    bridge.ask("kgs-game_over")
    bridge.quit()


def test_kgsgtp_goes_on_with_a_game_that_was_interrupted(bridges: list[Bridge], repository: Path) -> None:
    """A new process gets the rules, the clock and all moves at once, in the middle of overtime."""
    bridges.append(first := Bridge(repository))
    moves = []
    first.ask("boardsize 9")
    for color in "wbwb":
        moves.append(f"play {color} {first.ask(f'genmove {color}')}")
    first.process.kill()
    bridges.append(second := Bridge(repository))
    for line in ("kgs-rules aga", "boardsize 9", "clear_board", "komi 0.5", "kgs-time_settings byoyomi 60 10 5", "set_free_handicap C3 G7"):
        second.ask(line)
    taken = {"C3", "G7"}
    second.write(*(line for line in moves if line.split()[-1] not in taken), "time_left w 7 2")
    assert {second.read() for line in moves if line.split()[-1] not in taken} | {second.read()} == {"= "}
    assert VERTEX.fullmatch(second.ask("genmove w"))
    second.quit()


def test_gtp2ogs(bridges: list[Bridge], repository: Path) -> None:
    """CRLF, clocks set anew before every move, negative main time, the variation on stderr."""
    client = next(line for line in CLIENT_LINES if line.client == "gtp2ogs")
    bridges.append(bridge := Bridge(repository, *client.arguments, line_end="\r\n"))
    assert "fischer-capped" in bridge.ask("kata-list_time_settings").split()
    for line in ("boardsize 9", "clear_board", "komi 5.5", "play black C3", "play black G7"):
        bridge.ask(line)
    for number, clock in enumerate(("kata-time_settings fischer-capped 60 2 120 -1", "time_settings -5 10 1", "time_settings 0 5 1")):
        for line in (clock, "time_left black 58 0", f"time_left white {3 - 2 * number} {number}"):
            bridge.ask(line)
        answer = bridge.ask("genmove white")
        assert VERTEX.fullmatch(answer), "every word would be taken for a move"
        bridge.play_anywhere("black")
    assert bridge.ask("final_score")
    errors = bridge.quit()
    assert re.search(OGS_VARIATION, errors)
    assert re.search(r"\d+ visits, \d+ nodes, \d+ playouts, \d+ n/s", errors)
    assert "KataGo" not in errors


def test_cgos(bridges: list[Bridge], repository: Path) -> None:
    """The clock comes before clear_board, moves to catch up come at once, and the answer is read up to the first blank line."""
    client = next(line for line in CLIENT_LINES if line.client == "CGOS")
    bridges.append(bridge := Bridge(repository, *client.arguments))
    listed = bridge.ask("list_commands").split()
    assert {"cgos-genmove_analyze", "time_settings", "time_left"} <= set(listed)
    for line in ("boardsize 9", "komi 7.0", "time_settings 60 0 0", "clear_board"):
        bridge.ask(line)
    bridge.write("play b e5", "play w c3", "play b g3")
    assert [bridge.read() for _ in range(3)] == ["= "] * 3
    bridge.ask("time_left w -1 0")
    text, move = bridge.ask("cgos-genmove_analyze w").split("\n")
    assert re.fullmatch(r"play ([A-HJ][1-9])", move)
    assert 0 <= json.loads(text)["winrate"] <= 1
    assert VERTEX.fullmatch(bridge.ask("genmove b"))
    bridge.quit()


def test_gogui(bridges: list[Bridge], repository: Path) -> None:
    """A position set up, a long line of moves, an interrupt while it thinks, and ids throughout."""
    bridges.append(bridge := Bridge(repository, "--live-graphics"))
    numbered = ["name", "protocol_version", "version", "list_commands", "gogui-interrupt", "gogui-analyze_commands"]
    bridge.write(*(f"{number} {line}" for number, line in enumerate(numbered)))
    assert [bridge.read().split(" ")[0] for _ in numbered] == [f"={number}" for number in range(len(numbered))]
    for line in ("boardsize 19", "clear_board", "komi 6.5", "time_settings 0 1 0", "gogui-setup b D4 b Q16 w Q4", "gogui-setup_player w"):
        bridge.ask(line)
    bridge.ask("gogui-play_sequence " + " ".join(f"{'wb'[row % 2]} K{row}" for row in range(1, 20)))
    bridge.ask("gg-undo 10")
    bridge.ask("gtp_engine-param playouts 0")
    bridge.ask("gtp_engine-param seconds 600")
    bridge.write("99 genmove b")
    time.sleep(0.3)
    bridge.write("# interrupt")
    started = time.monotonic()
    assert re.fullmatch(r"=99 [A-HJ-T]\d+", bridge.read())
    assert time.monotonic() - started < PATIENCE
    assert not bridge.ask("final_status_list dead").startswith("?")
    bridge.quit()


def test_twogtp(bridges: list[Bridge], repository: Path) -> None:
    """Two games in a row in one process; the result, and the time as a number."""
    bridges.append(bridge := Bridge(repository, "--no-resign"))
    for line in ("protocol_version", "name", "version", "list_commands"):
        bridge.ask(line)
    for _ in range(2):
        for line in ("boardsize 5", "clear_board", "komi 0.5", "time_settings 0 1 0"):
            bridge.ask(line)
        moves: list[str] = []
        while moves[-2:] != ["pass", "pass"] and len(moves) < 200:
            moves.append(bridge.ask(f"genmove {'bw'[len(moves) % 2]}"))
        assert moves[-2:] == ["pass", "pass"]
        assert re.fullmatch(r"[BW]\+\d+(\.\d+)?|0", bridge.ask("final_score"))
    assert float(bridge.ask("cputime")) > 0
    bridge.quit()


def test_analyses_stopped_as_fast_as_the_pipe_takes_them(bridges: list[Bridge], repository: Path) -> None:
    """Each line that follows stops the one before it; every answer comes once, in order."""
    bridges.append(bridge := Bridge(repository))
    bridge.ask("boardsize 9")
    bridge.ask("genmove b")  # the kernels are warm now
    bridge.ask("clear_board")
    lines = []
    for number in range(100):
        size = 5 + 4 * (number % 2)
        lines += ["kata-analyze b 1", "play b e5", "lz-analyze 1", "undo", f"boardsize {size}", "showboard", "kata-analyze 100"]
    numbered = [f"{number} {line}" for number, line in enumerate(lines)]
    bridge.write(*numbered, "")
    for number, line in enumerate(lines):
        assert bridge.read().startswith(f"={number} "), line
    bridge.quit()


def test_an_analysis_stops_when_the_input_ends_or_the_output_goes(bridges: list[Bridge], repository: Path) -> None:
    """A stdin that stops in the middle of a line, a stdout that is closed early: a clean end, never a hang."""
    for closes_output in (False, True):
        bridges.append(bridge := Bridge(repository))
        bridge.ask("boardsize 9")
        assert bridge.process.stdin and bridge.process.stdout
        bridge.write("kata-analyze b 1")
        assert bridge.process.stdout.readline() == b"= \n"
        assert bridge.process.stdout.readline().startswith(b"info ")
        if closes_output:
            bridge.process.stdout.close()
        else:
            bridge.process.stdin.write(b"kata-ana")
            bridge.process.stdin.close()
        assert bridge.process.wait(PATIENCE) == 0


# ---------------------------------------------------------------- the kits


@pytest.mark.parametrize("file", ["gtp2ogs.json5", "gtp2ogs-12k.json5"])
def test_every_command_of_the_kits_for_ogs_is_taken(file: str, repository: Path) -> None:
    commands = re.findall(r"command: (\[.*\])", (repository / "scripts" / "bridges" / file).read_text(encoding="utf-8"))
    assert commands
    for command in commands:
        path, *words = json.loads(command)
        assert path == "/path/to/gtp-engine"
        make_parser(["gtp"]).parse_args(words)


@pytest.mark.parametrize(("client", "file"), [("kgsGtp", "kgsgtp.properties"), ("gtp2ogs", "gtp2ogs.json5"), ("CGOS", "cgos.cfg")])
def test_the_kits_hold_the_clients_line(client: str, file: str, repository: Path) -> None:
    line = next(each for each in CLIENT_LINES if each.client == client)
    text = (repository / "scripts" / "bridges" / file).read_text(encoding="utf-8")
    assert line.text(["/path/to/gtp-engine"]) in text
    make_parser(["gtp"]).parse_args(["gtp", *line.arguments])
