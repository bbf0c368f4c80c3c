"""The jobs, in the order they are run; jobs on the same data stand together."""

from benchmarks.job import Job, Limit
from benchmarks.jobs import categorical, gaussian, kernels, linear, memory, startup

JOBS: tuple[Job | Limit, ...] = (
    *startup.JOBS,
    *memory.JOBS,
    *linear.JOBS,
    *gaussian.JOBS,
    *categorical.JOBS,
    *kernels.JOBS,
)
