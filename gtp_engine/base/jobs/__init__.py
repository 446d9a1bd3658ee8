"""Independent jobs on several processes: a job is data and a seed, and its result is kept in a store that survives kill -9."""

__all__ = ["append_only", "job", "place", "run", "store"]
