"""The GTP front end: session (streams), dispatcher and commands (what each line does); base/gtp_protocol.py takes lines apart."""

__all__ = ["commands", "engine_loader", "inbox", "log", "session", "shared"]
