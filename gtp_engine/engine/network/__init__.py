"""Networks: their input and output, their files, and the evaluator that runs them."""

__all__ = [
    "background_timing",
    "choice",
    "clients",
    "errors",
    "folder",
    "formats",
    "human_profile",
    "katago",
    "leaf_survey",
    "loading",
    "look",
    "network_evaluator",
    "onnx_check",
    "per_thread",
    "rank_likelihood",
    "session",
    "strongest",
    "surveyor",
    "symmetry",
]
