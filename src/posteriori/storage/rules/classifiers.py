"""Rules for the states and traces of perceptrons."""

from posteriori.checks import requirements as require
from posteriori.solvers.ordered.perceptron import PerceptronState, PerceptronTrace
from posteriori.storage.registry import RULES


@RULES.of(PerceptronState)
def perceptron_state(value: PerceptronState, where: str) -> None:
    """Check that there are three counts, of one row or more."""
    require.FINITE.check(value.tally, (3,), f"{where}.tally")
    require.integer(value.tally[0], f"{where}.tally[0]", least=1)


@RULES.of(PerceptronTrace)
def perceptron_trace(value: PerceptronTrace, where: str) -> None:
    """Check that there are weights before and after every update."""
    for name in ("before", "after"):
        require.FINITE.check(getattr(value, name), (len(value.row), *value.before.shape[1:]), f"{where}.{name}")
