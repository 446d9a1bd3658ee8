"""Training of networks of KataGo's form from game records, self-play, and labels by a stronger network."""

__all__ = [
    "channels",
    "choice",
    "figures",
    "label_job",
    "labelling",
    "labels",
    "layers",
    "mean",
    "new_model",
    "position_search",
    "position_sources",
    "positions",
    "record_labels",
    "run",
    "source",
    "suite",
]
