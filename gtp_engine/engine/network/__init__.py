"""The network: what it sees of a position, its file, and the evaluator that asks it."""

__all__ = [
    "background_timing",
    "choice",
    "clients",
    "file_error",
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
