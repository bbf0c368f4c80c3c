"""The perceptron against exact cyclic runs in rational arithmetic."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", ["iris", "toy"])
def test_a_cyclic_run_makes_the_exact_updates_in_order(case):
    golden = json.loads((HERE / "data" / f"perceptron_{case}.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])
    X, y = frame[golden["features"]], (frame[golden["target"]] == golden["positive_class"]).to_numpy()
    wanted = golden["results"]["update_if_y_times_a_le_0"]
    model = pt.Perceptron(trace=True).fit(X, y)
    assert model.n_updates_ == wanted["n_updates"] == len(model.trace_)
    assert model.n_iter_ == wanted["epochs_including_the_clean_one"]
    assert model.converged_
    assert model.trace_.row.tolist() == wanted["rows_updated_in_order"]
    weights = np.concatenate([model.intercept_, model.coef_[0]])
    exact = np.array([float(Fraction(text)) for text in wanted["weights_exact"]])
    np.testing.assert_allclose(weights, exact, rtol=0, atol=max(wanted["float_run"]["max_abs_diff"], 0.0))
    np.testing.assert_array_equal(weights, plain_run(X.to_numpy(float), np.where(y, 1.0, -1.0), model.trace_.row))
    assert model.margins(X, y).min() == pytest.approx(wanted["min_margin"], abs=1e-12)


def plain_run(X, t, rows):
    """Add the rows mistaken, one after the other, in floating point."""
    w = np.zeros(X.shape[1] + 1)
    for row in rows:
        w = w + t[row] * np.concatenate([[1.0], X[row]])
    return w
