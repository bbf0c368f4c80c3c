"""The evaluation of a model on rows: scores, whether the rows are those of the fit, and cross-validation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from posteriori.comparisons.comparison import Comparison
from posteriori.messages.errors import DataError
from posteriori.messages.recording import recorded_warnings, warn_again
from posteriori.reports.cross_validation import MODEL, HeldOut, cross_validate, obstacle
from posteriori.reports.rows import ScoredRows
from posteriori.reports.scores import Assessment, assess
from posteriori.reports.training_rows import LIKELY, OTHER, TRAINING, origin_of


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a model on rows.

    Parameters
    ----------
    rows, assessment : the rows, and the model's scores on them
    origin : whether the rows are those of the fit
    comparison : cross-validated scores on the same rows, or None
    obstacle : why there are none
    held_out : the cross-validated predictions, unless the rows are not those of the fit
    """

    rows: ScoredRows
    assessment: Assessment
    origin: str
    comparison: Comparison | None
    obstacle: str = ""
    held_out: HeldOut | None = None

    @property
    def on_training_rows(self) -> bool:
        """Whether the rows are, at least probably, those of the fit."""
        return self.origin in (TRAINING, LIKELY)

    def source(self, held_out: bool) -> str:
        """Return a sentence on the predictions behind a table or figure: held-out ones, or those of the model."""
        if held_out:
            return " Cross-validated: each row is predicted by a model fitted to the other folds."
        return " Computed on training rows, so it is optimistic." * self.on_training_rows


def evaluate(model: Any, rows: ScoredRows, cv: Any, seed: int, values: bool) -> Evaluation:
    """Score a model on rows, find out whether it was fitted to them, and cross-validate it if so.

    Parameters
    ----------
    model : fitted
    rows : read by `read_scored_rows`
    cv, values : as in `report`
    seed : of the folds
    """
    with _each_warning_once():
        assessment = assess(model, rows)
        origin = origin_of(model, rows, assessment.logs)
    if cv is None or (cv == "auto" and origin == OTHER):
        return Evaluation(rows, assessment, origin, None)
    comparison, held_out, reason = None, None, obstacle(model, rows, cv)
    if not reason:
        try:
            comparison, held_out = cross_validate(model, rows, cv, seed)
            failures = comparison.scores_of(MODEL).failures
        except DataError as error:
            failures = (f"DataError: {error}",)
        if failures:
            comparison, reason = None, _failure(failures[0], values)
    return Evaluation(rows, assessment, origin, comparison, reason, held_out if origin != OTHER else None)


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Emit each warning once, though the rows are scored several times."""
    with recorded_warnings() as caught:
        yield
    warn_again(caught, stacklevel=7)  # the line that calls `report`


def _failure(text: str, values: bool) -> str:
    """Return the reason of a failure, without the message of the error if that may contain values of rows."""
    kind, _, message = text.partition(": ")
    return f"a fold failed with {kind}" + (f": {message.rstrip('.')}" if values else "; pt.compare shows the message")
