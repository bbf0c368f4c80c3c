"""The evaluation of a model on rows: scores, whether the rows are those of the fit, and cross-validation."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from posteriori.messages.recording import recorded_warnings, warn_again
from posteriori.reports.cross_validation import CrossValidation, cross_validate
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
    cross_validation : of the model on the same rows, or None
    obstacle : why there is none
    """

    rows: ScoredRows
    assessment: Assessment
    origin: str
    cross_validation: CrossValidation | None = None
    obstacle: str = ""

    @property
    def on_training_rows(self) -> bool:
        """Whether the rows are, at least probably, those of the fit."""
        return self.origin in (TRAINING, LIKELY)

    @property
    def held_out(self) -> CrossValidation | None:
        """The cross-validation, unless the rows are not those of the fit, so that it is not needed."""
        return self.cross_validation if self.origin != OTHER else None

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
    wanted = cv is not None and (cv != "auto" or origin != OTHER)
    validation = cross_validate(model, rows, cv, seed, values) if wanted else (None, "")
    return Evaluation(rows, assessment, origin, *validation)


@contextmanager
def _each_warning_once() -> Iterator[None]:
    """Emit each warning once, though the rows are scored several times."""
    with recorded_warnings() as caught:
        yield
    warn_again(caught)
