"""`Surface`: the predictions of a fitted classifier over a grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.input.classes.class_values import ClassIndex, as_objects, texts_of
from posteriori.messages.errors import DataError, NotIdentifiedWarning, UnseenCategoryWarning
from posteriori.messages.notes import quote
from posteriori.messages.recording import recorded_warnings, warn_again
from posteriori.plots.shared.columns import Columns
from posteriori.plots.shared.grids import EXTENTS, Grid, grid_of

#: The methods of a model that can be drawn; "auto" takes the first that it has.
RESPONSES = ("auto", "predict_proba", "scores", "decision_function", "predict")
#: Warnings of a model about values that it does not know.
UNKNOWN = (UnseenCategoryWarning, NotIdentifiedWarning)


@dataclass(frozen=True, eq=False)
class Surface:
    """The predictions of one model over a grid.

    Parameters
    ----------
    response : the method drawn: "predict_proba", "scores", "decision_function" or "predict"
    values : (m, K), classes in the order of the Display; None if the model only predicts classes
    decided : (m,) the index of each decision in `outcomes`
    outcomes : what the model may decide, as text: the classes, then anything else (a rejection, actions)
    ambiguous : (m,) whether a vote is ambiguous; None if the model has no votes
    requested : whether the user requested this response by name
    """

    response: str
    values: Array | None
    decided: NDArray[np.intp]
    outcomes: tuple[str, ...]
    ambiguous: NDArray[np.bool_] | None = None
    requested: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether every decision is the class of the largest value, so that the values determine the boundaries."""
        if self.values is None or (self.decided >= self.values.shape[1]).any():
            return False
        chosen, largest = self.values[np.arange(len(self.values)), self.decided], self.values.max(axis=1)
        return bool((chosen >= largest - 1e-12 * np.abs(largest)).all())  # ties may be broken by rounding

    def lead(self, outcome: int, shape: tuple[int, ...]) -> Array:
        """Return by how much an outcome leads the best other one over the grid: positive where it is the decision.

        Decisions without values are smoothed over one point of the grid, so that boundaries are not staircases.
        """
        if self.values is None or not self.is_greedy:
            return smoothed(self.decided == outcome, shape) - 0.5
        others = np.delete(self.values, outcome, axis=1)
        lead: Array = (self.values[:, outcome] - others.max(axis=1)).reshape(shape)
        return lead


def smoothed(mask: NDArray[np.bool_], shape: tuple[int, ...]) -> Array:
    """Return a smoothed indicator of a region: 1 inside, 0 outside, a half on its boundary.

    A region of so few points that smoothing would remove it, or its complement, is not smoothed.
    """
    plain = mask.astype(np.float64).reshape(shape)
    smooth: Array = gaussian_filter(plain, 1.0, mode="nearest")
    return smooth if smooth.min() < 0.5 < smooth.max() else plain


def surfaces_of(
    models: Mapping[str, Any],
    columns: Columns,
    chosen: Sequence[int],
    resolution: int,
    response: str,
    classes: NDArray[Any],
    window: Sequence[tuple[float, float]] | None = None,
) -> tuple[Grid, dict[str, Surface]]:
    """Evaluate every model over one grid; return the grid and the predictions by name.

    If a model accepts no numbers beyond those of its fit, or no fractions, the grid has none.
    """
    choice("response", response, RESPONSES)
    for model in models.values():
        _response(model, response)
    for extent in EXTENTS[:-1]:
        grid = grid_of(columns, chosen, resolution, extent, window)
        try:
            with recorded_warnings() as caught:
                surfaces = _evaluate_all(models, grid, classes, response)
        except (ValueError, TypeError, UserWarning):
            continue
        if not any(issubclass(each.category, UNKNOWN) for each in caught):
            warn_again(caught)
            return grid, surfaces
    grid = grid_of(columns, chosen, resolution, EXTENTS[-1], window)
    with recorded_warnings() as caught:
        surfaces = _evaluate_all(models, grid, classes, response)
    warn_again(caught, excluded=(NotIdentifiedWarning,))  # about points of the grid, not rows of the user
    return grid, surfaces


def _evaluate_all(models: Mapping[str, Any], grid: Grid, classes: NDArray[Any], response: str) -> dict[str, Surface]:
    return {name: _evaluate(model, grid.rows, classes, response) for name, model in models.items()}


def classes_of(models: Mapping[str, Any]) -> NDArray[Any]:
    """Return the classes of fitted classifiers, in the order of the first; raise if they differ."""
    if not models:
        raise DataError("no model to draw: pass {name: fitted classifier}.")
    first: NDArray[Any] | None = None
    for name, model in models.items():
        check_is_fitted(model)
        classes = getattr(model, "classes_", None)
        if classes is None or np.ndim(classes) != 1:
            raise DataError(f"{name!r} is not a classifier with one target: it has no list of classes_.")
        labels = np.asarray(classes)
        first = labels if first is None else first
        if set(as_objects(labels).tolist()) != set(as_objects(first).tolist()):
            raise DataError(
                f"models drawn side by side must have the same classes: {name!r} has {quote(labels.tolist())}, the "
                f"first {quote(first.tolist())}."
            )
    assert first is not None
    return first


def _evaluate(model: Any, rows: Any, classes: NDArray[Any], response: str) -> Surface:
    kind = _response(model, response)
    places = [as_objects(np.asarray(model.classes_)).tolist().index(label) for label in as_objects(classes).tolist()]
    values = None if kind == "predict" else _by_class(np.asarray(getattr(model, kind)(rows)), places)
    decided, outcomes = _decisions(np.asarray(model.predict(rows)), classes)
    ambiguous = np.asarray(model.is_ambiguous(rows)) if hasattr(model, "is_ambiguous") else None
    return Surface(kind, values, decided, outcomes, ambiguous, response != "auto")


def _response(model: Any, response: str) -> str:
    """Return the name of the method to evaluate."""
    there = [name for name in RESPONSES[1:] if hasattr(model, name)]
    if getattr(model, "targets", None) == "fisher":  # least squares with one target has one score, not one per class
        there = [name for name in there if name != "scores"]
    if response == "auto":
        return there[0]
    if response not in there:
        raise DataError(
            f"{type(model).__name__} has no {response}: response may be 'auto' or {' or '.join(map(repr, there))}."
        )
    return response


def _by_class(values: NDArray[Any], places: list[int]) -> Array | None:
    """Return values (m, K) in the order of the classes; None for scores of pairs of classes."""
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    if values.shape[1] != len(places):
        return None
    return values[:, places].astype(np.float64)


def _decisions(predicted: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the index of each decision among the outcomes, and the outcomes as text."""
    index = ClassIndex.of(classes)
    distinct, codes = np.unique(predicted.astype(str) if predicted.dtype == object else predicted, return_inverse=True)
    outcomes = [texts_of(label)[0] for label in index.labels]
    places = []
    for label in as_objects(distinct).tolist():
        at = index.find(label)
        if at is None:
            outcomes.append(texts_of(label)[0])
            at = len(outcomes) - 1
        places.append(at)
    return np.array(places, dtype=np.intp)[codes.ravel()], tuple(outcomes)
