"""Independent jobs on several processes: a job is data and a seed, its result goes to a store that survives kill -9."""

__all__ = ["append_only", "job", "local", "place", "ray_runner", "run", "store", "worker"]
