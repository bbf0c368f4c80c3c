"""`compare`: models side by side, by cross-validation."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from posteriori.classifiers.base import Classifier
from posteriori.classifiers.table_classifier import TableClassifier
from posteriori.comparisons.comparison import Comparison, Standing
from posteriori.comparisons.folds import Rows, folds_of
from posteriori.comparisons.metrics import METRICS
from posteriori.tables.errors import DataError
from posteriori.tables.frames import as_frame, pick
from posteriori.tables.notes import listed
from posteriori.tables.targets import read_targets

Array = NDArray[np.float64]


def compare(
    models: Any,
    X: Any,
    y: Any = None,
    *,
    cv: Any = 5,
    metrics: Sequence[str] | None = None,
    random_state: Any = None,
) -> Comparison:
    """Fit each model on parts of the rows and score it on the rest.

    Every row is held out once; the scores of a model are means over held-out rows, with the standard error of
    that mean. All models see the same folds, which are stratified over the full class list.

    Parameters
    ----------
    models : list of classifiers, or {name: classifier}
        Classifiers of this library are wrapped in a `TableClassifier` where X is a frame.
    X : (n, d) array or frame
    y : (n,) classes, or the name of a column of X
    cv : number of folds, a scikit-learn splitter, or a list of (training, held out) row numbers
    metrics : names out of "log_loss", "accuracy", "brier"; the first ranks the models. By default log loss and
        accuracy, or accuracy alone where a model has no probabilities
    random_state : seed of the shuffling of rows

    Returns
    -------
    Comparison : ``.best``, ``.to_frame()``, and a table when printed

    Examples
    --------
    >>> import numpy as np
    >>> import posteriori as pt
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [2.5], [4.0], [5.0], [6.0]])
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> fair, biased = pt.GaussianClassifier(), pt.GaussianClassifier(class_priors=[0.99, 0.01])
    >>> result = pt.compare({"fair": fair, "biased": biased}, X, y, cv=2, random_state=0)
    >>> result.best
    'fair'
    """
    frame = as_frame(X)
    if frame is not None and isinstance(y, str):
        X, y = frame.drop(y).to_native() if y in frame.columns else X, pick(frame, y)
        frame = as_frame(X)
    n_rows = len(frame) if frame is not None else np.shape(X)[0]
    targets = read_targets(y, n_rows)
    assert targets.codes is not None
    folds = folds_of(cv, X, targets.codes, random_state)
    labels = targets.classes[targets.codes]
    named = _named(models, frame is not None)
    names = _metrics(metrics, named)
    trial = _Trial(X, labels, targets.classes, folds, names)
    standings = tuple(trial.standing(name, model) for name, model in named.items())
    return Comparison(standings, names, n_rows, len(folds), None if frame is None else frame.implementation.value)


def _metrics(metrics: Sequence[str] | None, models: dict[str, Any]) -> tuple[str, ...]:
    """Check the metrics; models without probabilities can only be right or wrong."""
    plain = [name for name, model in models.items() if not hasattr(model, "predict_proba")]
    if metrics is None:
        return ("accuracy",) if plain else ("log_loss", "accuracy")
    names = tuple([metrics] if isinstance(metrics, str) else metrics)
    strangers = [name for name in names if name not in METRICS]
    if strangers or not names:
        raise DataError(f"metrics must be out of {listed(list(METRICS))}; got {listed(strangers) or 'none'}.")
    if plain and set(names) != {"accuracy"}:
        raise DataError(f"{listed(plain)} give(s) no probabilities, so only metrics=['accuracy'] can compare them.")
    return names


def _named(models: Any, framed: bool) -> dict[str, Any]:
    """Give every model a name, and a table to sit at where there is one."""
    if not isinstance(models, Mapping):
        names: list[str] = []
        for model in models:
            name = type(model).__name__
            names.append(name if name not in names else f"{name} {sum(n.split()[0] == name for n in names) + 1}")
        models = dict(zip(names, models, strict=True))
    if not models:
        raise DataError("compare needs at least one model.")
    return {
        str(name): TableClassifier(model) if framed and isinstance(model, Classifier) else model
        for name, model in models.items()
    }


@dataclass(frozen=True)
class _Trial:
    """The rows and folds that every model is tried on."""

    X: Any
    labels: NDArray[Any]
    classes: NDArray[Any]
    folds: list[tuple[Rows, Rows]]
    metrics: tuple[str, ...]

    def standing(self, name: str, model: Any) -> Standing:
        """Score one model on all folds, and say its warnings once."""
        scores: dict[str, list[Array]] = {metric: [] for metric in self.metrics}
        seconds = 0.0
        said: dict[tuple[type[Warning], str], int] = {}
        for train, held in self.folds:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                started = time.perf_counter()
                fitted = clone(model).fit(_rows(self.X, train), self.labels[train])
                seconds += time.perf_counter() - started
                logs = _log_probabilities(fitted, _rows(self.X, held), self.classes)
            for kind in {warning.category: str(warning.message) for warning in reversed(caught)}.items():
                said[kind] = said.get(kind, 0) + 1
            codes = np.searchsorted(self.classes, self.labels[held])
            for metric in self.metrics:
                scores[metric].append(METRICS[metric].score(logs, codes))
        _say(name, said, len(self.folds))
        rows = {metric: np.concatenate(parts) for metric, parts in scores.items()}
        means = {metric: float(values.mean()) for metric, values in rows.items()}
        errors = {metric: _standard_error(values) for metric, values in rows.items()}
        return Standing(name, means, errors, seconds / len(self.folds))


def _say(name: str, said: dict[tuple[type[Warning], str], int], n_folds: int) -> None:
    """Give each kind of warning once, with the number of folds it came from and its first text."""
    for category in {category for category, _ in said}:
        texts = {text: count for (kind, text), count in said.items() if kind is category}
        first = next(iter(texts))
        warnings.warn(f"{name}, in {sum(texts.values())} of {n_folds} folds: {first}", category, stacklevel=4)


def _standard_error(values: Array) -> float:
    """Give the standard error of a mean; infinite where a value is."""
    if len(values) < 2 or not np.isfinite(values).all():
        return float("inf")
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def _rows(X: Any, rows: Rows) -> Any:
    frame = as_frame(X)
    if frame is None:
        return _safe_indexing(X, rows)
    return frame[rows.tolist(), :].to_native()


def _log_probabilities(model: Any, X: Any, classes: NDArray[Any]) -> Array:
    """Give log P over the full class list: -inf for a class the training part did not have.

    A model without probabilities is sure of what it predicts.
    """
    if not hasattr(model, "predict_proba"):
        with np.errstate(divide="ignore"):
            sure: Array = np.log(model.predict(X)[:, None] == classes)
        return sure
    if hasattr(model, "predict_log_proba"):
        known = model.predict_log_proba(X)
    else:
        with np.errstate(divide="ignore"):
            known = np.log(model.predict_proba(X))
    logs = np.full((known.shape[0], len(classes)), -np.inf)
    logs[:, np.searchsorted(classes, model.classes_)] = known
    return logs
