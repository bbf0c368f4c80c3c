"""``python -m benchmarks.run``: each job against its peers, alternating in one run.

Times move between machines and hours; the ratio in one run is what counts. A fit counts only if its objective,
computed by one function for everybody, is no worse than the peer's; a closed form only if its probabilities
are the peer's.
"""

import os
import sys

import click

from benchmarks.job import Job, Limit
from benchmarks.jobs import JOBS
from benchmarks.race import race
from benchmarks.report import Record, reading_of, show

NAMES = [job.name for job in JOBS]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Run this job only; repeatable.")
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1), help="Alternations of a pair.")
@click.option(
    "--scale", default=1.0, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Share of rows."
)
@click.option("--slow", is_flag=True, help="Also the peers that take tens of seconds.")
@click.option("--strict", is_flag=True, help="Exit with 1 if a floor or a limit is missed.")
def main(only: tuple[str, ...], rounds: int, scale: float, slow: bool, strict: bool) -> None:
    """Time ours against other libraries and print the ratios; floors and limits hold at full scale."""
    record = Record({"rounds": rounds, "scale": scale, "slow": slow})
    for job in JOBS:
        if not only or job.name in only:
            click.echo(f"{job.name} …", err=True)
            _add(record, job, rounds, scale, slow)
            record.write()
    show(record.results, record.readings)
    path = record.write()
    click.echo(f"Written to {os.path.relpath(path)} and, as JSON, beside it.")
    sys.exit(1 if strict and record.missed else 0)


def _add(record: Record, job: Job | Limit, rounds: int, scale: float, slow: bool) -> None:
    rows = scaled(job.rows, scale)
    if isinstance(job, Limit):
        record.readings.append(reading_of(job, rows))
    else:
        record.results.extend(race(job, rows, rounds, slow))


def scaled(rows: int, scale: float) -> int:
    """Give a share of the rows; the small jobs stay as they are.

    >>> scaled(1_000_000, 0.02), scaled(569, 0.02)
    (20000, 569)
    """
    return max(int(rows * scale), min(rows, 1000))


if __name__ == "__main__":
    main()
