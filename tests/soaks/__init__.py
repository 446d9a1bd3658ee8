"""Long tests under load and faults, run by scripts/soak.py: each module has a `run(count, seed)` that gives back a Tally."""
