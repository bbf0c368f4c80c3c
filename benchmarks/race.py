"""Running a job: ours and a peer in turn, so that a busy moment of the machine falls on both."""

import gc
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.job import Contender, Job, Verdict

#: Seconds after which a pair takes no further round, once it has had three.
PATIENCE = 60.0


@dataclass(frozen=True)
class Result:
    """One line of the table: medians of ours and of a peer, in seconds, from one alternation."""

    job: str
    title: str
    rows: int
    peer: str
    ours: float
    theirs: float
    rounds: int
    floor: float | None
    aim: float | None
    verdict: Verdict
    full: bool

    @property
    def ratio(self) -> float:
        """How many times ours fits into theirs."""
        return self.theirs / self.ours

    @property
    def mark(self) -> str:
        """Pass, aim missed, floor missed, or a result that does not count; no mark on fewer rows."""
        if not self.verdict.counts:
            return "does not count"
        if not self.full:
            return "scaled"
        if self.floor is not None and self.ratio < self.floor:
            return "FAIL"
        return "short of aim" if self.aim is not None and self.ratio < self.aim else "pass"


def race(job: Job, rows: int, rounds: int, slow: bool) -> Iterator[Result]:
    """Run a job against each of its peers; slow ones only where asked for."""
    peers = [peer for peer in job.peers if slow or not peer.slow]
    if not peers:
        return
    data = job.data(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a peer that stops early is judged by its objective
        mine = job.ours.prepare(data)
        for peer in peers:
            yield _pair(job, peer, data, mine, rows, job.rounds or rounds)


def _pair(job: Job, peer: Contender, data: Any, mine: Any, rows: int, rounds: int) -> Result:
    """Warm both up, which also gives the results to judge; then alternate and take medians."""
    theirs = peer.prepare(data)
    verdict = job.judge(data, job.ours.run(mine), peer.run(theirs))
    ours_seconds: list[float] = []
    peer_seconds: list[float] = []
    started = time.perf_counter()
    while len(ours_seconds) < rounds:
        ours_seconds.append(_seconds(job.ours, mine))
        peer_seconds.append(_seconds(peer, theirs))
        if len(ours_seconds) >= 3 and time.perf_counter() - started > PATIENCE:
            break
    return Result(
        job.name,
        job.title,
        rows,
        peer.name,
        median(ours_seconds),
        median(peer_seconds),
        len(ours_seconds),
        peer.floor,
        peer.aim,
        verdict,
        rows == job.rows,
    )


def _seconds(contender: Contender, prepared: Any) -> float:
    gc.collect()
    started = time.perf_counter()
    contender.run(prepared)
    return time.perf_counter() - started
