"""The place where jobs run, by the user's options: processes of this machine, or a Ray cluster."""

from dataclasses import dataclass

from gtp_engine.base.jobs.job import JobRunner, PlaceError
from gtp_engine.base.jobs.local import LocalRunner, Notes


@dataclass(frozen=True)
class JobPlace:
    """The number of jobs at once, and the place."""

    jobs: int = 1
    ray: str = ""  # "": this machine; "auto", "local" or an address: see RayRunner

    def runner(self, threads: int, on_note: Notes = lambda _key, _note: None) -> JobRunner:
        """A runner for use in a `with` block; see LocalRunner for `threads` and `on_note`.

        Raises ValueError for less than one job, PlaceError if there is no Ray or no cluster.
        """
        if not self.ray:
            return LocalRunner(self.jobs, threads, on_note)
        try:
            from gtp_engine.base.jobs.ray_runner import RayRunner
        except ImportError as error:
            raise PlaceError(f"--ray needs Ray: pip install 'gtp-engine[cluster]' ({error})") from error
        return RayRunner(self.jobs, self.ray, threads, on_note)
