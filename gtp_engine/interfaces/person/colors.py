"""The colors that a person can have."""

from gtp_engine.go.points import BLACK, WHITE

COLORS = {"black": {BLACK}, "white": {WHITE}, "both": {BLACK, WHITE}, "none": set[int]()}
