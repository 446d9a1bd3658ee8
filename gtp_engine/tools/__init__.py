"""What people ask about the program itself: its speed, its set-up."""

__all__ = ["benchmark", "calibration", "client_lines", "cold_start", "doctor"]
