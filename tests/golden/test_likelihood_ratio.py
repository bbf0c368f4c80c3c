"""Likelihood-ratio tests of nested models, whatever their columns are called, against anova() of R 4.2.2 and logistf.

B <- read.csv("birthwt.csv"); B$race <- factor(c("white", "black", "other")[B$race]); B$lots <- pmin(B$ftv, 3)
anova(glm(small, binomial, B), glm(large, binomial, B), test = "LRT")
"""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from tests.golden.test_logistic import HERE

#: small, large, df, deviance, p-value; `here` is what R's formula is called in this library where it differs.
NESTED = [
    ("low ~ age", "low ~ bs(age, df=4)", 3, 5.43806321024587, 0.142390413917658),
    ("low ~ age", "low ~ poly(age, 2)", 1, 1.44760128063584, 0.228913237622319),
    ("low ~ I(age/10)", "low ~ age + lwt", 1, 4.78857002434535, 0.0286492017438614),
    ("low ~ lots", "low ~ C(lots)", 2, 3.33331003072715, 0.188877803497278),
    ('low ~ C(race, Treatment("white"))', "low ~ race * smoke", 3, 12.8438563100898, 0.00498673572422768),
]


@pytest.fixture(scope="module")
def births():
    frame = pd.read_csv(HERE / "csv" / "birthwt.csv")
    frame["race"] = frame["race"].map({1: "white", 2: "black", 3: "other"})
    return frame.assign(lots=np.minimum(frame["ftv"], 3), w=1 + frame["ftv"])


def fit(formula, frame, **parameters):
    return pt.LogisticRegression.from_formula(formula, frame, **parameters)


@pytest.mark.parametrize(("small", "large", "df", "deviance", "p"), NESTED)
def test_models_are_nested_by_what_their_columns_span(births, small, large, df, deviance, p):
    found = pt.likelihood_ratio_test(fit(small, births), fit(large, births))
    assert found.df == df
    assert found.statistic == pytest.approx(deviance, rel=1e-8)
    assert found.p_value == pytest.approx(p, rel=1e-8)


def test_weights_count_as_in_glm(births):
    """glm(..., weights = w) with B$w <- 1 + B$ftv: low ~ age against low ~ poly(age, 3)."""
    small, large = (fit(f"low ~ {terms}", births, sample_weight="w") for terms in ("age", "poly(age, 3)"))
    assert pt.likelihood_ratio_test(small, large).statistic == pytest.approx(5.34445857549497, rel=1e-8)
    other = fit("low ~ age", births.assign(w=births["w"].to_numpy()[np.argsort(births["low"], kind="stable")]))
    with pytest.raises(pt.DataError, match="different rows"):
        pt.likelihood_ratio_test(other, large)


@pytest.mark.parametrize(
    ("small", "large", "lacks"),
    [
        ("low ~ age", "low ~ I(age**2) + lwt", "'age'"),
        ("low ~ bs(age, df=4)", "low ~ bs(age, df=5)", "'bs(age, df=4)[1]'"),  # knots of its own
        ("low ~ C(lots)", "low ~ lots + age + lwt + smoke", "'C(lots)[T.1]'"),
    ],
)
def test_models_that_are_not_nested_are_refused(births, small, large, lacks):
    with pytest.raises(pt.DataError) as error:
        pt.likelihood_ratio_test(fit(small, births), fit(large, births))
    assert f"not nested in the large one, which has no {lacks}" in str(error.value)
    with pytest.raises(pt.DataError, match="not nested"):
        pt.likelihood_ratio_test(fit(small, births), fit(large, births), X=births)


def test_rows_in_another_order_are_refused(births):
    shuffled = births.sample(frac=1.0, random_state=0)
    with pytest.raises(pt.DataError, match="rows in another order"):
        pt.likelihood_ratio_test(fit("low ~ age", shuffled), fit("low ~ age + lwt", births))


def test_arrays_are_nested_by_what_they_span():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((300, 4)), rng.integers(0, 3, 300)
    large = pt.LogisticRegression().fit(X, y)
    small = pt.LogisticRegression(parametrization="reference", reference=2).fit(X[:, :2] @ rng.normal(size=(2, 2)), y)
    named = pt.LogisticRegression().fit(X[:, :2], y)
    found, wanted = pt.likelihood_ratio_test(small, large), pt.likelihood_ratio_test(named, large)
    assert (found.df, found.statistic) == (wanted.df, pytest.approx(wanted.statistic, rel=1e-8))
    with pytest.raises(pt.DataError, match="not nested"):
        pt.likelihood_ratio_test(pt.LogisticRegression().fit(X[:, :1] ** 2, y), large)


def test_a_model_with_rare_levels_is_not_taken_for_one_without():
    """Columns that differ in a single row of 5,000 differ in their sketch."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, 5000).astype(float), rng.integers(0, 2, 5000)
    almost = x.copy()
    almost[4321] = 1.0 - x[4321]
    more = rng.standard_normal(5000)
    with pytest.raises(pt.DataError, match="not nested"):
        pt.likelihood_ratio_test(
            pt.LogisticRegression().fit(x[:, None], y), pt.LogisticRegression().fit(np.column_stack([almost, more]), y)
        )


def test_models_from_files_are_nested_by_the_rows_given(births, tmp_path):
    for name, formula in (("small", "low ~ age"), ("large", "low ~ bs(age, df=4)")):
        pt.save(fit(formula, births), tmp_path / name)
    small, large = pt.load(tmp_path / "small"), pt.load(tmp_path / "large")
    assert small.information_.known_sketch is None  # a file holds nothing of single rows
    with pytest.raises(pt.DataError, match=r"which has no 'age'; if other columns add up to it, give X="):
        pt.likelihood_ratio_test(small, large)
    found = pt.likelihood_ratio_test(small, large, X=births)
    assert found.statistic == pytest.approx(5.43806321024587, rel=1e-8)


def test_several_models_are_compared_in_one_call(births):
    """anova(glm(low ~ age, ...), glm(low ~ age + lwt, ...), glm(low ~ age + lwt + race, ...), test = "LRT")."""
    found = pt.likelihood_ratio_test(
        *(fit(f"low ~ {terms}", births) for terms in ("age", "age + lwt", "age + lwt + race"))
    )
    np.testing.assert_allclose(
        [test.statistic for test in found.tests], [4.78857002434535, 4.46275098198097], rtol=1e-8
    )
    table = found.to_frame("pandas")
    np.testing.assert_allclose(table["p_value"][1:], [0.02864920, 0.10738], rtol=1e-4)
    assert table["n_coefficients"].tolist() == [2, 3, 5]
    assert np.isnan(table["statistic"][0])
    assert repr(found).splitlines()[1].startswith("model 3 against 2: likelihood-ratio test: statistic=4.46275, df=2")


# --- penalised likelihood ratios


@pytest.fixture(scope="module")
def tumours():
    return pd.read_csv(HERE / "csv" / "endometrial.csv")


def firth(frame, columns):
    return pt.LogisticRegression(prior="jeffreys").fit(frame[columns], frame["HG"])


def test_nested_jeffreys_fits_have_the_penalised_test_of_logistf(tumours):
    """R 4.2.2, 2 * (max of log likelihood + log det I / 2 of all columns, less its maximum with coefficients at 0), by
    optim; the first is 6.798 of logistf for the endometrial data (Heinze & Schemper 2002).
    """
    X, y, large = tumours[["NV", "PI", "EH"]], tumours["HG"], firth(tumours, ["NV", "PI", "EH"])
    one = pt.likelihood_ratio_test(firth(tumours, ["PI", "EH"]), large, X=X, y=y)
    assert (one.df, one.statistic) == (1, pytest.approx(6.7984572486661, rel=1e-8))
    assert one.p_value == pytest.approx(9.123667547085e-03, rel=1e-7)
    two = pt.likelihood_ratio_test(firth(tumours, ["EH"]), large, X=X, y=y)
    assert (two.df, two.statistic) == (2, pytest.approx(7.06582579750052, rel=1e-8))
    assert two.p_value == pytest.approx(0.02921967781941, rel=1e-7)
    assert repr(one).startswith("penalised likelihood-ratio test: statistic=6.798")
    with pytest.raises(pt.DataError, match="with the penalty of the larger one: give X= and y="):
        pt.likelihood_ratio_test(firth(tumours, ["EH"]), large)
    with pytest.raises(pt.DataError, match="Jeffreys' prior"):
        pt.likelihood_ratio_test(pt.LogisticRegression().fit(X[["PI", "EH"]], y), large, X=X, y=y)


def test_a_penalised_test_depends_on_no_units_and_matches_that_of_one_coefficient(births):
    frame = births.assign(tons=births["lwt"] * 1e-3)
    small, large = (fit(f"low ~ {terms}", frame, prior="jeffreys") for terms in ("age", "age + lwt"))
    found = pt.likelihood_ratio_test(small, large, X=frame, y="low")
    scaled = pt.likelihood_ratio_test(small, fit("low ~ age + tons", frame, prior="jeffreys"), X=frame, y="low")
    assert scaled.statistic == pytest.approx(found.statistic, rel=1e-8)
    row = large.summary(interval="profile", X=frame, y="low").rows[2]
    assert found.statistic == pytest.approx(row.z**2, rel=1e-8)
    spline = pt.likelihood_ratio_test(small, fit("low ~ bs(age, df=4)", frame, prior="jeffreys"), X=frame, y="low")
    assert (spline.df, 0 < spline.statistic < 20) == (3, True)
