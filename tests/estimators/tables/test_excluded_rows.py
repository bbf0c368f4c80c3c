"""Rows with missing values that the fit left out: what is computed afterwards leaves out the same rows."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt


def frame_with_gaps(seed=0, n=120):
    rng = np.random.default_rng(seed)
    d = pd.DataFrame({"x": rng.standard_normal(n), "z": rng.standard_normal(n), "c": rng.choice(["a", "b"], n)})
    d["y"] = (d.x + d.z + rng.logistic(size=n) > 0).astype(int)
    d["w"] = rng.integers(1, 4, n).astype(float)
    d["o"] = rng.standard_normal(n)
    d["g"] = np.arange(n) // 6
    d.loc[[3, 50], "x"], d.loc[[7, 50, 90], "c"] = np.nan, None
    d["unused"] = np.nan
    d.index = rng.permutation(n) + 1000
    return d


D = frame_with_gaps()
WHOLE = D.dropna(subset=["x", "z", "c"])
ROWS = {"y": "y", "sample_weight": "w", "offset": "o"}


def model_of(data, formula="y ~ x + z + c"):
    return pt.LogisticRegression.from_formula(formula, data, missing="drop", sample_weight="w", offset="o")


def effects_of(data):
    return model_of(data, "y ~ x + z").marginal_effects(data, offset="o", sample_weight="w").effects


CALLS = {
    "covariance": lambda m, d: m.covariance("robust", X=d, **ROWS),
    "cluster": lambda m, d: m.covariance("cluster", X=d, groups="g", **ROWS),
    "cluster by values": lambda m, d: m.standard_errors("cluster", X=d, groups=d["g"], **ROWS),
    "profile": lambda m, d: m.confidence_interval(method="profile", X=d, **ROWS),
    "odds ratios": lambda m, d: m.odds_ratios(method="profile", X=d, **ROWS).lower,
    "summary": lambda m, d: np.array([row.lower for row in m.summary(interval="profile", X=d, **ROWS).rows]),
    "wald": lambda m, d: m.wald_test("x", kind="cluster", X=d, groups="g", **ROWS).statistic,
    "score": lambda m, d: m.score_test(d, "y", "g", sample_weight="w", offset="o").statistic,
    "residuals": lambda m, d: m.residuals(d, "y", sample_weight="w", offset="o"),
    "influence": lambda m, d: m.influence(d, "y", sample_weight="w", offset="o").leverage,
    "tjur": lambda m, d: m.pseudo_r2("tjur", X=d, **ROWS),
    "effects": lambda m, d: effects_of(d[d["c"].notna()]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_what_needs_the_rows_of_the_fit_leaves_out_those_that_the_fit_left_out(call):
    np.testing.assert_allclose(call(model_of(D), D), call(model_of(WHOLE), WHOLE), rtol=1e-9)


def test_a_table_classifier_without_a_formula_leaves_out_the_same_rows():
    given = D[["x", "z", "y"]].copy()
    given["y"] = given["y"].astype("Int64")
    given.iloc[[1, 2], 2] = pd.NA
    model = pt.TableClassifier(pt.LogisticRegression(), missing="drop").fit(given, "y")
    whole = given.dropna()
    assert (model.n_rows_, model.n_dropped_) == (len(whole), len(given) - len(whole))
    assert len(model.residuals(given, "y")) == len(whole)
    np.testing.assert_allclose(model.marginal_effects(given).effects, model.marginal_effects(whole).effects)


def test_predictions_for_rows_with_missing_values_are_left_empty_in_a_frame_and_refused_elsewhere():
    model = model_of(D)
    frame = model.predict_frame(D, 0.9)
    gaps = D[["x", "c"]].isna().any(axis=1)
    assert frame.index.equals(D.index)
    assert frame[gaps].isna().all(axis=None)
    pd.testing.assert_frame_equal(frame[~gaps], model.predict_frame(D[~gaps], 0.9), check_dtype=False)
    with pytest.raises(pt.DataError, match="predict_frame of a model fitted with missing='drop'"):
        model.predict(D)


def test_the_summary_says_how_many_rows_were_used_and_excluded():
    model = model_of(D)
    summary = model.summary()
    said = "Rows: 116 (4 excluded because of missing values)"  # 116 rows of frequency w are more observations
    assert said in str(summary)
    assert said in summary.to_text("R")
    assert said in summary._repr_html_()
    assert said in summary.to_latex()
    assert (summary.to_dict()["n_rows"], summary.to_dict()["n_excluded"]) == (116, 4)
    assert "excluded" not in str(model_of(WHOLE).summary())
    alone = pt.LogisticRegression.from_formula("y ~ x + z + c", D, missing="drop").summary()
    assert "Observations: 116 (4 excluded because of missing values)" in str(alone)


def test_score_takes_names_of_columns_and_leaves_out_rows_with_missing_values():
    model = model_of(D)
    expected = np.average(model.predict(WHOLE) == WHOLE["y"], weights=WHOLE["w"])
    for y, weight in (("y", "w"), (D["y"].sample(frac=1.0, random_state=0), D["w"])):
        assert model.score(D, y, sample_weight=weight) == pytest.approx(expected, rel=1e-12)
    assert model.score(WHOLE, "y") == np.mean(model.predict(WHOLE) == WHOLE["y"])
