"""`Surface`: what a fitted classifier answers over a grid, asked once."""

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

#: What a model may be asked for; "auto" takes the first that it has.
RESPONSES = ("auto", "predict_proba", "scores", "decision_function", "predict")
#: What a model warns of where it is asked about values that it does not know.
UNKNOWN = (UnseenCategoryWarning, NotIdentifiedWarning)


@dataclass(frozen=True, eq=False)
class Surface:
    """The answers of one model over a grid.

    Parameters
    ----------
    response : what the values are: "predict_proba", "scores", "decision_function" or "predict"
    values : (m, K) by class in the order of the display's classes; None where the model has only decisions
    decided : (m,) the place of each decision among `answers`
    answers : what the model may decide, as text: the classes first, then anything else (a rejection, actions)
    ambiguous : (m,) where a vote leaves the class open; None where the model has no such thing
    asked : whether this response was asked for, and not merely the best there was
    """

    response: str
    values: Array | None
    decided: NDArray[np.intp]
    answers: tuple[str, ...]
    ambiguous: NDArray[np.bool_] | None = None
    asked: bool = False

    @property
    def is_greedy(self) -> bool:
        """Whether every decision is for the class of the largest value, so that the values say where it changes."""
        if self.values is None or (self.decided >= self.values.shape[1]).any():
            return False
        chosen, largest = self.values[np.arange(len(self.values)), self.decided], self.values.max(axis=1)
        return bool((chosen >= largest - 1e-12 * np.abs(largest)).all())  # ties may be broken by rounding

    def lead(self, answer: int, shape: tuple[int, ...]) -> Array:
        """Give by how much an answer leads the best other over the grid: positive where it is the decision.

        Where only decisions are known these are smoothed over a point of the grid, so that no boundary is a staircase.
        """
        if self.values is None or not self.is_greedy:
            return smoothed(self.decided == answer, shape) - 0.5
        others = np.delete(self.values, answer, axis=1)
        lead: Array = (self.values[:, answer] - others.max(axis=1)).reshape(shape)
        return lead


def smoothed(mask: NDArray[np.bool_], shape: tuple[int, ...]) -> Array:
    """Give how much of a region is about each point: 1 inside, 0 outside, half on its boundary.

    A region of so few points that nothing would be left of it, or of all others, stays as it is.
    """
    plain = mask.astype(np.float64).reshape(shape)
    share: Array = gaussian_filter(plain, 1.0, mode="nearest")
    return share if share.min() < 0.5 < share.max() else plain


def surfaces_of(
    models: Mapping[str, Any],
    columns: Columns,
    chosen: Sequence[int],
    resolution: int,
    response: str,
    classes: NDArray[Any],
    window: Sequence[tuple[float, float]] | None = None,
) -> tuple[Grid, dict[str, Surface]]:
    """Ask every model over one grid; give the grid and the answers by name.

    A model that does not take numbers past those it has seen, or between whole ones, is asked where it does.
    """
    choice("response", response, RESPONSES)
    for model in models.values():
        _response(model, response)
    for extent in EXTENTS[:-1]:
        grid = grid_of(columns, chosen, resolution, extent, window)
        try:
            with recorded_warnings() as caught:
                surfaces = _all_asked(models, grid, classes, response)
        except (ValueError, TypeError, UserWarning):
            continue
        if not any(issubclass(each.category, UNKNOWN) for each in caught):
            warn_again(caught)
            return grid, surfaces
    grid = grid_of(columns, chosen, resolution, EXTENTS[-1], window)
    with recorded_warnings() as caught:
        surfaces = _all_asked(models, grid, classes, response)
    warn_again(caught, excluded=(NotIdentifiedWarning,))  # of points that are the figure's, not rows of anyone
    return grid, surfaces


def _all_asked(models: Mapping[str, Any], grid: Grid, classes: NDArray[Any], response: str) -> dict[str, Surface]:
    return {name: _asked(model, grid.rows, classes, response) for name, model in models.items()}


def classes_of(models: Mapping[str, Any]) -> NDArray[Any]:
    """Check that all are fitted classifiers of the same classes, and list those as the first does."""
    if not models:
        raise DataError("there is no model to draw: give {name: fitted classifier}.")
    found: NDArray[Any] | None = None
    for name, model in models.items():
        check_is_fitted(model)
        classes = getattr(model, "classes_", None)
        if classes is None or np.ndim(classes) != 1:
            raise DataError(f"{name!r} is no classifier of one target: it has no list of classes_.")
        labels = np.asarray(classes)
        found = labels if found is None else found
        if set(as_objects(labels).tolist()) != set(as_objects(found).tolist()):
            raise DataError(
                f"models drawn side by side must know the same classes: {name!r} has {quote(labels.tolist())}, the "
                f"first {quote(found.tolist())}."
            )
    assert found is not None
    return found


def _asked(model: Any, rows: Any, classes: NDArray[Any], response: str) -> Surface:
    kind = _response(model, response)
    places = [as_objects(np.asarray(model.classes_)).tolist().index(label) for label in as_objects(classes).tolist()]
    values = None if kind == "predict" else _by_class(np.asarray(getattr(model, kind)(rows)), places)
    decided, answers = _decisions(np.asarray(model.predict(rows)), classes)
    ambiguous = np.asarray(model.is_ambiguous(rows)) if hasattr(model, "is_ambiguous") else None
    return Surface(kind, values, decided, answers, ambiguous, response != "auto")


def _response(model: Any, response: str) -> str:
    """Name the method to ask."""
    there = [name for name in RESPONSES[1:] if hasattr(model, name)]
    if getattr(model, "targets", None) == "fisher":  # least squares with one target has one score, not one a class
        there = [name for name in there if name != "scores"]
    if response == "auto":
        return there[0]
    if response not in there:
        raise DataError(
            f"{type(model).__name__} has no {response}: response may be 'auto' or {' or '.join(map(repr, there))}."
        )
    return response


def _by_class(values: NDArray[Any], places: list[int]) -> Array | None:
    """Give values (m, K) in the order of the classes; None of scores that are not by class, such as those of pairs."""
    if values.ndim == 1:
        values = np.column_stack([-values, values])
    if values.shape[1] != len(places):
        return None
    return values[:, places].astype(np.float64)


def _decisions(predicted: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Give each decision's place among the classes and what else was decided, and all of them as text."""
    index = ClassIndex.of(classes)
    distinct, codes = np.unique(predicted.astype(str) if predicted.dtype == object else predicted, return_inverse=True)
    answers = [texts_of(label)[0] for label in index.labels]
    places = []
    for label in as_objects(distinct).tolist():
        at = index.find(label)
        if at is None:
            answers.append(texts_of(label)[0])
            at = len(answers) - 1
        places.append(at)
    return np.array(places, dtype=np.intp)[codes.ravel()], tuple(answers)
