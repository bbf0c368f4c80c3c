"""What is measured: a job against its peers, or a quantity against a limit."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def whole(data: Any) -> Any:
    """Prepare nothing: the data themselves are what is timed on."""
    return data


@dataclass(frozen=True)
class Contender:
    """Someone who does the job.

    Parameters
    ----------
    name : as the table prints it
    run : the part that is timed; takes what `prepare` gave
    prepare : what is done before, untimed: fitting the model whose predictions are timed, say
    floor : the least ratio over this peer that must hold at full size, or None
    aim : the ratio we mean to reach, or None
    slow : whether it takes part only when ``--slow`` is given
    """

    name: str
    run: Callable[[Any], Any]
    prepare: Callable[[Any], Any] = whole
    floor: float | None = None
    aim: float | None = None
    slow: bool = False


@dataclass(frozen=True)
class Verdict:
    """Whether a result of ours counts beside a peer's, and the sentence that says why."""

    counts: bool
    note: str


@dataclass(frozen=True)
class Job:
    """One job, ours against peers on the same data.

    Parameters
    ----------
    name : for ``--only``
    title : what is done, on what
    rows : how many rows at full size
    data : gives the data for so many rows, always the same
    ours, peers : who does it
    judge : compares results: (data, ours, peer) -> Verdict
    rounds : how many, where the job has its own number; None for that of the run
    """

    name: str
    title: str
    rows: int
    data: Callable[[int], Any]
    ours: Contender
    peers: tuple[Contender, ...]
    judge: Callable[[Any, Any, Any], Verdict]
    rounds: int | None = None


@dataclass(frozen=True)
class Limit:
    """A quantity that must stay within a bound.

    Parameters
    ----------
    name : for ``--only``
    title : what is measured
    rows : how many rows at full size, 0 where there are none
    measure : gives the quantity for so many rows and its bound, None where it is only put on record
    unit : of both
    """

    name: str
    title: str
    rows: int
    measure: Callable[[int], tuple[float, float | None]]
    unit: str
