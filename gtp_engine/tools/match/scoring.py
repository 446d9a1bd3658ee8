"""The winner of a finished game by the referee engine, or by both players' own scores, with their disagreements."""

import re
from dataclasses import dataclass

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.tools.match.contestant import Contestant, Fault
from gtp_engine.tools.match.record import DISAGREEMENT, NO_SCORE

SCORE = re.compile(r"([BW])\+(\d+(?:\.\d*)?|\.\d+)?", re.IGNORECASE)
DRAWS = {"0", "draw", "jigo"}
COLORS = {"B": BLACK, "W": WHITE}


@dataclass(frozen=True)
class FinalResult:
    """The result of scoring."""

    color: int | None  # the winner; 0: a draw; None: unknown
    result: str  # as in SGF's RE
    problem: str = ""  # DISAGREEMENT or NO_SCORE if unknown
    disagreement: str = ""  # scores that contradict each other, as a sentence


def parse_score(text: str) -> tuple[int, str] | None:
    """(winner or 0 for a draw, RE text) of an answer to final_score; None if it is no score. Words after the score are ignored."""
    word = (text.split() or [""])[0]
    if word.lower() in DRAWS:
        return 0, "0"
    match = SCORE.fullmatch(word)
    if match is None:
        return None
    letter, margin = match[1].upper(), float(match[2]) if match[2] else None
    if margin == 0:
        return 0, "0"
    return COLORS[letter], f"{letter}+{'' if margin is None else f'{margin:g}'}"


def referee_verdict(referee: Contestant, game: Game, seed: int) -> FinalResult:
    """The result by the referee, which replays the game and scores it. If the referee fails, there is no result; nothing is raised."""
    try:
        referee.new_game(seed, None)
        for color, point in game.moves:
            referee.play(color, point)
        answer = referee.final_score()
    except Fault as fault:
        return FinalResult(None, "?", NO_SCORE, f"the referee {fault}")
    score = parse_score(answer)
    if score is None:
        return FinalResult(None, "?", NO_SCORE, f"the referee {referee.player.name} answered {answer[:60]!r} to final_score")
    return FinalResult(*score)


def players_verdict(answers: dict[int, str | None]) -> FinalResult:
    """The result from both players' answers to final_score; None: no answer. A single answer counts; different winners don't."""
    scores = {color: parse_score(answer) for color, answer in answers.items() if answer is not None}
    valid = {color: score for color, score in scores.items() if score is not None}
    if not valid:
        return FinalResult(None, "?", NO_SCORE)
    first, last = valid[min(valid)], valid[max(valid)]
    if first == last:
        return FinalResult(*first)
    scores_text = f"Black says {answers[BLACK]}, White says {answers[WHITE]}"
    if first[0] != last[0]:
        return FinalResult(None, "?", DISAGREEMENT, scores_text)
    letter = {BLACK: "B+", WHITE: "W+", 0: "0"}[first[0]]
    return FinalResult(first[0], letter, "", scores_text)
