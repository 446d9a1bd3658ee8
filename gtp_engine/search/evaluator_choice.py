"""Which evaluator plays on which board. Plain Python; the one place that decides it."""

PLAYOUTS, NETWORK, MIXED, GUIDED, UNIFORM = "playouts", "network", "mixed", "guided", "uniform"
BEST = "auto"  # the one that wins at equal time on the board in use
ALIASES = {"rollouts": PLAYOUTS}
CHOICES = (BEST, PLAYOUTS, *ALIASES, NETWORK, MIXED, GUIDED, UNIFORM)

# (boards up to this many lines, evaluator): the first line that fits. Playouts stand until a match shows that a network beats them:
# docs/strength.md has the matches.
BEST_BY_SIZE = ((8, PLAYOUTS), (19, MIXED))


def evaluator_for(setting: str, size: int) -> str:
    """One of the five for one of CHOICES on a board of `size` lines."""
    if setting == BEST:
        return next(evaluator for largest, evaluator in BEST_BY_SIZE if size <= largest)
    return ALIASES.get(setting, setting)


def evaluators_for(setting: str) -> set[str]:
    """Every evaluator that this setting can mean on some board."""
    return {evaluator for _, evaluator in BEST_BY_SIZE} if setting == BEST else {evaluator_for(setting, 0)}


def needs_network(evaluator: str) -> bool:
    """Does this evaluator ask a network?"""
    return evaluator in (NETWORK, MIXED, GUIDED)
