"""Marginal effects: derivatives in variables, or an error; intervals where fit summed no covariance."""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt

RNG = np.random.default_rng(4)
ROWS = pd.DataFrame(
    {"age": RNG.uniform(20, 60, 300), "dose": RNG.normal(size=300), "treated": RNG.integers(2, size=300)}
)
ROWS["place"] = np.array(["north", "south", "west"])[RNG.integers(3, size=300)]
ROWS["ill"] = (0.05 * (ROWS.age - 40) + ROWS.dose + RNG.logistic(size=300) > 0).astype(int)
LR = pt.LogisticRegression.from_formula


@pytest.mark.parametrize(
    ("terms", "named"),
    [
        ("age * dose", "age:dose"),
        ("age + I(age**2)", "I(age ** 2)"),
        ("bs(age, df=4) + dose", "bs(age, df=4)"),
        ("poly(age, 2) + dose", "poly(age, 2)"),
        ("age + C(treated)", "C(treated)"),
        ("age + place", "place"),
        ("log(age) + dose", "log(age)"),
    ],
)
def test_effects_of_terms_that_are_no_single_column_are_refused_by_name(terms, named):
    model = LR(f"ill ~ {terms}", ROWS)
    with pytest.raises(pt.DataError, match="derivatives in single columns") as told:
        model.marginal_effects(ROWS)
    assert repr(named) in str(told.value)
    assert "predict_proba" in str(told.value)


def test_effects_with_a_category_column_of_a_frame_are_refused_and_of_numbers_are_derivatives():
    model = pt.TableClassifier(pt.LogisticRegression()).fit(ROWS[["age", "dose", "place"]], ROWS["ill"])
    with pytest.raises(pt.DataError, match="'place' is a term"):
        model.marginal_effects(ROWS)
    model = LR("ill ~ age + dose + treated", ROWS)
    found = model.marginal_effects(ROWS)
    table = found.to_frame("pandas").set_index("column")
    assert table.index.tolist() == ["age", "dose", "treated"]
    up, down = ROWS.assign(age=ROWS.age + 1e-4), ROWS.assign(age=ROWS.age - 1e-4)
    slope = ((model.predict_proba(up) - model.predict_proba(down))[:, 1] / 2e-4).mean()
    assert table.loc["age", "effect"] == pytest.approx(slope, rel=1e-6)
    assert table.loc["age", "z"] == pytest.approx(table.loc["age", "effect"] / table.loc["age", "standard_error"])
    np.testing.assert_allclose(table["p_value"], found.p_values)
    for head in ("Average marginal effects", "dP/dx", "std. err.", "P>|z|", "[0.025"):
        assert head in repr(found)
    assert "at the mean row" in repr(model.marginal_effects(ROWS, at="mean"))


def test_a_fit_that_summed_no_covariance_takes_one_or_says_which():
    X, y = ROWS[["age", "dose"]], ROWS["ill"]
    summed, bare = (pt.LogisticRegression(inference=choice).fit(X, y) for choice in (True, False))
    for call in (bare.predict_interval, bare.marginal_effects):
        with pytest.raises(
            pt.DataError, match=r"inference=True, or give covariance=model.covariance\(X=X_fit, y=y_fit"
        ):
            call(X)
    spread = bare.covariance(X=X, y=y)
    np.testing.assert_allclose(bare.predict_interval(X, covariance=spread), summed.predict_interval(X), rtol=1e-7)
    np.testing.assert_allclose(
        bare.marginal_effects(X, covariance=spread).errors, summed.marginal_effects(X).errors, rtol=1e-7
    )
    with pytest.raises(pt.DataError, match=r"must have shape \(3, 3\)"):
        bare.predict_interval(X, covariance=np.eye(2))
    with pytest.raises(pt.DataError, match="not both"):
        bare.predict_interval(X, kind="robust", covariance=spread)
    with pytest.raises(pt.DataError, match="9 cells that are not finite"):
        bare.predict_interval(X, covariance=np.full((3, 3), np.nan))


def test_intervals_of_predictions_may_be_cluster_robust():
    X, y, groups = ROWS[["age", "dose"]], ROWS["ill"], ROWS["place"]
    model = pt.LogisticRegression().fit(X, y)
    with pytest.raises(pt.DataError, match=r"groups=groups_fit"):
        model.predict_interval(X, kind="cluster")
    spread = model.covariance("cluster", X=X, y=y, groups=groups)
    bounds = model.predict_interval(X[:1], covariance=spread)[0, 1]
    row = np.array([1.0, *X.iloc[0]])
    width = 2 * 1.959963984540054 * np.sqrt(row @ spread @ row)
    assert np.diff(np.log(bounds / (1 - bounds)))[0] == pytest.approx(width, rel=1e-9)
    table = LR("ill ~ age + dose", ROWS)
    np.testing.assert_allclose(
        table.predict_interval(ROWS, covariance=spread), model.predict_interval(X, covariance=spread)
    )
    np.testing.assert_allclose(
        table.marginal_effects(ROWS, covariance=spread).errors, model.marginal_effects(X, covariance=spread).errors
    )
