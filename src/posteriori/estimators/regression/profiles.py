"""What a regression computes from the rows of its fit given again: profiles, sketches, restricted maxima."""

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.engines.select import engine_for
from posteriori.estimators.linear import LinearClassifier
from posteriori.fits.sketch import Sketch, sketch_of
from posteriori.inference.coefficients.covariance import covariance_in_units, standard_errors
from posteriori.inference.coefficients.fitted import Fitted
from posteriori.inference.coefficients.intervals import profile_interval, profile_of, profile_statistics
from posteriori.inference.coefficients.validity import refuse_likelihood
from posteriori.inference.summaries.build import ProfileResults
from posteriori.input.frames.native import as_frame, refuse_absent
from posteriori.tables.memory import MemoryTable


def profiled(model: Any, fitted: Fitted, level: float, rows: dict[str, Any], *, tests: bool = True) -> ProfileResults:
    """Compute profile intervals, and with `tests` the statistics of the likelihood-ratio tests that match them.

    Parameters
    ----------
    rows : X, y, sample_weight, offset by name
    """
    refuse_likelihood(fitted, "a profile interval", or_times_jeffreys=True)
    read = model._rows(**rows)
    objective = read.objective(fitted)
    errors = standard_errors(fitted, covariance_in_units(fitted, "observed", read.sums(fitted)))
    bounds = profile_interval(fitted, objective, errors, level)
    statistics = profile_statistics(fitted, objective) if tests else np.full(fitted.size, np.nan)
    return ProfileResults(bounds, statistics)


def sketch_of_rows(model: Any, X: Any) -> Sketch:
    """Compute the sketch of rows as fit does, without their targets."""
    fitted = model._fitted()
    table = LinearClassifier._engine(model, own_columns(model, X)).table  # without an offset
    assert isinstance(table, MemoryTable)
    bare = replace(table, offset=None, targets=np.zeros(table.features.n_rows, dtype=np.intp))
    return sketch_of(engine_for(bare), fitted.link, model.scores_.units)


def restricted_statistic(model: Any, embedding: Array, X: Any, **rows: Any) -> float:
    """Compute the likelihood-ratio statistic of the coefficients being `embedding` (p, r) times others.

    Under Jeffreys' prior both likelihoods are penalised by the information of all coefficients.
    """
    fitted = model._fitted()
    R = fitted.information.triangle
    within = np.kron(np.eye(len(fitted.w)), embedding if R is None else R @ embedding)
    objective = model._rows(own_columns(model, X), **rows).objective(fitted)
    return profile_of(fitted, objective).statistic_within(la.orth(within))


def own_columns(model: Any, X: Any) -> Any:
    """Return the columns of a frame that a model was fitted on; anything else as it is."""
    names, frame = getattr(model, "feature_names_in_", None), as_frame(X)
    if names is None or frame is None:
        return X
    refuse_absent(names, frame.columns)
    return frame.select(list(names)).to_native()
