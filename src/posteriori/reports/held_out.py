"""Scores on rows a model has not seen: clones of it, cross-validated beside a forecast of the class shares."""

from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier

from posteriori.checks.parameters import choice
from posteriori.comparisons.compare import compare
from posteriori.comparisons.comparison import Comparison
from posteriori.estimators.wrappers.layers import innermost, is_frozen
from posteriori.messages.errors import DataError
from posteriori.messages.recording import recorded_warnings
from posteriori.reports.refit import unfitted
from posteriori.reports.rows import Scored

MODEL, BASELINE = "model", "class shares"
#: Folds unless a number is asked for.
FOLDS = 5
#: Models that work on pairs of rows, and the most rows for which those are compared unasked.
PAIRWISE, FEW = ("KernelLogisticRegression", "LSPC"), 1000
#: The most numbers (rows times columns) for which other models are fitted again unasked, of this library and not.
CHEAP, CHEAP_FOREIGN = 2_000_000, 200_000
#: The most columns times classes.
WIDE = 1000


def read_folds(cv: Any) -> int | str | None:
    """Check `cv`: "auto", None, or a number of folds."""
    if cv is None or (isinstance(cv, int | np.integer) and not isinstance(cv, bool) and cv >= 2):
        return None if cv is None else int(cv)
    if isinstance(cv, str):
        return str(choice("cv", cv, ("auto",)))
    raise DataError(f"cv must be 'auto', None or a number of folds from 2 up; got {cv!r}.")


def why_not(model: Any, rows: Scored, cv: int | str) -> str:
    """Say why the model is not cross-validated on these rows, or nothing."""
    fewest = np.bincount(rows.codes)[np.unique(rows.codes)].min()
    folds = FOLDS if cv == "auto" else int(cv)
    reasons = {
        "the rows have weights or counts, which a cross-validation here does not take": rows.weighted,
        "the model takes an offset, which a cross-validation here does not take": bool(rows.given),
        "the model is frozen, so that fitting it again would change nothing": is_frozen(model),
        "the rows are of one class": len(np.unique(rows.codes)) < 2,
        "a class has a single row": fewest < 2,
        f"there are fewer rows than the {folds} folds": rows.n_cases < folds,
    }
    return next((reason for reason, holds in reasons.items() if holds), _too_long(model, rows) if cv == "auto" else "")


def _too_long(model: Any, rows: Scored) -> str:
    """Say that fitting clones might take long, or nothing: judged by sizes, so that the answer is always the same."""
    inner, n = innermost(model), rows.n_cases
    name, columns = type(inner).__name__, getattr(inner, "n_features_in_", 1)
    if name in PAIRWISE and n > FEW:
        return f"it would take long, since {name} works on all pairs of {n:,} rows; cv=5 does it nevertheless"
    own = type(inner).__module__.startswith("posteriori.")
    if n * columns > (CHEAP if own else CHEAP_FOREIGN) or columns * len(model.classes_) > WIDE:
        return f"it might take long on {n:,} rows of {columns:,} columns; cv=5 does it nevertheless"
    return ""


def held_out(model: Any, rows: Scored, cv: int | str, seed: int) -> Comparison:
    """Fit clones of a model to parts of the rows and score them on the rest, beside the class shares."""
    folds = FOLDS if cv == "auto" else int(cv)
    labels = np.asarray(model.classes_)[rows.codes]
    rivals = {MODEL: unfitted(model, rows.X), BASELINE: DummyClassifier(strategy="prior")}
    with recorded_warnings():  # the fit itself has told; a failure is told by the caller
        return compare(rivals, rows.X, labels, cv=folds, random_state=seed)
