"""The network: what it sees of a position, its file, and the evaluator that asks it."""

__all__ = [
    "background_timing",
    "choice",
    "clients",
    "features",
    "folder",
    "formats",
    "human_profile",
    "katago",
    "loading",
    "look",
    "model_file",
    "network_evaluator",
    "onnx_check",
    "rank_input",
    "rank_likelihood",
    "session",
    "strongest",
    "surveyor",
]
