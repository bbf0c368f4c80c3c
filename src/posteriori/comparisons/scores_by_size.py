"""`Tally`: what one model did at one size, repeat after repeat."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.comparisons.metrics import METRICS, Metric, error, quadratic
from posteriori.comparisons.trial import Attempt
from posteriori.decisions.calibration import distances

#: Scores of a learning curve by name; the first is the one that is drawn and whose crossing is sought.
CURVES = {
    "error": Metric("error", error, lower_is_better=True, limits=(0.0, 1.0), share=True),
    "log_loss": METRICS["log_loss"],
    "brier": METRICS["brier"],
}
#: Scores of a model without probabilities.
PLAIN = ("error",)


@dataclass
class Tally:
    """Scores of each repeat, and running means and scatters of each row's probabilities over the repeats.

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
        self.times = np.zeros(self.n_rows)
        self.mean = np.zeros((self.n_rows, self.n_classes))
        self.scatter = np.zeros(self.n_rows)
        self.probabilistic = True

    def add(self, repeat: int, tried: Attempt, held: NDArray[np.intp], codes: Codes) -> None:
        """Take in one attempt; `codes` are those of the held-out rows."""
        self.warned += bool(tried.warned)
        for category, text in tried.warned:
            self._note(category.__name__, text)
        if tried.logs is None:
            self.failed += 1
            self._note("failed", str(tried.failure))
            return
        self.probabilistic = tried.probabilistic
        for name in CURVES if tried.probabilistic else PLAIN:
            self.scores[name][repeat] = CURVES[name].score(tried.logs, codes).mean()
        self._follow(held, distances(tried.logs, codes))

    def _note(self, kind: str, text: str) -> None:
        count, first = self.notes.get(kind, (0, text))
        self.notes[kind] = count + 1, first

    def _follow(self, held: NDArray[np.intp], apart: Array) -> None:
        """Update means and scatters of P(class) less [class is true], which varies over repeats as P(class) does."""
        self.times[held] += 1
        step = apart - self.mean[held]
        self.mean[held] += step / self.times[held, None]
        self.scatter[held] += (step * (apart - self.mean[held])).sum(axis=1)

    def bias_and_variance(self) -> tuple[float, float]:
        """Give squared bias and variance of the probabilities, averaged over rows held out twice or more.

        Rows weigh by how often they were held out. For row i, held out R_i times with probabilities p_ir of mean
        p_i, the variance is s_i^2 = sum_r |p_ir - p_i|^2 / (R_i - 1) and the squared bias |p_i - y_i|^2 - s_i^2 / R_i,
        both without bias of their own; they add up to the Brier score of those rows. |.|^2 is the squared length, of
        two classes half of it, as in the Brier score.
        """
        seen = self.times > 1
        if not seen.any() or not self.probabilistic:
            return np.nan, np.nan
        times = self.times[seen]
        variance = self.scatter[seen] / (times - 1) / (2.0 if self.n_classes == 2 else 1.0)
        bias = quadratic(self.mean[seen]) - variance / times
        return float(np.average(bias, weights=times)), float(np.average(variance, weights=times))
