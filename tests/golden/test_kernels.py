"""Kernel logistic regression and LSPC against an exact optimum and the code of [Sugiyama] Fig. 28.5 run in Octave."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent


def case(name):
    golden = json.loads((HERE / "data" / f"{name}_sugiyama_toy.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])
    return golden["results"], frame[golden["features"]], frame[golden["target"]].to_numpy()


def close(found, wanted, atol):
    np.testing.assert_allclose(found, np.array(wanted), rtol=0, atol=atol)


def test_kernel_logistic_regression_is_at_the_exact_optimum():
    golden, X, y = case("klr")
    model = pt.KernelLogisticRegression(bandwidth=golden["h"], precision=golden["lam"]).fit(X, y)
    close(model.coef_.T, golden["theta"], 1e-11)
    close(model.centers_, X, 0.0)
    close(model.predict_proba(pd.DataFrame({"x": golden["grid"]})), golden["posterior_grid"], 1e-12)
    close(model.predict_proba(X), golden["posterior_train"], 1e-12)
    assert model.solution_.objective == pytest.approx(-golden["objective"], abs=1e-11)
    assert model.solution_.decrement < 1e-8
    assert model.n_parameters_ == 270
    assert np.abs(model.coef_.sum(axis=0)).max() < 1e-12


def test_the_phantom_class_of_the_printed_code_is_not_there():
    golden, X, y = case("klr")
    model = pt.KernelLogisticRegression(bandwidth=1.0, precision=0.1).fit(X, y)
    slip = np.array(golden["phantom_class_optimum"]["posterior_grid"])
    off = np.abs(model.predict_proba(pd.DataFrame({"x": golden["grid"]})) - slip).max()
    assert off == pytest.approx(golden["phantom_class_optimum"]["max_abs_diff_from_exact_posterior"], abs=1e-9)


def test_lspc_with_own_centres_is_the_books_code():
    golden, X, y = case("lspc")
    model = pt.LSPC(bandwidth=golden["h"], precision=golden["lam"], centers="own-class").fit(X, y)
    grid = pd.DataFrame({"x": golden["grid"]})
    for k, label in enumerate(model.classes_):
        close(model.coef_[k, y == label], golden["theta_own_class"][str(label)], 1e-11)
        assert not model.coef_[k, y != label].any()
    close(model.scores(grid), golden["raw_grid"], 1e-12)
    close(model.predict_proba(grid), golden["posterior_grid"], 1e-12)
    close(model.predict_proba(X), golden["posterior_train"], 1e-12)
    assert int((model.scores(grid) < 0).sum()) == golden["n_clipped_grid_values"]
    assert not model.uses_prior(grid).any()
    assert model.n_parameters_ == 90


def test_lspc_with_all_centres_is_the_formula_of_the_text():
    golden, X, y = case("lspc")
    model = pt.LSPC(bandwidth=golden["h"], precision=golden["lam"]).fit(X, y)
    wanted = golden["all_kernels"]
    close(model.coef_, [wanted["theta"][str(label)] for label in model.classes_], 1e-11)
    close(model.predict_proba(pd.DataFrame({"x": golden["grid"]})), wanted["posterior_grid"], 1e-12)


def test_both_methods_give_almost_the_same_posterior_as_the_book_says():
    golden, X, y = case("klr")
    grid = pd.DataFrame({"x": golden["grid"]})
    logistic = pt.KernelLogisticRegression(bandwidth=1.0).fit(X, y)
    for centers in ("all", "own-class"):
        squares = pt.LSPC(bandwidth=1.0, centers=centers).fit(X, y)
        assert np.abs(squares.predict_proba(grid) - logistic.predict_proba(grid)).max() < 0.1
        assert (squares.predict(grid) == logistic.predict(grid)).mean() >= 0.97
