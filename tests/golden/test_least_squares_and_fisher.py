"""Least squares and Fisher's discriminant against R, and the numbers of the book."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

HERE = Path(__file__).parent


def load(case):
    golden = json.loads((HERE / "data" / f"{case}.json").read_text())
    frame = pd.read_csv(HERE / "csv" / golden["data"])
    if "class1" in golden:
        frame = frame[frame[golden["target"]].isin([golden["class1"], golden["class2"]])]
    y = frame["sp"] + frame["sex"] if golden["target"] == "group" else frame[golden["target"]]
    return frame[golden["features"]], y.to_numpy(str), golden["results"]


def close(found, wanted, rtol=1e-10):
    np.testing.assert_allclose(found, np.array(wanted, float), rtol=rtol, atol=1e-10)


@pytest.mark.parametrize("case", ["ls_iris", "ls_vehicle"])
def test_one_of_k_targets_agree_with_lm(case):
    X, y, wanted = load(case)
    model = pt.LeastSquaresClassifier().fit(X, y)
    assert model.classes_.tolist() == wanted["classes"]
    close(model.intercept_, wanted["coef"][0])
    close(model.coef_.T, wanted["coef"][1:])
    close(model.scores(X)[:10], wanted["fitted_first10"])
    assert model.predict(X).tolist() == wanted["predicted_all"]
    close(model.scores(X).sum(axis=1), 1.0)
    targets = np.eye(len(model.classes_))[np.searchsorted(model.classes_, y)]
    if "sse" in wanted:
        close(((targets - model.scores(X)) ** 2).sum(), wanted["sse"])


@pytest.mark.parametrize("case", ["fisher_iris", "fisher_pima_tr"])
def test_fisher_s_direction_and_its_least_squares_twin_agree_with_r(case):
    X, y, wanted = load(case)
    fisher = pt.FisherDiscriminant().fit(X, y)
    direction = fisher.coef_[0] / np.linalg.norm(fisher.coef_)
    close(direction, wanted["w_unit"])
    close(fisher.coef_[0] / len(y), wanted["w"])  # ours is over the covariance, the book's over the scatter
    squares = pt.LeastSquaresClassifier(targets="fisher").fit(X, y)
    # the book's first class is our classes_[0]; ours points to classes_[1]
    close(-squares.coef_[0], wanted["ls_w"])
    close(-squares.intercept_[0], wanted["ls_intercept"])
    np.testing.assert_allclose(squares.coef_[0] / np.linalg.norm(squares.coef_), direction, rtol=0, atol=1e-12)


@pytest.mark.parametrize("case", ["lda_qda_iris", "lda_qda_pima_tr", "lda_qda_crabs"])
def test_the_directions_of_k_classes_agree_with_mass(case):
    X, y, wanted = load(case)
    model = pt.FisherDiscriminant().fit(X, y)
    close(model.eigenvalues_, wanted["fisher_multiclass"]["eigenvalues_Sw_inv_Sb"])
    close(model.explained_variance_ratio_, wanted["mass_lda"]["proportion_of_trace"])
    directions = np.array(wanted["fisher_multiclass"]["directions"])
    sign = np.sign((model.scalings_ * directions).sum(axis=0))
    close(model.scalings_ * sign, directions)
    turned = np.sign((model.scalings_ * np.array(wanted["mass_lda"]["scaling"])).sum(axis=0))
    close(model.transform(X[:5]) * turned, wanted["mass_lda"]["x_first5"])
    assert model.score(X, y) == pytest.approx(wanted["ml"]["train_accuracy"], abs=1e-12)


@pytest.mark.parametrize(("extra", "slope", "intercept"), [(0, 1.55, -0.32), (1, 1.23, -0.17)])
def test_one_point_too_correct_moves_the_line_of_the_book(extra, slope, intercept):
    frame = pd.read_csv(HERE / "csv" / "jordan_fig7_1_like.csv")
    X = np.r_[frame["x"], np.full(extra, 1.5)][:, None]
    y = np.r_[frame["y"], np.ones(extra)].astype(int)
    model = pt.LeastSquaresClassifier().fit(X, y)
    at = model.scores([[0.0], [1.0]])[:, 1]
    assert round(at[1] - at[0], 2) == slope
    assert round(at[0], 2) == intercept
    exact = json.loads((HERE / "data" / "textbook.json").read_text())
    (fit,) = [fit for fit in _fits(exact) if fit["extra_points"] == extra]
    close([at[1] - at[0], at[0]], [fit["slope"], fit["intercept"]])
    assert model.predict([[fit["boundary_at_half"] - 1e-9], [fit["boundary_at_half"] + 1e-9]]).tolist() == [0, 1]


def _fits(tree):
    if isinstance(tree, dict):
        if "reconstruction" in tree:
            return tree["reconstruction"]["fits"]
        return next((found for value in tree.values() if (found := _fits(value))), None)
    return None
