"""Run independent tasks, sequentially or in joblib's worker processes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from posteriori.engines.options import current, options
from posteriori.engines.progress import Progress, job

Task = TypeVar("Task")
Result = TypeVar("Result")


def run_tasks(function: Callable[[Task], Result], tasks: Sequence[Task], label: str, what: str) -> Iterator[Result]:
    """Return function(task) for each task, in order, with one progress line that counts `what`.

    Fits use the threads of `options`. Inside ``joblib.parallel_config(n_jobs=...)`` the tasks run in that many
    processes (or Dask workers). A thread backend is ignored, since warnings are recorded per task but for the whole
    process. A task depends on nothing but itself, so the results do not depend on the number of workers.
    """
    workers = _workers()
    with job(label), Progress(what, len(tasks), whole=True) as progress:
        if workers is None:
            for task in tasks:
                yield progress.tick(function(task))
            return
        from joblib import Parallel, delayed

        threads = current().threads
        parallel = Parallel(n_jobs=workers, return_as="generator", prefer="processes")
        for result in parallel(delayed(_run_in_process)(function, task, threads) for task in tasks):
            yield progress.tick(result)


def _workers() -> int | None:
    """Return the number of worker processes configured through joblib; None to use this process."""
    from joblib.parallel import get_active_backend

    backend, n_jobs = get_active_backend(prefer="processes")
    n_jobs = 1 if n_jobs is None else n_jobs
    if n_jobs == 1 or getattr(backend, "supports_sharedmem", False):
        return None
    return int(n_jobs)


def _run_in_process(function: Callable[[Task], Any], task: Task, threads: int | None) -> Any:
    """Run one task in another process, with the options of this one."""
    with options(threads=threads):
        return function(task)
