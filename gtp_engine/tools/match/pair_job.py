"""A pair of games as a job: two players, colors exchanged, the same opening, with GTP commands before each game that may change from
pair to pair. A worker keeps its two engines.
"""

from dataclasses import dataclass
from typing import Any

from gtp_engine.base.jobs.job import Tell
from gtp_engine.tools.match.client import EngineClient
from gtp_engine.tools.match.contestant import Contestant
from gtp_engine.tools.match.game import RefereedGame
from gtp_engine.tools.match.opening import Opening
from gtp_engine.tools.match.record import DRAW, UNKNOWN, PlayedGame
from gtp_engine.tools.match.schedule import ScheduledGame, engine_seed
from gtp_engine.tools.match.tournament import Tournament

PLAY_PAIR = "gtp_engine.tools.match.pair_job:PairPlayer"  # the function of these jobs


@dataclass(frozen=True)
class PairSpec:
    """Two games to play."""

    tournament: Tournament  # of two players
    number: int  # of the pair
    opening: Opening
    setups: tuple[tuple[str, ...], tuple[str, ...]]  # GTP commands for each player before each game


class PairPlayer:
    """Plays pairs of one tournament with two engines that keep running."""

    def __init__(self, tell: Tell) -> None:
        self._contestants: list[Contestant] = []

    def __call__(self, spec: PairSpec, seed: int) -> dict[str, Any]:
        """For each game: its score for the first player, see `score_of`, and how it ended. The first player begins with Black.

        seed -- of the tournament; each game's engines get their own, made from it
        Raises Fault if an engine can't be started or refuses a setup command.
        """
        if not self._contestants:
            self._contestants = [Contestant(player, spec.tournament, EngineClient(player.command)) for player in spec.tournament.players]
        try:
            games = [self._play(spec, black, 2 * spec.number + black, seed) for black in (0, 1)]
        except BaseException:  # the driver wants no more: engines that think must not be waited for
            for contestant in self._contestants:
                contestant.client.kill()
            raise
        return {"games": games}

    def close(self) -> None:
        """End the engines."""
        for contestant in self._contestants:
            contestant.client.close()
        self._contestants = []

    def _play(self, spec: PairSpec, black: int, number: int, seed: int) -> dict[str, Any]:
        """Play one game; `black`: the index of the player with Black."""
        for contestant, lines in zip(self._contestants, spec.setups, strict=True):
            contestant.prepare()
            for line in lines:
                contestant.ask(line, spec.tournament.start_patience)
        game = ScheduledGame(number, black, 1 - black, spec.number, engine_seed(seed, number))
        sides = self._contestants[black], self._contestants[1 - black]
        record, _ = RefereedGame(spec.tournament, game, spec.opening, *sides).play()
        return {
            "score": score_of(record, spec.tournament.players[0].name),
            "result": record.result,
            "ending": record.ending,
            "text": record.text,
            "moves": record.moves,
            "digest": record.digest,
        }


def score_of(record: PlayedGame, name: str) -> float | None:
    """The score for the player of that name, 0.5 for a draw; None if the game was lost by a fault or the winner is unknown."""
    if record.fault or record.winner == UNKNOWN:
        return None
    return 0.5 if record.winner == DRAW else float(record.winner == name)
