"""Networks: their input and output, their files, and the evaluator that runs them."""

__all__ = [
    "choice",
    "clients",
    "details",
    "errors",
    "folder",
    "formats",
    "human_profile",
    "katago",
    "loading",
    "look",
    "network_evaluator",
    "rank_likelihood",
    "strongest",
    "symmetry",
]
