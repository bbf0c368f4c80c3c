"""`RepeatedScores`: the scores of one model at one training size over the repeats."""

from dataclasses import dataclass, field

import numpy as np

from posteriori.arrays import Array, Codes, Indices
from posteriori.comparisons.metrics import METRICS, Metric, error, quadratic
from posteriori.comparisons.trial import Trial
from posteriori.decisions.calibration import distances

#: Scores of a learning curve by name; the first is the default of plots and crossings.
CURVES = {
    "error": Metric("error", error, lower_is_better=True, limits=(0.0, 1.0), proportion=True),
    "log_loss": METRICS["log_loss"],
    "brier": METRICS["brier"],
}
#: Scores of a model without probabilities.
WITHOUT_PROBABILITIES = ("error",)


@dataclass
class RepeatedScores:
    """Scores of each repeat, and the running mean and scatter of each row's probabilities over the repeats.

    Parameters
    ----------
    n_rows, n_classes, repeats : sizes
    """

    n_rows: int
    n_classes: int
    repeats: int
    failed: int = 0
    warned: int = 0
    notes: dict[str, tuple[int, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scores = {name: np.full(self.repeats, np.nan) for name in CURVES}
        self.count = np.zeros(self.n_rows)
        self.mean = np.zeros((self.n_rows, self.n_classes))
        self.scatter = np.zeros(self.n_rows)
        self.probabilistic = True

    def add(self, repeat: int, trial: Trial, test: Indices, codes: Codes) -> None:
        """Add one trial; `codes` are the classes of the test rows."""
        self.warned += bool(trial.warned)
        for category, text in trial.warned:
            self._note(category.__name__, text)
        if trial.logs is None:
            self.failed += 1
            self._note("failed", str(trial.failure))
            return
        self.probabilistic = trial.probabilistic
        for name in CURVES if trial.probabilistic else WITHOUT_PROBABILITIES:
            self.scores[name][repeat] = CURVES[name].score(trial.logs, codes).mean()
        self._update(test, distances(trial.logs, codes))

    def _note(self, kind: str, text: str) -> None:
        count, first = self.notes.get(kind, (0, text))
        self.notes[kind] = count + 1, first

    def _update(self, test: Indices, errors: Array) -> None:
        """Update mean and scatter of P(class) - [class is true], whose variance over repeats is that of P(class)."""
        self.count[test] += 1
        step = errors - self.mean[test]
        self.mean[test] += step / self.count[test, None]
        self.scatter[test] += (step * (errors - self.mean[test])).sum(axis=1)

    def bias_and_variance(self) -> tuple[float, float]:
        """Return squared bias and variance of the probabilities, averaged over rows scored at least twice.

        Rows are weighted by how often they were scored; see `LearningCurves` for the formulas.
        """
        repeated = self.count > 1
        if not repeated.any() or not self.probabilistic:
            return np.nan, np.nan
        count = self.count[repeated]
        variance = self.scatter[repeated] / (count - 1) / (2.0 if self.n_classes == 2 else 1.0)
        bias = quadratic(self.mean[repeated]) - variance / count
        return float(np.average(bias, weights=count)), float(np.average(variance, weights=count))
