"""Rows that a fitted regression reads again: those of its fit for covariances and tests, new ones for sketches."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.checks.parameters import choice
from posteriori.fits.link_regression import likelihood_engine
from posteriori.fits.sketch import sketch_of
from posteriori.inference.coefficients.covariance import DEFAULT, Covariance, covariance_in_units
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import profile_of
from posteriori.inference.coefficients.sandwich import KINDS, OPTIONS, Sandwich
from posteriori.inference.coefficients.training_rows import Rows
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, refuse_absent
from posteriori.input.training import read_training
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.models.information import Sums, is_sampling
from posteriori.models.regression import RegressionModel
from posteriori.models.sketch import Sketch
from posteriori.tables.views import OneClass

#: The rows of a fit by name, absent.
NO_ROWS = {"X": None, "y": None, "sample_weight": None, "offset": None}
#: Further arguments of methods that need a covariance: rows, and options of a sandwich.
NAMED = (*NO_ROWS, "groups", *OPTIONS)


def check_arguments(method: str, named: Iterable[str], kind: str = "kind") -> None:
    """Raise for further arguments that a method does not have; `kind` is its name for the kind of covariance."""
    for name in named:
        if name not in NAMED:
            hint = f" (the kind of covariance is {kind}=)" if name in ("kind", "covariance") else ""
            raise DataTypeError(
                f"{method}() has no argument {name!r}{hint}; its further arguments are {quote(NAMED, most=len(NAMED))}."
            )


def refuse_for_profile(options: dict[str, Any]) -> None:
    """Raise if options of a covariance are set for profile-likelihood intervals, which use no covariance."""
    defaults = {"kind": None, "groups": None, **vars(DEFAULT)}
    if names := [f"{name}=" for name, value in options.items() if value is not defaults[name]]:
        raise DataError(
            f"profile-likelihood intervals use no covariance, so method='profile' has no option {' and '.join(names)}. "
            "Use method='wald', or leave the option out."
        )


def refuse_unused(values: dict[str, Any], why: str) -> None:
    """Raise if values are passed that a method would not use."""
    if names := [f"{name}=" for name, value in values.items() if value is not None]:
        raise DataError(f"{' and '.join(names)} would not be used: {why}")


def read_rows(model: Any, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> Rows:
    """Read rows with their classes as `fit` does, the offset in contrasts."""
    if X is None or y is None:
        raise DataError("this needs the rows of the fit: pass X= and y= (and sample_weight=, offset= if fit had them).")
    value: RegressionModel = model.model_
    if value.takes_offset and offset is None:
        raise DataError("the model was fitted with an offset: pass offset=.")
    reading = read_training(
        model, X, y, sample_weight, offset=offset, sparse=True, allow_counts=True, classes=model.classes_,
        known_names=True,
    )  # fmt: skip
    n_classes = len(model.classes_)
    if reading.targets.n_classes != n_classes:
        raise DataError(f"y has counts of {reading.targets.n_classes} classes; the model has {n_classes}.")
    table = model._through_basis(reading, known=value.columns.phi).table
    return Rows(likelihood_engine(table, value.link.as_contrasts()), is_sampling(value.weights))


def _sums(model: Any, fitted: Fitted, rows: dict[str, Any]) -> Sums:
    if rows["X"] is not None or rows["y"] is not None:
        return read_rows(model, **rows).sums(fitted)
    refuse_unused(
        rows, "without X= and y= the sums of the fit are used. Pass X= and y= of the fit, too, or none of them."
    )
    if fitted.information.sums is None:
        raise DataError(
            f"fit did not sum the information of {fitted.size} coefficients over {fitted.information.n_rows} rows "
            f"(inference={model.inference!r}): pass X= and y= of the fit, or fit with inference=True."
        )
    return fitted.information.sums


def covariance_of(model: Any, fitted: Fitted, kind: str | None, named: dict[str, Any]) -> Covariance:
    """Compute a covariance in the units of the fit; `named` are rows, groups and options of a sandwich by name."""
    named = {**NO_ROWS, **named}
    groups = named.pop("groups", None)
    if kind is None:
        kind = fitted.default_kind if groups is None else "cluster"
    options = Sandwich.pop_from(named, choice("kind", kind, KINDS))
    if kind != "cluster":
        if groups is not None:
            raise DataError(f"groups= is for kind='cluster', not {kind!r}.")
        return Covariance(covariance_in_units(fitted, kind, _sums(model, fitted, named), options), kind, options)
    rows = read_rows(model, **named)
    clusters = rows.clusters(fitted, aligned(named["X"], groups, "groups"))
    matrix = covariance_in_units(fitted, kind, rows.sums(fitted), options, clusters)
    return Covariance(matrix, kind, options, len(clusters.keys))


def covariance_matrix(model: Any, fitted: Fitted, kind: str | None, named: dict[str, Any]) -> Array:
    """Compute the matrix of a covariance in the units of the fit."""
    matrix = covariance_of(model, fitted, kind, named).matrix
    assert matrix is not None
    return matrix


def sketch_of_rows(model: Any, X: Any) -> Sketch:
    """Compute the sketch of rows as `fit` does, without their classes."""
    fitted = model._fitted()
    engine = model._engine(own_columns(model, X)).view(OneClass())  # without an offset
    return sketch_of(engine, fitted.link, model.model_.linear.units)


def restricted_statistic(model: Any, embedding: Array, X: Any, y: Any, **rows: Any) -> float:
    """Compute the likelihood-ratio statistic for coefficients that are `embedding` (p, r) times others.

    Under Jeffreys' prior both likelihoods are penalised by the information of all coefficients.
    """
    fitted = model._fitted()
    R = fitted.information.triangle
    within = np.kron(np.eye(len(fitted.w)), embedding if R is None else R @ embedding)
    objective = read_rows(model, own_columns(model, X), y, **rows).objective(fitted)
    return profile_of(fitted, objective).statistic_within(la.orth(within))


def refuse_other_rows(model: Any, X: Any, y: Any, **rows: Any) -> None:
    """Raise if rows are not those of the fit."""
    read_rows(model, own_columns(model, X), y, **rows).objective(model._fitted())


def own_columns(model: Any, X: Any) -> Any:
    """Return the columns of a frame that the model was fitted to; anything else unchanged."""
    names, frame = model.model_.columns.names, as_frame(X)
    if names is None or frame is None:
        return X
    refuse_absent(names, frame.columns)
    return frame.select(list(names)).to_native()
