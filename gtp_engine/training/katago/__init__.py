"""Networks of KataGo's form, learned from what a stronger network says of positions."""

__all__ = ["new_model", "twin"]
