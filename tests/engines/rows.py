"""A GTP engine that needs no board: Black fills the lower third from A1, White the upper third from its left end, then both pass.

rows.py [SCORE] [FAULT NUMBER] [MARK]: SCORE is its answer to final_score (default B+1); from its genmove number NUMBER on it shows
FAULT, a function below; MARK is only there to be found in the list of processes.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

LETTERS = "ABCDEFGHJKLMNOPQRST"
COMMANDS = (
    "boardsize clear_board final_score genmove komi list_commands name play quit reg_genmove "
    "set_random_seed time_left time_settings version"
)
FOREVER = 600.0  # seconds: longer than any test
LATE = 3.0  # seconds
started: list[bool] = []  # not empty: this process has chosen a move


def main() -> None:
    """Answer until `quit` or the end of the input."""
    score = sys.argv[1] if len(sys.argv) > 1 else "B+1"
    fault, first = (FAULTS[sys.argv[2]], int(sys.argv[3])) if len(sys.argv) > 3 and sys.argv[2] else (None, 0)
    size, asked = 9, 0
    moves: dict[str, Iterator[str]] = {}
    taken: set[str] = set()  # by openings
    for line in sys.stdin:
        words = line.split()
        answer = "= "
        if words[0] == "boardsize":
            size = int(words[1])
        elif words[0] == "clear_board":
            moves, taken = {color: points(size, color) for color in "bw"}, set()
        elif words[0] == "play":
            taken.add(words[2].upper())
        elif words[0] == "genmove":
            asked += 1
            answer += next((vertex for vertex in moves[words[1][0]] if vertex not in taken), "pass")
            print(f"move {asked}", file=sys.stderr, flush=True)
            if fault is not None and asked >= first:
                answer = fault(answer)
        elif words[0] == "reg_genmove":
            answer = slow_start("= A1") if fault is slow_start else "= A1"
        elif words[0] not in COMMANDS.split():
            answer = "? unknown command"
        else:
            answer += {"final_score": score, "name": "rows", "version": "1", "list_commands": COMMANDS.replace(" ", "\n")}.get(words[0], "")
        print(answer, end="\n\n", flush=True)
        if words[0] == "quit":
            return


def points(size: int, color: str) -> Iterator[str]:
    """A third of the board."""
    third = range(1, size // 3 + 1)
    for row in third if color == "b" else (size + 1 - row for row in third):
        for column in range(size):
            yield f"{LETTERS[column]}{row}"


def die(answer: str) -> str:
    print("something broke", file=sys.stderr, flush=True)
    sys.exit(3)


def hang(answer: str) -> str:
    time.sleep(FOREVER)
    return answer


def late(answer: str) -> str:
    time.sleep(LATE)
    return answer


def slow_start(answer: str) -> str:
    """Only the first move of a process takes long, as if it compiled."""
    if not started:
        started.append(True)
        time.sleep(LATE)
    return answer


def nonsense(answer: str) -> str:
    return "= banana"


def garbage(answer: str) -> str:
    print("I am no GTP engine", flush=True)
    time.sleep(FOREVER)
    return answer


def endless(answer: str) -> str:
    """An answer that never ends."""
    while True:
        print("= " + 1000 * "x", flush=True)


def refuse(answer: str) -> str:
    return "? I don't want to"


def illegal(answer: str) -> str:
    """A point of its own that is taken already."""
    return "= A1"


def flood(answer: str) -> str:
    """A lot on stderr, again and again."""
    for _ in range(40):
        print(100_000 * "x", file=sys.stderr)
    return answer


def orphans(answer: str) -> str:
    """Children in its own session and out of it, which keep its pipes open; then it dies."""
    for own_session in (False, True):
        subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})", *sys.argv[4:]], start_new_session=own_session)
    os._exit(1)


def stray(answer: str) -> str:
    """Lines between the responses, which a client has to live with."""
    return f"thinking\n\n{answer}\n\nthat was easy"


def resign(answer: str) -> str:
    return "= resign"


FAULTS: dict[str, Callable[[str], str]] = {
    each.__name__: each
    for each in (die, hang, late, slow_start, nonsense, garbage, endless, refuse, illegal, flood, orphans, stray, resign)
}

if __name__ == "__main__":
    main()
