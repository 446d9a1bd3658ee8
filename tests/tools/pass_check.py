"""Finished games of ours against GNU Go: do both count the same, and did a pass of ours give a point away?

gtp-engine match "gtp-engine --no-resign --playouts 30" "gnugo --mode gtp --level 1 --never-resign" --names ours,gnugo --output games/9
.venv/bin/python tests/tools/pass_check.py games/9 --output passes.jsonl

Every record below the folders that ended with two passes is checked, once: what is in the output already is only summed up.

- Counts: our verdict's dead stones, and GNU Go's. Where they differ, both programs play the game on until all dead stones are captured. If
  they agree on what became of the stones in question, that decides who is right. No dead stones are named under rules that take every
  stone as alive.
- Passes: another move in place of a pass of --player is tried: the first three that our search thinks of under a komi that makes the count
  even, and GNU Go's own. GNU Go plays on from there for both sides, and from the pass. Where the game ends better than with the pass, our
  search plays on for both sides, too, under a komi that makes the gain decide the game. If it comes to the gain with the other move, and
  not with the pass, then the pass gave points away; else it is disputed. The lines are kept.

With --anew N our engine as it is now decides with N playouts, where the record has a pass of --player. If it passes again, that pass is
looked at. If it plays a move, this is compared with the pass in the same way: does it cost points?

Limits: a judge is as strong as its play. A gain that GNU Go does not make of a move, and a move that neither thinks of, stay hidden.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from gtp_process import GtpProcess, GtpProcessError

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.count import count, find_seki
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, from_vertex, opponent, to_color_name, to_vertex
from gtp_engine.go.rules import CGOS, CHINESE, Rules, Scoring
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.records import find_files, read_record, read_sources

MOST_MOVES = 1.0  # moves of a line that GNU Go plays, for each point of the board
MOST_OF_OURS = 60  # moves of a line of ours: when all is decided, a search plays on without end
OTHERS = 3  # moves of our search that are tried in place of a pass
RIGHT, WRONG, OPEN = "ours is right", "GNU Go is right", "not decided"
GIVEN, DISPUTED, COSTS = "gives points away", "disputed", "a move instead that costs points"


@dataclass(frozen=True)
class Line:
    """How a game was played on."""

    lead: float  # of the player whose pass is looked at, without komi
    moves: str


@dataclass(frozen=True)
class PassFound:
    """A pass instead of which another move seems to be worth more."""

    number: int  # of the move, the first is 1
    verdict: str  # GIVEN, DISPUTED or COSTS
    points: float  # by how much GNU Go gets further with the other move, below 0 where the pass is better
    lines: list[str]  # GNU Go's with the other move and with the pass, ours with both


@dataclass(frozen=True)
class Checked:
    """What was found in a game."""

    record: str
    rules: str
    size: int
    passes: int  # of the player
    lead: float  # Black's, as we count
    gnugo_lead: float
    moves: int = 0  # that are played anew in place of a pass of the player
    who: str = ""  # RIGHT, WRONG or OPEN where the dead stones differ
    found: list[PassFound] = field(default_factory=list)


class GnuGo:
    """GNU Go as a judge, one process for each way of counting."""

    def __init__(self, command: str, level: int) -> None:
        self.command = [*command.split(), "--mode", "gtp", "--never-resign", "--seed", "1", "--level", str(level)]
        self.processes: dict[str, GtpProcess] = {}

    def at(self, game: Game) -> GtpProcess:
        """The process for the game's rules, with the game on its board."""
        kind = "--japanese-rules" if game.rules.scoring is Scoring.TERRITORY else "--chinese-rules"
        words = [kind, "--capture-all-dead"] if game.rules.all_alive else [kind]
        key = " ".join(words)
        if key not in self.processes:
            self.processes[key] = GtpProcess([*self.command, *words])
        process = self.processes[key]
        for line in (f"boardsize {game.size}", "clear_board", "komi 0"):
            process.ask(line)
        for color, point in game.moves:
            process.ask(f"play {to_color_name(color)} {to_vertex(point)}")
        return process

    def dead(self, game: Game) -> set[int]:
        """The stones that it calls dead; none where the rules take every stone as alive."""
        if game.rules.all_alive:
            return set()
        return {from_vertex(vertex, game.size) for vertex in self.at(game).ask("final_status_list dead").split()}

    def play_on(self, game: Game) -> Game:
        """The game played to its end for both sides. A move that our rules forbid becomes a pass."""
        process, game = self.at(game), game.copy()
        most = len(game.moves) + MOST_MOVES * game.size * game.size
        passes = 0  # since now: two passes before don't end it
        while passes < 2 and len(game.moves) < most:
            color = game.to_play
            point = from_vertex(process.ask(f"genmove {to_color_name(color)}"), game.size)
            if not game.is_legal(color, point):
                process.ask("undo")
                process.ask(f"play {to_color_name(color)} pass")
                point = PASS
            game.play(color, point)
            passes = passes + 1 if point == PASS else 0
        return game

    def close(self) -> None:
        """End the processes."""
        for process in self.processes.values():
            process.close()


class Judge:
    """Our search as a judge, at full strength and by visits alone."""

    def __init__(self, visits: int) -> None:
        self.engine = Engine(SearchParams(threads=1, seed=1, playouts=visits, resign=False))
        self.limits = Limits(visits, early_stop=False)

    def count(self, game: Game) -> tuple[set[int], float]:
        """The dead stones, and Black's lead without komi."""
        self.engine.state.set_rules(game.rules)
        self.engine.state.set_game(game.copy())
        verdict = self.engine.verdict()
        return verdict.dead, verdict.count.score

    def moves(self, game: Game, komi: float) -> list[int]:
        """What it thinks of in place of a pass, the most visited first."""
        color = game.to_play
        self.engine.state.set_rules(game.rules)
        self.engine.state.komi = komi
        self.engine.state.set_game(game.copy())
        self.engine.clear_search()
        found = self.engine.examine(color, self.limits, {(color, PASS): 1}).candidates
        return [each.point for each in sorted(found, key=lambda each: -each.visits)]

    def play_on(self, game: Game, komi: float) -> Game:
        """Played to the end by search alone."""
        engine, game = self.engine, game.copy()
        engine.state.set_rules(game.rules)
        engine.state.komi = komi
        engine.clear_search()
        passes, most = 0, len(game.moves) + MOST_OF_OURS
        while passes < 2 and len(game.moves) < most:
            color = game.to_play
            engine.state.set_game(game)
            found = engine.examine(color, self.limits).candidates
            game.play(color, next((each.point for each in found if game.is_legal(color, each.point)), PASS))
            passes = passes + 1 if game.moves[-1][1] == PASS else 0
        return game

    def decide(self, game: Game, komi: float) -> int:
        """What the engine plays, as in a game."""
        engine = self.engine
        engine.state.set_rules(game.rules)
        engine.state.komi = komi
        engine.state.set_game(game.copy())
        return engine.genmove(game.to_play)

    def capture_on(self, game: Game) -> Game:
        """Played by genmove until both pass; game.rules must take every stone as alive."""
        engine, game = self.engine, game.copy()
        engine.state.set_rules(game.rules)
        passes, most = 0, len(game.moves) + MOST_MOVES * game.size * game.size
        while passes < 2 and len(game.moves) < most:
            engine.state.set_game(game)
            point = engine.genmove(game.to_play)
            passes = passes + 1 if point == PASS else 0
        return game


class Checker:
    """Both judges."""

    def __init__(self, gnugo: GnuGo, visits: int, player: str, anew: int) -> None:
        self.gnugo, self.judge, self.player = gnugo, Judge(visits), player
        self.again = Judge(anew) if anew else None

    def check(self, path: Path) -> Checked | None:
        """Look at a record; None for one that didn't end with two passes, or that the player has no part in."""
        record = read_record(read_sources(path)[0], CHINESE, DEFAULT_KOMI)
        game = record.position(len(record.moves) + 1)
        colors = [color for color, name in record.players.items() if name == self.player]
        if game.passes() < 2 or not colors:
            return None
        dead, lead = self.judge.count(game)
        theirs = self.gnugo.dead(game)
        gnugo_lead = count(game, theirs, find_seki(game, theirs)).score
        who = self.who_is_right(game, dead, theirs) if gnugo_lead != lead else ""
        numbers = [number for number, move in enumerate(game.moves, 1) if move == (colors[0], PASS)]
        final = gnugo_lead if who == WRONG else lead
        instead = {number: self.again.decide(earlier(game, number - 1), record.komi) if self.again else PASS for number in numbers}
        found = [found for number in numbers if (found := self.look_at(game, number, final, instead[number])) is not None]
        moves = sum(point != PASS for point in instead.values())
        return Checked(str(path), game.rules.name, game.size, len(numbers) - moves, lead, gnugo_lead, moves, who, found)

    def who_is_right(self, game: Game, ours: set[int], theirs: set[int]) -> str:
        """Both programs capture what is dead; do the stones in question fall?"""
        start = with_rules(game, CGOS)
        ends = [self.gnugo.play_on(start), self.judge.capture_on(start)]
        owners = [count(end, (), ()).owners for end in ends]
        told = set()
        for point in ours ^ theirs:
            fallen = [owner[point] == opponent(game.color_at(point)) for owner in owners]
            told.add(OPEN if fallen[0] != fallen[1] else RIGHT if fallen[0] == (point in ours) else WRONG)
        return told.pop() if len(told) == 1 else OPEN

    def look_at(self, game: Game, number: int, final: float, instead: int) -> PassFound | None:
        """Is another move worth more than the pass with this number, or a move that was played anew instead of it worth less?

        The game ended with `final`, Black's lead.
        """
        before, after, color = earlier(game, number - 1), earlier(game, number), game.moves[number - 1][0]
        answer = self.counted(self.gnugo.play_on(after), color, number - 1)
        others = {point: played(before, point) for point in ([instead] if instead != PASS else self.others(before, final))}
        lines = {point: self.counted(self.gnugo.play_on(other), color, number - 1) for point, other in others.items()}
        best = max(lines, key=lambda point: lines[point].lead, default=PASS)
        gain = lines[best].lead - answer.lead if lines else 0.0
        if (gain <= 0.0) if instead == PASS else (gain >= 0.0):
            return None
        wanted = max(lines[best].lead, answer.lead)
        told = [self.line(others[best], color, wanted, number - 1), self.line(after, color, wanted, number - 1)]
        better, worse = told if instead == PASS else told[::-1]
        verdict = (GIVEN if instead == PASS else COSTS) if better.lead > min(lines[best].lead, answer.lead) >= worse.lead else DISPUTED
        return PassFound(number, verdict, gain, [line.moves for line in (lines[best], answer, *told)])

    def others(self, game: Game, final: float) -> list[int]:
        """What could be played in place of a pass."""
        color = game.to_play
        thought_of = self.judge.moves(game, final)
        process = self.gnugo.at(game)
        points = [*thought_of[:OTHERS], from_vertex(process.ask(f"reg_genmove {to_color_name(color)}"), game.size)]
        return [point for point in dict.fromkeys(points) if point != PASS and game.is_legal(color, point)]

    def line(self, game: Game, color: int, wanted: float, since: int) -> Line:
        """Our search plays on; `color` wins with a lead of `wanted`."""
        komi = (wanted - 0.5) * (1.0 if color == BLACK else -1.0)
        return self.counted(self.judge.play_on(game, komi), color, since)

    def counted(self, end: Game, color: int, since: int) -> Line:
        """The lead of `color` at the end of a line, by the dead stones of the judge who is worse for it."""
        theirs = self.gnugo.dead(end)
        sign = 1.0 if color == BLACK else -1.0
        leads = [sign * self.judge.count(end)[1], sign * count(end, theirs, find_seki(end, theirs)).score]
        return Line(min(leads), " ".join(to_vertex(point) for _, point in end.moves[since:]))


def earlier(game: Game, moves: int) -> Game:
    """The game after so many moves."""
    game = game.copy()
    while len(game.moves) > moves:
        game.undo()
    return game


def played(game: Game, point: int) -> Game:
    """The game with a move more."""
    game = game.copy()
    game.play(game.to_play, point)
    return game


def with_rules(game: Game, rules: Rules) -> Game:
    """The same game by other rules."""
    game = game.copy()
    game.rules = rules
    return game


def main() -> None:
    """Check what is new, print all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path, help="SGF files, or folders with them")
    parser.add_argument("--player", default="ours", help="our name in the records (default: %(default)s)")
    parser.add_argument("--gnugo", default="/usr/games/gnugo", metavar="COMMAND", help="(default: %(default)s)")
    parser.add_argument("--level", type=int, default=10, help="of GNU Go as a judge (default: %(default)s)")
    parser.add_argument("--visits", type=int, default=200, help="of our search as a judge (default: %(default)s)")
    parser.add_argument("--anew", type=int, default=0, metavar="PLAYOUTS", help="let our engine decide again where the record has a pass")
    parser.add_argument(
        "--output", type=Path, required=True, help="a file of JSON, a line for each game that was checked; it is gone on with"
    )
    args = parser.parse_args()
    known = {checked.record: checked for checked in read_output(args.output)}
    gnugo = GnuGo(args.gnugo, args.level)
    checker = Checker(gnugo, args.visits, args.player, args.anew)
    for path in find_files(args.records):
        if str(path) in known:
            continue
        try:
            checked = checker.check(path)
        except GtpProcessError as error:
            print(f"{path}: GNU Go failed: {error}", flush=True)
            gnugo.close()
            gnugo.processes.clear()
            continue
        if checked is not None:
            known[str(path)] = checked
            with args.output.open("a") as file:
                file.write(json.dumps(asdict(checked)) + "\n")
            print(told(checked), end="", flush=True)
    gnugo.close()
    print(summary(list(known.values())))


def read_output(path: Path) -> Iterator[Checked]:
    """What was checked before."""
    for line in path.read_text().splitlines() if path.exists() else []:
        fields = json.loads(line)
        yield replace(Checked(**fields), found=[PassFound(**each) for each in fields["found"]])


def told(checked: Checked) -> str:
    """What is wrong with a game, a line for each thing."""
    lines = []
    if checked.who:
        lines.append(
            f"{checked.record}: {checked.rules}: we count {checked.lead:+g} for Black, GNU Go {checked.gnugo_lead:+g}: {checked.who}"
        )
    for each in checked.found:
        where = f"{checked.record}: {checked.rules}: move {each.number}, a pass"
        lines.append(f"{where}, {each.verdict}, {each.points:g} by GNU Go: {'; '.join(each.lines)}")
    return "".join(f"{line}\n" for line in lines)


def summary(checked: list[Checked]) -> str:
    """The figures, for each rule set and size, and in all."""
    groups: dict[str, list[Checked]] = {f"{each.rules} {each.size}x{each.size}": [] for each in checked} | {"all": checked}
    for each in checked:
        groups[f"{each.rules} {each.size}x{each.size}"].append(each)
    lines = []
    for name, games in groups.items():
        who = Counter(each.who for each in games if each.who)
        verdicts = Counter(found.verdict for each in games for found in each.found)
        differ = ", ".join(f"{number} {word}" for word, number in who.items()) or "none"
        lines.append(
            f"{name}: {len(games)} games, counts differ in {who.total()} ({differ}); "
            f"{sum(each.passes for each in games)} passes, {verdicts[GIVEN]} give points away, {verdicts[DISPUTED]} disputed"
            + (f"; {moves} moves instead, {verdicts[COSTS]} cost points" if (moves := sum(each.moves for each in games)) else "")
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
