"""Where jobs run, as the user has said it: on processes of this machine."""

from dataclasses import dataclass

from gtp_engine.jobs.local import LocalRunner, Notes


@dataclass(frozen=True)
class JobPlace:
    """So many jobs at once."""

    jobs: int = 1

    def runner(self, threads: int, on_note: Notes = lambda _key, _note: None) -> LocalRunner:
        """A runner, to be used in a `with` block; see LocalRunner for `threads` and `on_note`. Raises ValueError for no jobs at all."""
        return LocalRunner(self.jobs, threads, on_note)
