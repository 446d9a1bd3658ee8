"""The GTP front end: protocol (framing), session (streams), dispatcher and commands (what each line does)."""

__all__ = ["commands", "engine_loader", "inbox", "log", "protocol", "session"]
