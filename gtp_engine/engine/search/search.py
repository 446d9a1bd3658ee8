"""Search: the tree between moves, and a run of simulations until the clock, the count or its caller ends it."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.search.arrays import Avoid, new_arrays, seed_workspaces, set_root
from gtp_engine.engine.search.compaction import keep_subtree
from gtp_engine.engine.search.evaluator import FIRST_CHUNK, LARGEST_CHUNK, Evaluator, PlayoutEvaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.puct import root_bonus, root_exploration
from gtp_engine.engine.search.result import Candidate, SearchResult, by_lower_bound, lower_bound
from gtp_engine.engine.search.room import Meeting, is_full, make_room
from gtp_engine.engine.search.tree import FORBIDDEN, ROOT, clear_tree
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, WHITE

CHUNK_SECONDS = 0.005  # a compiled call should take about this long; the clock and the interrupt are checked in between
LOOK_SECONDS = 0.02  # how often a timed search checks whether it is decided
VARIATION_VISITS = 2  # a principal variation ends at a node with fewer visits


@dataclass(frozen=True)
class Limits:
    """When a search ends: whichever comes first. At least one simulation is always run.

    With `seconds` the search ends early when nothing can change any more, and continues up to `most_seconds` while it is not clear which
    move is best.
    """

    simulations: int | None = None  # in the tree, including those kept from before
    seconds: float | None = None
    most_seconds: float | None = None  # not less than `seconds`, which it defaults to
    early_stop: bool = True  # False: `seconds` are always used up


@dataclass(frozen=True)
class Progress:
    """A caller's progress reports during a search."""

    report: Callable[[SearchResult], None]  # called in the thread that runs the search, which waits for it
    seconds: float  # between two reports
    first: float | None = None  # seconds until the first report, if different


class Run:
    """The state of one call of Search.run, shared by its threads."""

    def __init__(
        self, limits: Limits, started: float, counts: list[int], kept_visits: int, progress: Progress | None, cancelled: Event
    ) -> None:
        self.limits = limits
        self.progress = progress
        self.cancelled = cancelled
        self.next_report = started + (progress.first or progress.seconds) if progress else math.inf
        self.started = started
        self.counts = counts  # simulations of each thread so far
        self.meeting = Meeting(len(counts))
        self.is_over = False  # set by the first thread that finds a reason; the others stop after their chunk
        self.most_new = limits.simulations - kept_visits if limits.simulations is not None else None
        self.seconds = limits.seconds if limits.seconds is not None else math.inf
        self.deadline = started + max(self.seconds, limits.most_seconds or 0.0)

    def share_left(self) -> int:
        """The number of simulations that one thread may still run so that all together reach the limit; at least one."""
        if self.most_new is None:
            return LARGEST_CHUNK
        return max(-(-(self.most_new - sum(self.counts)) // len(self.counts)), 1)

    def is_count_reached(self) -> bool:
        """True if the limit of simulations is reached."""
        return self.most_new is not None and sum(self.counts) >= self.most_new


class Search:
    """A search whose tree is kept through a game. One run at a time."""

    def __init__(self, params: SearchParams, evaluator: Evaluator | None = None) -> None:
        """`evaluator`: judges the leaves, in place of the one in `params`; None: playouts."""
        self.params = params
        self._evaluator = evaluator or PlayoutEvaluator()
        self._threads = params.threads or processors()
        self._arrays = new_arrays(params, self._threads * self._evaluator.leaves, self._evaluator.memory)
        self._arrays.shared["by_policy"] = self._evaluator.by_policy
        self._arrays.shared["judges_ends"] = self._evaluator.judges_ends
        self._root: tuple[object, ...] = ()  # the tree's board, set-up and komi
        self._root_moves: list[tuple[int, int]] = []
        self._root_to_play = BLACK
        self._virtual_komi = 0.0
        self._is_root_shaped = False  # whether the root's priors have their temperature and noise
        self.seed(params.seed or time.time_ns() & 0x7FFFFFFF)

    def seed(self, seed: int) -> None:
        """Restart the random numbers from `seed` and forget the tree."""
        self.current_seed = seed
        self.random = np.random.default_rng(seed)  # for draws once a move
        seed_workspaces(self._arrays, seed)
        self.clear()

    def clear(self) -> None:
        """Forget the tree and the evaluations."""
        self.forget_tree()
        self._evaluator.forget()

    def forget_tree(self) -> None:
        """Forget the tree; the evaluator keeps its answers about positions."""
        self._root = ()

    def set_facts(self, record: np.ndarray, facts: np.ndarray) -> None:
        """Use these proved facts about fights from now on, see facts.py: `record` [1] READING and its table.

        The tree is forgotten. The evaluator keeps its answers: their keys include the proved fights of the leaf, so most of them stay
        valid.
        """
        self._arrays.shared["reading"], self._arrays.facts = record, facts
        self.forget_tree()

    def root_exploration(self) -> float:
        """c of PUCT at the root after a search by an evaluator with a policy, see puct.exploration_of. Meaningless with others."""
        return float(root_exploration(self._arrays.nodes, self._arrays.shared))

    def prepare(self, game: Game, color: int, komi: float, avoid: Avoid | None = None, virtual_komi: float = 0.0) -> int:
        """Set the root to the game's position with `color` to play and keep its subtree; returns the number of visits kept.

        `komi` is all that White gets, including handicap compensation. `avoid` has the moves that must not be searched. `virtual_komi` is
        added to the komi in this search only; the tree is kept when it changes.
        """
        root = (game.size, game.rules, tuple(game.setup_stones), komi, tuple(sorted((avoid or {}).items())))
        set_root(self._arrays, game, color, self.params, komi + virtual_komi, avoid or {})
        if self._evaluator.by_policy:
            self._arrays.shared["params"]["rave_visits"] = 0.0  # its children have no AMAF
            self._arrays.shared["params"]["score_weight"] = 0.0  # lead_weight has its part
        self._evaluator.prepare(self._arrays, game)
        self._is_root_shaped &= root == self._root and game.moves == self._root_moves and color == self._root_to_play
        if root != self._root or not self._follow(game.moves, color):
            clear_tree(self._arrays.nodes, self._arrays.shared, self._arrays.workspaces, game.moves[-1][1] if game.moves else NO_POINT)
        self._root, self._root_moves, self._root_to_play, self._virtual_komi = root, list(game.moves), color, virtual_komi
        return int(self._arrays.nodes[ROOT]["visits"])

    def _follow(self, moves: list[tuple[int, int]], color: int) -> bool:
        """Make the node after the moves since the last run the root; False if the tree doesn't have it with `color` to play."""
        played = len(self._root_moves)
        if moves[:played] != self._root_moves:
            return False
        node, to_play = ROOT, self._root_to_play
        for mover, point in moves[played:]:
            child = self._child_at(node, point) if mover == to_play else None
            if child is None:
                return False
            node, to_play = child, BLACK + WHITE - mover
        if to_play != color:
            return False
        if node != ROOT:
            keep_subtree(self._arrays.nodes, self._arrays.shared, self._arrays.workspaces, node, 0)
        return True

    def _children(self, index: int) -> np.ndarray:
        """The children's records; empty if there are none."""
        node = self._arrays.nodes[index]
        first = max(int(node["first_child"]), 0)
        return self._arrays.nodes[first : first + (int(node["child_count"]) if first else 0)]

    def _child_at(self, index: int, point: int) -> int | None:
        """Index of the child for this move."""
        places = np.flatnonzero(self._children(index)["move"] == point)
        return int(self._arrays.nodes[index]["first_child"]) + int(places[0]) if len(places) else None

    def tried_moves(self) -> dict[tuple[int, ...], list[int]]:
        """The tree: for each position, by the points that lead to it from the root, the points with visits. Positions without any are
        left out.
        """
        tried: dict[tuple[int, ...], list[int]] = {}
        waiting: list[tuple[int, tuple[int, ...]]] = [(ROOT, ())]
        while waiting:
            index, line = waiting.pop()
            children = self._children(index)
            places = np.flatnonzero((children["visits"] > 0) & (children["move"] != FORBIDDEN))
            if len(places):
                tried[line] = children["move"][places].tolist()
                first = int(self._arrays.nodes[index]["first_child"])
                waiting += [(first + int(place), (*line, move)) for place, move in zip(places, tried[line], strict=True)]
        return tried

    def run(self, limits: Limits, progress: Progress | None = None, cancelled: Event | None = None) -> SearchResult:
        """Search from the prepared root until a limit, reporting `progress`. At least one simulation is run.

        Setting `cancelled`, from any thread, ends the search after the current chunk.
        """
        started = time.monotonic()
        earlier = int(self._arrays.nodes[ROOT]["visits"])
        run = Run(limits, started, [0] * self._threads, earlier, progress, cancelled or Event())
        if self._evaluator.by_policy and not self._is_root_shaped:
            run.counts[0] += self._shape_root()
        helpers = [Thread(target=self._work, args=(thread, run)) for thread in range(1, self._threads)]
        for helper in helpers:
            helper.start()
        try:
            self._work(0, run)
        finally:
            run.is_over = True  # also after Ctrl-C: no thread may continue in the background
            for helper in helpers:
                helper.join()
        return self._result(sum(run.counts), time.monotonic() - started)

    def _shape_root(self) -> int:
        """Give the root's priors their temperature and noise, after expanding it if necessary; returns the simulations that this took."""
        temperature, part = self.params.root_temperature, self.params.root_noise
        self._is_root_shaped = True
        if temperature == 1.0 and not part:
            return 0
        done = 0 if len(self._children(ROOT)) else self._evaluator.simulate(self._arrays, 0, 1)
        priors = self._children(ROOT)["probability"]
        if len(priors) and temperature != 1.0:  # there are none if the pool is full
            flatter = (priors.astype(np.float64) / priors.max()) ** (1.0 / temperature)
            priors[:] = flatter / flatter.sum()
        if len(priors) and part:
            noise = self.random.dirichlet(np.full(len(priors), self.params.noise_total / len(priors)))
            priors[:] = (1.0 - part) * priors + part * noise
        return done

    def _work(self, thread: int, run: Run) -> None:
        """Run one thread's share, in chunks of about CHUNK_SECONDS. Thread 0 also checks the limits that depend on the root."""
        try:
            self._search_in_chunks(thread, run)
        finally:
            run.meeting.leave()

    def _search_in_chunks(self, thread: int, run: Run) -> None:
        """See _work."""
        chunk, first, largest = self._evaluator.first_chunk, self._evaluator.first_chunk, self._evaluator.largest_chunk
        next_look = run.started + LOOK_SECONDS
        while True:
            if is_full(self._arrays):
                run.meeting.meet(lambda: make_room(self._arrays))
            chunk = min(chunk, run.share_left())
            before = time.monotonic()
            run.counts[thread] += self._evaluator.simulate(self._arrays, thread, chunk)
            now = time.monotonic()
            chunk = next_chunk(chunk, now - before, run.deadline - now, first, largest)
            if thread == 0 and now >= next_look and run.limits.seconds is not None and run.limits.early_stop:
                next_look = now + LOOK_SECONDS
                run.is_over |= self._is_decided(run, now)
            if thread == 0 and run.progress is not None and now >= run.next_report:
                run.progress.report(self._result(sum(run.counts), now - run.started))
                run.next_report = now + run.progress.seconds
            if run.is_over or run.cancelled.is_set() or chunk == 0 or run.is_count_reached():
                break

    def _is_decided(self, run: Run, now: float) -> bool:
        """True if no other move can overtake the best one any more, or if the time is up and the best move is clear."""
        children = self._children(ROOT)
        if len(children) < 2:
            return len(children) == 1
        first, second = children[np.argsort(-children["visits"].astype(np.int64))[:2]]
        elapsed = now - run.started
        to_come = (sum(run.counts) / elapsed) * (run.deadline - now)
        if int(first["visits"]) - int(second["visits"]) > to_come:
            return True
        is_clear = first["wins"] * second["visits"] >= second["wins"] * first["visits"]
        return elapsed >= run.seconds and bool(is_clear)

    def _result(self, new_simulations: int, seconds: float) -> SearchResult:
        """The result at the root."""
        root = self._arrays.nodes[ROOT]
        to_play = int(self._arrays.shared[0]["root"]["to_play"])
        children = self._children(ROOT)
        children = children[children["move"] != FORBIDDEN]
        priors = prior_shares(children)
        tried = [(child, prior) for child, prior in zip(children, priors, strict=True) if child["visits"] > 0]
        candidates = [self._candidate(child, prior, to_play) for child, prior in tried]
        candidates.sort(key=lambda candidate: (-candidate.visits, -candidate.win_rate))
        if self._evaluator.by_policy:
            candidates = by_lower_bound(candidates, self._lead_bonus)
        visits = max(int(root["visits"]), 1)
        sign = 1 if to_play == BLACK else -1
        playouts = max(int(self._arrays.workspaces["tally"]["playouts"].sum()), 1)
        ownership = sign * self._arrays.workspaces["tally"]["ownership"].sum(axis=0) / playouts
        win_rate = 1.0 - float(root["wins"]) / visits
        score = sign * (float(root["score_sum"]) / visits + self._virtual_komi)
        unvisited = self._unvisited(children, priors, to_play)
        return SearchResult(candidates, visits, new_simulations, seconds, win_rate, score, ownership, unvisited)

    def _lead_bonus(self, candidate: Candidate) -> float:
        """What the lead of a move at the root adds to its value."""
        lead = candidate.score if self._root_to_play == BLACK else -candidate.score
        return float(root_bonus(self._arrays.nodes, self._arrays.shared, lead - self._virtual_komi))

    def _unvisited(self, children: np.ndarray, priors: np.ndarray, to_play: int) -> list[tuple[int, float]]:
        """SearchResult.unvisited."""
        avoided = self._arrays.shared[0]["avoid_until"][to_play]
        untried = (children["visits"] == 0) & (avoided[children["move"]] == 0)
        order = np.flatnonzero(untried)[np.argsort(-priors[untried], kind="stable")]
        return [(int(children["move"][i]), float(priors[i])) for i in order]

    def _candidate(self, child: np.void, prior: float, to_play: int) -> Candidate:
        """The candidate for one child of the root, from the side of the player to move."""
        visits = int(child["visits"])
        sign = 1 if to_play == BLACK else -1
        score = sign * (float(child["score_sum"]) / visits + self._virtual_komi)
        win_rate = float(child["wins"]) / visits
        moves, move_visits = self._variation(child)
        owned = self._ownership_after(int(child["move"]), sign)
        return Candidate(
            int(child["move"]), visits, win_rate, score, moves, move_visits, float(prior), lower_bound(win_rate, visits), owned
        )

    def _ownership_after(self, move: int, sign: int) -> np.ndarray | None:
        """[P] -1..1: ownership after this move at the root, by playouts; 1 is the player to move if `sign` is that player's."""
        owners = self._arrays.workspaces["move_owners"][:, move].sum(axis=0)
        return sign * owners / int(owners[NO_POINT]) if owners[NO_POINT] else None

    def _variation(self, node: np.void) -> tuple[list[int], list[int]]:
        """The most visited moves from `node` on, and their visits."""
        moves, visits = [int(node["move"])], [int(node["visits"])]
        while node["first_child"] > 0:
            children = self._arrays.nodes[node["first_child"] : node["first_child"] + node["child_count"]]
            node = children[np.argmax(np.where(children["move"] == FORBIDDEN, -1, children["visits"]))]
            if node["visits"] < VARIATION_VISITS or len(moves) >= 40:
                break
            moves.append(int(node["move"]))
            visits.append(int(node["visits"]))
        return moves, visits


def prior_shares(children: np.ndarray) -> np.ndarray:
    """Each child's probability. If the search has none, its share of all won prior visits, and without these an equal share."""
    wins = children["probability" if children["probability"].any() else "prior_wins"].astype(np.float64)
    total = wins.sum()
    return wins / total if total > 0.0 else np.full(len(children), 1.0 / max(len(children), 1))


def next_chunk(chunk: int, duration: float, time_left: float, first: int = FIRST_CHUNK, largest: int = LARGEST_CHUNK) -> int:
    """The number of simulations for the next call, given that the last `chunk` took `duration` seconds; 0 if there is no time for one.

    A chunk is at most twice as large as the last one or as `first`, and never larger than `largest`.
    """
    seconds = max(duration / chunk, 1e-9)  # for one simulation
    simulations = min(int(CHUNK_SECONDS / seconds) + 1, 2 * max(chunk, first), largest)
    return int(max(min(simulations, time_left / seconds), 0))
