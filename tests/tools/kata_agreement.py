"""Does the engine say of a position what KataGo says, with the same network? KataGo is called as a program of its own.

.venv/bin/python tests/tools/kata_agreement.py --katago PATH --network FILE [--positions 200] [--show] [OUR OPTIONS]

Games of moves that the network likes, random moves and passes on boards of several sizes, under several rules and komis; now and then
`kata-raw-nn 0` of both is compared. Prints the largest differences by board and by rules; --show draws the position with the largest one.
The column `others` has the network's other numbers: scores, errors, time left, no result.
What it doesn't know, `--precision int8` for example, it hands to our engine. Exit status 0 when the policy and the chance to win differ by
at most 1e-4, the lead by at most 0.01 and the others by at most 0.002.
"""

import argparse
import json
import random
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from gtp_process import GtpProcess, GtpProcessError

SIZES = (9, 9, 13, 19, 7, 11)
AREA = {"scoring": "AREA", "tax": "NONE", "hasButton": False, "whiteHandicapBonus": "0", "friendlyPassOk": True}
RULES = {  # in full: the programs do not mean the same ko by every name
    "tromp-taylor": AREA | {"ko": "POSITIONAL", "suicide": True, "friendlyPassOk": False},
    "positional": AREA | {"ko": "POSITIONAL", "suicide": False},
    "simple ko": AREA | {"ko": "SIMPLE", "suicide": False},
    "situational": AREA | {"ko": "SITUATIONAL", "suicide": True},
    "japanese": AREA | {"ko": "SIMPLE", "suicide": False, "scoring": "TERRITORY", "tax": "SEKI"},
}
KOMIS = (7.5, 6.5, 7.0, 0.5)
COLUMNS = "ABCDEFGHJKLMNOPQRST"
ASKED = {"policy": 1e-4, "win": 1e-4, "lead": 0.01, "owners": 6e-3, "others": 2e-3}  # owners: kept in hundredths; others: see `others`
OTHERS = ("noResult", "whiteScoreSelfplay", "whiteScoreSelfplaySq", "varTimeLeft", "shorttermWinlossError", "shorttermScoreError")
RANDOM_SHARE, PASS_SHARE = 0.25, 0.02  # of the moves
POSITIONS_A_GAME = 5
SETTINGS = """logToStderr = false
logSearchInfo = false
logAllGTPCommunication = false
numSearchThreads = 1
maxVisits = 1
nnRandomize = false
rules = tromp-taylor
"""


@dataclass
class Raw:
    """What one program's kata-raw-nn says."""

    policy: np.ndarray  # [S * S + 1], 0 where a move is illegal
    win: float  # White's, 0..1
    lead: float
    owners: np.ndarray  # [S * S]
    numbers: dict[str, str] = field(default_factory=dict)


@dataclass
class Position:
    """A position that was compared."""

    size: int
    rules: str
    komi: float
    moves: list[str]
    differences: dict[str, float]


def read_raw(text: str, size: int) -> Raw:
    """An answer of kata-raw-nn."""
    lines = text.splitlines()
    boards, numbers, k = {}, {}, 0
    while k < len(lines):
        words = lines[k].split()
        k += 1
        if len(words) == 1:
            boards[words[0]] = np.array(" ".join(lines[k : k + size]).split(), np.float64)
            k += size
        elif len(words) == 2:
            numbers[words[0]] = words[1]
    policy = np.nan_to_num(np.append(boards["policy"], float(numbers["policyPass"])))
    win = float(numbers["whiteWin"]) + 0.5 * float(numbers["noResult"])
    return Raw(policy, win, float(numbers["whiteLead"]), boards["whiteOwnership"], numbers)


def differences(ours: Raw, theirs: Raw) -> dict[str, float]:
    """The largest difference of each kind."""
    found = {"policy": np.abs(ours.policy - theirs.policy).max(), "owners": np.abs(ours.owners - theirs.owners).max()}
    found |= {"win": abs(ours.win - theirs.win), "lead": abs(ours.lead - theirs.lead), "others": others(ours, theirs)}
    found["other move"] = float(ours.policy.argmax() != theirs.policy.argmax())
    return {name: float(value) for name, value in found.items()}


def others(ours: Raw, theirs: Raw) -> float:
    """The largest difference of the numbers in OTHERS, relative to those above 1."""
    pairs = [(float(ours.numbers[name]), float(theirs.numbers[name])) for name in OTHERS]
    return max(abs(one - other) / max(1.0, abs(other)) for one, other in pairs)


def move_text(place: int, size: int) -> str:
    """A place of the policy as GTP has it."""
    if place == size * size:
        return "pass"
    return f"{COLUMNS[place % size]}{size - place // size}"


def choose(theirs: Raw, chance: random.Random) -> int:
    """The next move: one that the network likes, a random one, or a pass."""
    legal = [int(place) for place in np.flatnonzero(theirs.policy[:-1] > 0)]
    kind = chance.random()
    if not legal or kind < PASS_SHARE:
        return len(theirs.policy) - 1
    if kind < PASS_SHARE + RANDOM_SHARE:
        return chance.choice(legal)
    return chance.choices(range(len(theirs.policy)), weights=list(theirs.policy + 1e-9 * (theirs.policy > 0)))[0]


class Comparison:
    """Two programs that see the same games."""

    def __init__(self, ours: GtpProcess, theirs: GtpProcess, seed: int) -> None:
        self.ours, self.theirs, self.chance = ours, theirs, random.Random(seed)

    def both(self, line: str) -> None:
        """Tell both."""
        self.theirs.ask(line)
        self.ours.ask(line)

    def begin(self, size: int, rules: str, komi: float) -> None:
        """An empty board."""
        for line in (f"boardsize {size}", "clear_board", f"kata-set-rules {json.dumps(RULES[rules])}", f"komi {komi}"):
            self.both(line)

    def game(self, number: int) -> list[Position]:
        """Play one game and compare now and then."""
        size, rules, komi = SIZES[number % len(SIZES)], list(RULES)[number % len(RULES)], self.chance.choice(KOMIS)
        self.begin(size, rules, komi)
        length = int(size * size * self.chance.uniform(0.3, 1.6))
        compared = {self.chance.randrange(length) for _ in range(POSITIONS_A_GAME)} | {length - 1}
        moves: list[str] = []
        found = []
        for turn in range(length):
            theirs = read_raw(self.theirs.ask("kata-raw-nn 0"), size)
            if turn in compared or (moves and moves[-1] == "pass" and self.chance.random() < 0.3):
                ours = read_raw(self.ours.ask("kata-raw-nn 0"), size)
                found.append(Position(size, rules, komi, list(moves), differences(ours, theirs)))
            move = move_text(choose(theirs, self.chance), size)
            if moves[-1:] == ["pass"] and move == "pass":
                break
            self.both(f"play {'bw'[turn % 2]} {move}")
            moves.append(move)
        return found


def show(comparison: Comparison, position: Position) -> None:
    """Print a position and both answers."""
    comparison.begin(position.size, position.rules, position.komi)
    for turn, move in enumerate(position.moves):
        comparison.both(f"play {'bw'[turn % 2]} {move}")
    print(f"{position.rules}, komi {position.komi}, {position.differences}\nmoves: {' '.join(position.moves)}")
    print(comparison.theirs.ask("showboard"))
    for name, process in (("ours", comparison.ours), ("theirs", comparison.theirs)):
        raw = read_raw(process.ask("kata-raw-nn 0"), position.size)
        best = [(move_text(int(k), position.size), round(float(raw.policy[k]), 5)) for k in np.argsort(-raw.policy)[:5]]
        print(name, raw.win, raw.lead, best)


def report(positions: list[Position]) -> bool:
    """Print the table; is everything as asked?"""
    groups = {"all": positions}
    groups |= {f"{size}x{size}": [each for each in positions if each.size == size] for size in sorted(set(SIZES))}
    groups |= {rules: [each for each in positions if each.rules == rules] for rules in RULES}
    print(f"{'':14}{'positions':>10}" + "".join(f"{name:>10}" for name in ASKED) + f"{'too far':>10}")
    for name, group in groups.items():
        if group:
            most = {kind: max(each.differences[kind] for each in group) for kind in ASKED}
            far = sum(is_far(each) for each in group)
            print(f"{name:14}{len(group):10}" + "".join(f"{most[kind]:10.1e}" for kind in ASKED) + f"{far:10}")
    means = {kind: np.mean([each.differences[kind] for each in positions]) for kind in (*ASKED, "other move")}
    print("on average: " + ", ".join(f"{kind} {value:.2g}" for kind, value in means.items()))
    return not any(is_far(each) for each in positions)


def is_far(position: Position) -> bool:
    """Do the two say different things?"""
    return any(position.differences[kind] > limit for kind, limit in ASKED.items())


def main() -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--katago", required=True, help="KataGo's program")
    parser.add_argument("--network", required=True, help="a network file of KataGo's")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="draw the position with the largest difference")
    given, options = parser.parse_known_args()
    ours = [sys.executable, "-P", "-m", "gtp_engine", "--network", given.network, "--threads", "1", *options]
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "settings.cfg"
        settings.write_text(SETTINGS + f"logFile = {folder}/log\n")
        theirs = [given.katago, "gtp", "-config", str(settings), "-model", given.network]
        with GtpProcess(ours) as one, GtpProcess(theirs) as other:
            comparison = Comparison(one, other, given.seed)
            positions: list[Position] = []
            number = 0
            while len(positions) < given.positions:
                positions += comparison.game(number)
                number += 1
            is_good = report(positions[: given.positions])
            far = max(positions, key=lambda each: max(each.differences[kind] / limit for kind, limit in ASKED.items()))
            if given.show:
                show(comparison, far)
    return 0 if is_good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except GtpProcessError as error:
        sys.exit(f"kata_agreement: {error}")
