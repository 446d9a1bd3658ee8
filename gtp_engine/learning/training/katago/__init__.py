"""Networks of KataGo's form, learned from what a stronger network says of positions."""

__all__ = [
    "choice",
    "distillation",
    "figures",
    "label_job",
    "labelling",
    "labels",
    "layers",
    "new_model",
    "positions",
    "record_labels",
    "suite",
    "twin",
]
