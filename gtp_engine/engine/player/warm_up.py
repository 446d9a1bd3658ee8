"""The kernels of a player made ready: loaded from the cache, or compiled, once for all processes that start together.

Where there are two processors, two processes compile side by side, about as long as each other: this one what walks through the tree
for a network, a helper all the rest. Each step is reported on stderr when it is done, with what is left.
"""

import base64
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from gtp_engine.base.processors import processors
from gtp_engine.compiled import jit
from gtp_engine.engine.player.fights import questions
from gtp_engine.engine.player.reading import LEAST_NODES, Reader, ReadingLimits
from gtp_engine.engine.player.verdict import judge
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.evaluator import AnsweringEvaluator, Evaluator, PlayoutEvaluator
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import PLAYOUTS, SMALLEST_MEMORY, SearchParams, evaluators_for
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.engine.solver.question import load_rare_kernels
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, point_at
from gtp_engine.go.rules import Rules

SIZE = 5  # of the board; any size compiles the same kernels
SIMULATIONS = 10
DEFAULT_KOMI = 7.5  # any compiles the same kernels
RULES_STEP, PLAYOUTS_STEP, READING_STEP, COUNT_STEP = "rules", "search with playouts", "life and death", "count"
FEATURES_STEP, NETWORK_STEP = "what the network sees", "search with a network"
NETWORK_PART, READING_PART, LOOK_PART = "network", "reading", "look"  # the cache's marks; both evaluators with a network need the same
HELPER = "import sys; sys.path.append(sys.argv[1]); from gtp_engine.engine.player.compiling import help_compiling; help_compiling()"

COMPILES = "compiles"  # what the helper says of a kernel that is not in the cache

NewEvaluator = Callable[[str, SearchParams, int], Evaluator]  # as Evaluators.new


@dataclass(frozen=True)
class WarmUpPlan:
    """The kernels to prepare: those of a game with these settings."""

    params: SearchParams
    rules: Rules
    komi: float
    look: Callable[[], object] | None = None  # asks a network besides those of the evaluators


class CompileProgress:
    """Tells on stderr which of the steps are done, from the first kernel on that is not in the cache. May be used by several threads."""

    def __init__(self, steps: Sequence[str]) -> None:
        self._left = list(steps)
        self._count = len(steps)
        self._has_begun = False
        self._lock = threading.Lock()

    def begin(self) -> None:
        """A kernel must be compiled: say what is left to do, unless that was said before."""
        with self._lock:
            if not self._has_begun:
                self._has_begun = True
                tell(f"compiling, once for this version (half a minute to a minute): {', '.join(self._left)}")

    def done(self, step: str) -> None:
        """A step has ended; one that was done already, or isn't ours, is passed over."""
        with self._lock:
            if step in self._left:
                self._left.remove(step)
                left = f"left: {', '.join(self._left)}" if self._left else "ready"
                if self._has_begun:
                    tell(f"compiled: {step} ({self._count - len(self._left)} of {self._count}; {left})")


def tell(text: str) -> None:
    """A line of progress for the user."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


# ---------------------------------------------------------------- what is to be done


def warm_up(plan: WarmUpPlan, new: NewEvaluator) -> None:
    """Load every kernel that such a game needs, or compile it. `new` makes evaluators; one for playouts where a network can't be used."""
    evaluators = [new(kind, plan.params, SIZE) for kind in sorted(evaluators_for(plan.params.evaluator))]
    parts = {part_of(evaluator) for evaluator in evaluators}
    parts |= {READING_PART} if plan.params.reading_share > 0.0 else set()
    parts |= {LOOK_PART} if plan.look else set()
    progress = CompileProgress(steps_of(parts))
    with jit.when_compiling(progress.begin):
        if any(map(jit.cache_is_cold, parts)):
            with jit.compiling_alone(lambda: tell("another gtp_engine compiles the kernels: waiting for it")):
                if any(map(jit.cache_is_cold, parts)):
                    compile_all(plan, evaluators, parts, progress)
                    return
        run_steps(plan, evaluators, progress)


def part_of(evaluator: Evaluator) -> str:
    """The name of the evaluator's kernels in the cache's marks."""
    return NETWORK_PART if isinstance(evaluator, AnsweringEvaluator) else PLAYOUTS


def steps_of(parts: set[str]) -> list[str]:
    """The work to be done for these kernels, in words."""
    steps = [RULES_STEP]
    steps += [FEATURES_STEP] if parts & {NETWORK_PART, LOOK_PART} else []
    steps += [NETWORK_STEP] if NETWORK_PART in parts else []
    steps += [PLAYOUTS_STEP] if PLAYOUTS in parts else []
    steps += [READING_STEP] if READING_PART in parts else []
    return [*steps, COUNT_STEP]


def compile_all(plan: WarmUpPlan, evaluators: Sequence[Evaluator], parts: set[str], progress: CompileProgress) -> None:
    """Compile, in two processes if they can share the work, and mark the cache."""
    helper = start_helper(plan, progress) if NETWORK_PART in parts and processors() > 1 else None
    try:
        run_steps(plan, [after(evaluator, helper) for evaluator in evaluators], progress)
    finally:
        if helper:
            helper.end()
    for part in parts:
        jit.mark_cache_complete(part)


def after(evaluator: Evaluator, helper: "Helper | None") -> Evaluator:
    """The evaluator, which asks its network only when the helper has compiled what that sees."""
    return AnswersAfter(evaluator, helper.wait) if helper and isinstance(evaluator, AnsweringEvaluator) else evaluator


def run_steps(plan: WarmUpPlan, evaluators: Sequence[Evaluator], progress: CompileProgress) -> None:
    """Use every kernel once, those for a network first: a helper compiles the others meanwhile."""
    game = Game(SIZE, plan.rules)
    game.copy().set_up([(BLACK, 21)], WHITE)
    game.play(game.to_play, PASS)
    game.legal_points(game.to_play)  # so far what `play` needs: while the rest is compiled, clients send moves
    progress.done(RULES_STEP)
    if plan.look:
        plan.look()
        progress.done(FEATURES_STEP)
    for evaluator in sorted(evaluators, key=part_of):
        play_some(evaluator, game, plan.komi)
        if part_of(evaluator) == NETWORK_PART:
            progress.done(FEATURES_STEP)
        progress.done(NETWORK_STEP if part_of(evaluator) == NETWORK_PART else PLAYOUTS_STEP)
    if plan.params.reading_share > 0.0:
        use_reading()
        progress.done(READING_STEP)
    judge(game)
    progress.done(COUNT_STEP)


def use_reading() -> None:
    """Use the kernels of the solver, of what looks for fights, and of what tells a search of them."""
    reader, game = Reader(), closed_fight()
    for _ in range(2):  # the second time it looks whether what was proved still holds
        reader.read(game, ReadingLimits(nodes=LEAST_NODES))
    load_rare_kernels(game, next(iter(questions(game, []))).region)


def closed_fight() -> Game:
    """A small board with a three-point eye space in a corner, which the side to play first decides."""
    game = Game(SIZE)
    drawing = "...XO/XXXXO/OOOOO/O.O.O/OOOOO"  # from the top; White has two eyes
    colors = {"X": BLACK, "O": WHITE}
    rows = enumerate(drawing.split("/"))
    stones = [(colors[s], point_at(SIZE - above, left + 1)) for above, row in rows for left, s in enumerate(row) if s in colors]
    game.set_up(stones, WHITE)
    return game


def play_some(evaluator: Evaluator, game: Game, komi: float) -> None:
    """Two searched moves: the second keeps the tree of the first."""
    search = Search(SearchParams(memory=SMALLEST_MEMORY, threads=1, seed=1), evaluator)
    for _ in range(2):
        search.prepare(game, game.to_play, komi)
        game.play(game.to_play, search.run(Limits(simulations=SIMULATIONS)).best.point)


class AnswersAfter(AnsweringEvaluator):
    """Another evaluator's answers, as soon as `wait` has returned."""

    def __init__(self, other: AnsweringEvaluator, wait: Callable[[], None]) -> None:
        super().__init__()
        self._other, self._wait = other, wait
        self.leaves, self.memory = other.leaves, other.memory
        self.first_chunk, self.largest_chunk = other.first_chunk, other.largest_chunk

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        self._other.prepare(arrays, game)

    def answer(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        """See AnsweringEvaluator."""
        self._wait()
        self._other.answer(arrays, slots)


class AsksToo(PlayoutEvaluator):
    """Playouts that run another evaluator at their end, which compiles the encoding of a position, but not the walk for that evaluator."""

    def __init__(self, other: AnsweringEvaluator, when_played: Callable[[], None]) -> None:
        self._other, self._when_played = other, when_played

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        super().prepare(arrays, game)
        self._other.prepare(arrays, game)
        arrays.workspaces["leaf"] = leaf_of(game, game.to_play, 0.0)

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator."""
        done = super().simulate(arrays, thread, count)
        self._when_played()
        self._other.answer(arrays, (thread,))
        return done


# ---------------------------------------------------------------- the helper


class Helper:
    """A process that compiles into our cache. It ends with us, however we end; if it fails, we compile all by ourselves."""

    def __init__(self, plan: WarmUpPlan, progress: CompileProgress) -> None:
        command = [sys.executable, "-P", "-c", HELPER, str(Path(jit.__file__).parents[2])]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(jit.cache_folder())}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment, text=True)
        self._reader = threading.Thread(target=self._read, args=[progress], daemon=True)
        self._reader.start()
        assert self._process.stdin
        with suppress(OSError):  # it has failed already
            self._process.stdin.write(base64.b64encode(pickle.dumps((replace(plan, look=None), jit.source_digest()))).decode() + "\n")
            self._process.stdin.flush()

    def _read(self, progress: CompileProgress) -> None:
        """Report the steps that it names."""
        assert self._process.stdout
        for line in self._process.stdout:
            if line.strip() == COMPILES:
                progress.begin()
            else:
                progress.done(line.strip())

    def wait(self) -> None:
        """Return when it has ended and its last line was read."""
        self._reader.join()
        self._process.wait()

    def end(self) -> None:
        """End it at once."""
        self._process.kill()
        self.wait()
        with suppress(OSError):
            self._process.communicate()


def start_helper(plan: WarmUpPlan, progress: CompileProgress) -> Helper | None:
    """A started helper; None if the system has no memory or process for one."""
    try:
        return Helper(plan, progress)
    except OSError:
        return None
