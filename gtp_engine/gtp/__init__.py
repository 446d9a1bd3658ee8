"""The GTP front end: protocol (framing), session (streams), dispatcher and commands (what each line does)."""
