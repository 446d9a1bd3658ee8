"""A whole game against GNU Go, both as processes that speak GTP: whatever one plays, the other accepts."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gtp_engine.go.points import BLACK, WHITE, opponent, to_color_name

pytestmark = pytest.mark.client
MOST_MOVES = 200  # more than any 9x9 game takes; the test must end


class Player:
    """A GTP engine in a process of its own."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=folder)

    def ask(self, line: str) -> str:
        """The text of a response, which must be a success."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n")
        rows = []
        while (row := self.process.stdout.readline()) not in ("\n", ""):
            rows.append(row.rstrip("\n"))
        response = "\n".join(rows)
        assert response.startswith("="), f"{line!r} -> {response!r}"
        return response[1:].strip()

    def close(self) -> int:
        """Let it quit; its exit status."""
        self.ask("quit")
        return self.process.wait(timeout=30)


@pytest.fixture
def players(repository: Path) -> Iterator[dict[int, Player]]:
    """We play black, GNU Go plays white."""
    gnugo = shutil.which("gnugo") or "/usr/games/gnugo"
    if not Path(gnugo).exists():
        pytest.fail("this test plays against GNU Go, which is not installed: `apt-get install gnugo`")
    ours = [sys.executable, "-m", "gtp_engine", "--playouts", "50", "--seed", "1", "--threads", "1", "--no-resign"]
    pair = {BLACK: Player(ours, repository), WHITE: Player([gnugo, "--mode", "gtp", "--level", "1", "--seed", "1"], repository)}
    yield pair
    for player in pair.values():
        if player.process.poll() is None:
            player.process.kill()
        player.process.wait()
        for stream in (player.process.stdin, player.process.stdout):
            if stream is not None:
                stream.close()


def play_game(players: dict[int, Player]) -> list[str]:
    """The moves of a whole game, each accepted by the other side, until two passes or a resignation."""
    color, moves = BLACK, [""]
    while moves[-2:] != ["pass", "pass"] and len(moves) <= MOST_MOVES:
        name = to_color_name(color)
        move = players[color].ask(f"genmove {name}").lower()
        moves.append(move)
        if move == "resign":
            break
        players[opponent(color)].ask(f"play {name} {move}")
        color = opponent(color)
    return moves[1:]


def test_a_whole_game_against_gnugo(players: dict[int, Player]) -> None:
    for player in players.values():
        for line in ("boardsize 9", "clear_board", "komi 7"):
            player.ask(line)
    moves = play_game(players)
    assert moves[-2:] == ["pass", "pass"] or moves[-1] == "resign", "the game did not end"
    assert len(moves) > 20
    for color in ("black", "white"):
        stones = [sorted(player.ask(f"list_stones {color}").upper().split()) for player in players.values()]
        assert stones[0] == stones[1], "the boards differ"
    for player in players.values():
        assert player.ask("final_score")[0] in "BW0"
    assert [player.close() for player in players.values()] == [0, 0]
