"""The report of a tuning run, as Markdown."""

from gtp_engine.tools.match.tables import tally_sentence
from gtp_engine.tools.tuning.run import TuningResult

REPORT = "report.md"


def report_text(result: TuningResult) -> str:
    """Each parameter with its best value and error bar, the confirming match, and doubts."""
    lines = [
        f"Tuned by {result.games} games on {result.plan.tournament.size}x{result.plan.tournament.size}.",
        "",
        "| parameter | range | start | best | 95 % |",
        "|---|---|---|---|---|",
    ]
    for place, parameter in enumerate(result.plan.ranges):
        low, best, high = (parameter.text_at(shares[place]) for shares in (result.optimum.low, result.optimum.best, result.optimum.high))
        start = parameter.text_at(parameter.share_of(parameter.start))
        lines.append(
            f"| `{parameter.name}` | {parameter.text_at(0.0)} .. {parameter.text_at(1.0)} | {start} | **{best}** | {low} .. {high} |"
        )
    options = " ".join(f"--set {name}={text}" for name, text in result.best.items())
    return "\n".join([*lines, "", confirmation_text(result), *doubts(result), "", f"To use them: `gtp-engine {options}`"])


def confirmation_text(result: TuningResult) -> str:
    """The match of the best values against the start."""
    if result.best == result.plan.settings(result.plan.start):
        return "The best values are those of the start: there was nothing to confirm."
    if not result.tally.games:
        return "The best values were not confirmed by games against the start."
    return tally_sentence("The best values against the start", result.tally) + "."


def doubts(result: TuningResult) -> list[str]:
    """Sentences about what the games don't determine."""
    remarks = []
    optimum = result.optimum
    for place, parameter in enumerate(result.plan.ranges):
        low, best, high, start = (shares[place] for shares in (optimum.low, optimum.best, optimum.high, result.plan.start))
        if low <= start <= high:
            remarks.append(f"`{parameter.name}`: this many games can't distinguish the best value from the start.")
        if best in (0.0, 1.0):
            remarks.append(f"`{parameter.name}`: the best value is an end of the range; a wider range may have a better one.")
    if result.without_score:
        remarks.append(f"{result.without_score} games had no winner, or were lost by a fault; these say nothing about the values.")
    return ["", *(f"- {text}" for text in remarks)] if remarks else []
