"""Expert iteration: games, a network that learns from them, a match against the previous one; then the next generation.

In the folder: `generation-001/` and so on, each with `games.npz` (and `games.jobs`, from which an interrupted generation goes on),
`training/` (see learning/training/katago/run.py), `network-int8.kata.onnx` and `gate/` (a match, see docs/match.md); with several boards, a
folder like `13x13/` for the games on each of the others. `log.jsonl` has a line for each finished generation; `selfplay.md` and
`selfplay.svg` are reports. Finished steps are never repeated.
"""

import json
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gtp_engine.base.files import write_file
from gtp_engine.base.jobs.place import JobPlace
from gtp_engine.base.jobs.run import Watch
from gtp_engine.base.progress import ProgressLine
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.selfplay.files import Arrays, read_games
from gtp_engine.learning.selfplay.gate import Candidates, GatePlan, play_gate
from gtp_engine.learning.selfplay.generation import GAMES, GenerationPlan, board_folder, board_name, digest, play_generation
from gtp_engine.learning.selfplay.learn import LearningPlan, learn, window_of
from gtp_engine.learning.selfplay.reanalysis import reanalyze
from gtp_engine.learning.selfplay.report import write_report
from gtp_engine.learning.training.katago.run import NETWORK
from gtp_engine.learning.training.katago.source import LabelSource

LOG = "log.jsonl"
PLAYS, TRAINING, GATE = "network-int8.kata.onnx", "training", "gate"  # in a generation's folder
ENOUGH = 0.5  # score in its gate from which a network that wasn't accepted is trained further


@dataclass(frozen=True)
class LoopPlan:
    """A whole run."""

    boards: tuple[GenerationPlan, ...]  # the games of generation 1 on each board; later ones are like these. Gates are played on the first
    start: Path  # the network to train from, in float32: the same as that of the games
    generations: int
    sources: tuple[LabelSource, ...]  # in addition to the games
    learning: LearningPlan
    gate: GatePlan
    reanalyzed: float = 0.0  # share of the window's older games whose positions are searched again


@dataclass(frozen=True)
class Window:
    """The games on one board to learn from."""

    games: list[Arrays]  # the newest last
    again: dict[str, int]  # the results of reanalysis, for the log


class Loop:
    """One run."""

    def __init__(self, plan: LoopPlan, folder: Path, place: JobPlace, progress: ProgressLine) -> None:
        """Raises SelfplayError if the folder has a run that began with another network, or a damaged log."""
        self.plan, self.folder, self.place, self.progress = plan, folder, place, progress
        self.lines = read_log(folder / LOG)
        if self.lines and self.lines[0]["network"] != digest(plan.boards[0].network):
            raise SelfplayError(
                f"{folder} holds a run that began with another network than {plan.boards[0].network}; choose another folder"
            )

    def run(self) -> None:
        """Run the missing generations.

        Raises SelfplayError, StoreError, PlaceError, TrainingError, TournamentError, OSError; KeyboardInterrupt after Ctrl-C.
        """
        for number in range(len(self.lines) + 1, self.plan.generations + 1):
            self._generation(number)

    def _generation(self, number: int) -> None:
        """Run one generation, and write its line in the log."""
        folder = self._folder(number)
        plays, start = self._standing()
        plans = [replace(plan, number=number, network=self._network(plays)) for plan in self.plan.boards]
        figures = [self._play(plan) for plan in plans]
        windows = [self._window(plan) for plan in plans]
        games = [window.games for window in windows]
        learning = replace(self.plan.learning, seed=self.plan.learning.seed + number)
        learned = learn(games, self.plan.sources, self._trained(start), folder / TRAINING, learning, self.progress, folder / PLAYS)
        first = plans[0]
        candidates = Candidates(folder / PLAYS, first.network, number)
        gate = play_gate(candidates, self.plan.gate, first.params, first.seed, folder / GATE, self.place, self.progress)
        self.progress.note(gate_sentence(number, gate))
        line = {"generation": number, "network": digest(first.network), "played_by": plays, "trained_from": start, **figures[0], **learned}
        results = [figure | window.again for figure, window in zip(figures, windows, strict=True)]
        boards = {board_name(plan.params): figure for plan, figure in zip(plans[1:], results[1:], strict=True)}
        self._log(line | {"window": window_of(number), **windows[0].again, "boards": boards, "gate": gate})

    def _play(self, plan: GenerationPlan) -> dict[str, Any]:
        """Play the games on one board; returns their figures."""
        title = self._title(plan)
        figures = play_generation(plan, self._board_folder(plan.number, plan), self.place, self._watch(title))
        self.progress.note(games_sentence(title, figures))
        return figures

    def _window(self, plan: GenerationPlan) -> Window:
        """The games on one board to learn from."""
        number = plan.number
        window = range(number - window_of(number) + 1, number)
        old = {
            generation: read_games(self._board_folder(generation, plan) / GAMES)
            for generation in window
            if self._was_played(generation, plan)
        }
        newest = read_games(self._board_folder(number, plan) / GAMES)
        if not old or not self.plan.reanalyzed:
            return Window([*old.values(), newest], {})
        watch = self._watch(f"{self._title(plan)}, searched again")
        searched_again = reanalyze(old, self.plan.reanalyzed, plan, self._board_folder(number, plan), self.place, watch)
        if searched_again.positions:
            self.progress.note(
                f"{self._title(plan)}: {searched_again.positions:,} old positions searched again, {searched_again.overturned:,} overturned"
            )
        return Window(
            [*searched_again.parts, newest], {"searched_again": searched_again.positions, "overturned": searched_again.overturned}
        )

    def _was_played(self, number: int, plan: GenerationPlan) -> bool:
        """True if that generation played on this board. A run may continue with one more board."""
        return plan.params.size == self.plan.boards[0].params.size or board_name(plan.params) in self.lines[number - 1].get("boards", {})

    def _watch(self, title: str) -> Watch:
        """A progress callback for the games with this title."""
        return partial(self.progress.count, noun="games", title=title)

    def _title(self, plan: GenerationPlan) -> str:
        """`generation 2`, with the board if there are several."""
        return f"generation {plan.number}" + (f", {board_name(plan.params)}" if len(self.plan.boards) > 1 else "")

    def _board_folder(self, number: int, plan: GenerationPlan) -> Path:
        """The folder of a generation's games on this board."""
        return board_folder(self._folder(number), self.plan.boards, plan)

    def _standing(self) -> tuple[int, int]:
        """The generations whose network plays and whose is trained further; 0: those at the start of the run."""
        plays = start = 0
        for line in self.lines:
            if line["gate"]["taken"]:
                plays = line["generation"]
            start = line["generation"] if line["gate"]["taken"] or line["gate"]["score"] >= ENOUGH else plays
        return plays, start

    def _folder(self, number: int) -> Path:
        """A generation's folder, from 1 on; absolute, for processes with another working folder."""
        return self.folder.resolve() / f"generation-{number:03d}"

    def _network(self, number: int) -> Path:
        """The file of the network that plays."""
        return self._folder(number) / PLAYS if number else self.plan.boards[0].network

    def _trained(self, number: int) -> Path:
        """The file of the network to train from."""
        return self._folder(number) / TRAINING / NETWORK if number else self.plan.start

    def _log(self, line: dict[str, Any]) -> None:
        """Write the line of a finished generation."""
        self.lines.append(line)
        write_file(self.folder / LOG, "".join(json.dumps(line) + "\n" for line in self.lines).encode())
        write_report(self.folder, self.lines)


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of finished generations. Raises SelfplayError if one is damaged."""
    try:
        return [json.loads(line) for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise SelfplayError(f"{path} cannot be read, or is damaged; put it right, or choose another folder") from error


def games_sentence(title: str, figures: dict[str, Any]) -> str:
    """A sentence about a generation's games on one board."""
    speed = f", {figures['games_per_hour']:,} games an hour" if figures["games_per_hour"] else ""
    judged, false = figures["resignations_judged"], figures["false_resignations"]
    return (
        f"{title}: {figures['games']:,} games, {figures['positions']:,} positions, {figures['searched']:,} searched in full"
        f"{speed};"
        f" {figures['mean_length']} moves a game; Black won {figures['black']:,}, White {figures['white']:,};"
        f" {false} of {judged} resignations would have been wrong"
    )


def gate_sentence(number: int, gate: dict[str, Any]) -> str:
    """A sentence about the result of a gate."""
    outcome = "taken" if gate["taken"] else "not taken"
    return f"generation {number}: {gate['wins']} won, {gate['losses']} lost, {gate['draws']} drawn, {gate['elo']:+.0f} Elo: {outcome}"
