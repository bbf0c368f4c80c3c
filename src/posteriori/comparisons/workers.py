"""How many attempts are carried out: one after another, or by joblib's workers; the answers come in order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from posteriori.engines.options import current, options
from posteriori.engines.progress import Progress, job

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def carry_out(function: Callable[[Task], Answer], tasks: Sequence[Task], label: str, what: str) -> Iterator[Answer]:
    """Give function(task) for each task, in the order of the tasks, with one line of progress that counts `what`.

    Fits use the threads of `options`. Inside ``joblib.parallel_config(n_jobs=...)`` the tasks are spread over that
    many processes (or Dask workers); a backend of threads is left out, since warnings are recorded task by task and
    a recording covers the whole process. A task must depend on nothing but itself, so the answers are the same.
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
        for answer in parallel(delayed(_elsewhere)(function, task, threads) for task in tasks):
            yield progress.tick(answer)


def _workers() -> int | None:
    """Give the number of workers asked for through joblib; None to stay in this process."""
    from joblib.parallel import get_active_backend

    backend, n_jobs = get_active_backend(prefer="processes")
    n_jobs = 1 if n_jobs is None else n_jobs
    if n_jobs == 1 or getattr(backend, "supports_sharedmem", False):
        return None
    return int(n_jobs)


def _elsewhere(function: Callable[[Task], Any], task: Task, threads: int | None) -> Any:
    """Carry out one task in another process, with the options of this one."""
    with options(threads=threads):
        return function(task)
