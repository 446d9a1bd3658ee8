"""Networks of KataGo's form, learned from game records, from self-play, and from what a stronger network says of positions."""

__all__ = [
    "choice",
    "figures",
    "label_job",
    "labelling",
    "labels",
    "layers",
    "new_model",
    "positions",
    "record_labels",
    "run",
    "source",
    "suite",
    "twin",
]
