"""Robust and cluster covariances, sampling and frequency weights, against R 4.2.2: sandwich 3.0, survey 4.1.

Each block of numbers has the R expression that printed it, for

    B <- read.csv("birthwt.csv"); B$race <- factor(c("white", "black", "other")[B$race])
    E <- read.csv("beetles.csv"); e <- list(epsilon = 1e-14, maxit = 100)
"""

import numpy as np
import pandas as pd
import pytest

import posteriori as pt
from tests.golden.test_logistic import HERE

#: sqrt(diag(V)) for m <- glm(low ~ age + lwt + race, binomial, B, control = e), by V.
LOGIT = {
    "sandwich(m)": [1.12488307172976, 0.0312430486118093, 0.00642473148519355, 0.524354410663852, 0.517222256165936],
    'vcovHC(m, type = "HC1")': [
        1.14006436659711,
        0.0316647012666054,
        0.00651143893556897,
        0.531431038558189,
        0.524202629308829,
    ],
    "vcovCL(m, ~age)": [
        1.12677846168013,
        0.0287943765962082,
        0.00764897875300757,
        0.463401401648425,
        0.424564188003457,
    ],
    'vcovCL(m, ~age, type = "HC1")': [
        1.1389602044828,
        0.0291056762010438,
        0.00773167281847038,
        0.468411292129347,
        0.4291542045128,
    ],
    "vcovCL(m, ~age, cadj = FALSE)": [
        1.10305415285703,
        0.0281881112956465,
        0.0074879295847025,
        0.453644489943377,
        0.415624993428862,
    ],
}
HERE_IT_IS = {
    "sandwich(m)": {"kind": "robust"},
    'vcovHC(m, type = "HC1")': {"kind": "robust", "small_sample": "HC1"},
    "vcovCL(m, ~age)": {"groups": "age", "small_sample": True},
    'vcovCL(m, ~age, type = "HC1")': {"groups": "age", "small_sample": "HC1"},
    "vcovCL(m, ~age, cadj = FALSE)": {"groups": "age"},
}
#: sqrt(diag(sandwich(glm(cbind(killed, n - killed) ~ dose, binomial(link), E, control = e)))), and for vcovHC "HC1".
GROUPED = {
    "logit": ([5.56694931398334, 3.10772211214734], [6.42815936998652, 3.58848839602966]),
    "probit": ([2.737861964892, 1.52192211370014], [3.16141068486905, 1.75736428406132]),
    "cloglog": ([1.59816971805942, 0.887076662287426], [1.84540743386309, 1.02430789952562]),
}
#: sqrt(diag(sandwich(glm(low ~ age + lwt, binomial(link), B, control = e)))).
EXPECTED_BREAD = {
    "probit": [0.585281850680563, 0.0175315497640305, 0.00361592562527168],
    "cloglog": [0.826563365624769, 0.0249375263064436, 0.00552129457516896],
}


@pytest.fixture(scope="module")
def births():
    frame = pd.read_csv(HERE / "csv" / "birthwt.csv")
    frame["race"] = frame["race"].map({1: "white", 2: "black", 3: "other"})
    return frame


@pytest.fixture(scope="module")
def model(births):
    return pt.LogisticRegression.from_formula("low ~ age + lwt + race", births)


@pytest.mark.parametrize("expression", LOGIT)
def test_sandwiches_are_those_of_r(births, model, expression):
    asked = {"X": births, "y": "low", **HERE_IT_IS[expression]}
    np.testing.assert_allclose(model.standard_errors(**asked), LOGIT[expression], rtol=1e-8)
    table = model.summary(covariance=asked.pop("kind", None), **asked).to_frame("pandas")
    np.testing.assert_allclose(table["standard_error"], LOGIT[expression], rtol=1e-8)


def test_stata_multiplies_by_n_over_n_less_one(births, model):
    """Stata's manual [P] _robust: n / (n - 1) times the sandwich of an ML estimator; M / (M - 1) with M clusters."""
    robust = np.array(LOGIT["sandwich(m)"]) * np.sqrt(189 / 188)
    np.testing.assert_allclose(model.standard_errors("robust", small_sample="stata"), robust, rtol=1e-8)
    clustered = model.standard_errors(X=births, y="low", groups="age", small_sample="stata")
    np.testing.assert_allclose(clustered, LOGIT["vcovCL(m, ~age)"], rtol=1e-8)


def grouped(link):
    frame = pd.read_csv(HERE / "csv" / "beetles.csv")
    X, y = frame[["dose"]], pt.counts(successes=frame["killed"], trials=frame["n"])
    model = pt.LogisticRegression() if link == "logit" else pt.BinaryRegression(link=link)
    return X, y, model.fit(X, y)


@pytest.mark.parametrize("link", GROUPED)
def test_grouped_rows_are_the_units_of_a_sandwich_as_in_r(link):
    X, y, model = grouped(link)
    plain, factor = GROUPED[link]
    for rows in ({}, {"X": X, "y": y}):
        np.testing.assert_allclose(model.standard_errors("robust", bread="expected", **rows), plain, rtol=1e-7)
        found = model.standard_errors("robust", bread="expected", small_sample="HC1", **rows)
        np.testing.assert_allclose(found, factor, rtol=1e-7)


@pytest.mark.parametrize("link", EXPECTED_BREAD)
def test_r_has_the_expected_information_in_the_bread(births, link):
    model = pt.BinaryRegression(link=link).fit(births[["age", "lwt"]], births["low"])
    np.testing.assert_allclose(model.standard_errors("robust", bread="expected"), EXPECTED_BREAD[link], rtol=1e-7)
    assert np.abs(model.standard_errors("robust") / EXPECTED_BREAD[link] - 1).max() > 1e-3


def test_options_of_a_sandwich_are_refused_elsewhere(model):
    with pytest.raises(pt.DataError, match="small_sample= is an option of kind='robust' and kind='cluster', not of"):
        model.standard_errors(small_sample="HC1")
    with pytest.raises(pt.DataError, match=r"small_sample='hc1' is not known: use one of False, True, 'stata', 'HC1'"):
        model.standard_errors("robust", small_sample="hc1")


# --- sampling weights


#: B$w <- 1 + B$ftv + 0.5 * B$ui; d <- svydesign(ids = ~1, weights = ~w, data = B)
#: s <- svyglm(low ~ age + lwt + smoke, d, family = quasibinomial(), control = e); SE(s)
SVYGLM = [1.14038643124774, 0.0335175853040607, 0.0074453119207953, 0.371169508098089]
#: SE(predict(s, head(B, 3), type = "link"))
SVYGLM_LINK = [0.525341625896085, 0.455198578492833, 0.331498510980355]
#: SE(svyglm(low ~ lwt + smoke, svydesign(ids = ~age, weights = ~w, data = B), family = quasibinomial(), control = e))
SVYGLM_CLUSTER = [0.973929645945883, 0.00804780073003352, 0.349224453403793]


@pytest.fixture(scope="module")
def survey(births):
    return births.assign(w=1 + births["ftv"] + 0.5 * births["ui"])


@pytest.mark.parametrize("name", ["sampling", "importance"])
def test_sampling_weights_have_the_standard_errors_of_svyglm(survey, name):
    X, y, w = survey[["age", "lwt", "smoke"]], survey["low"], survey["w"]
    model = pt.LogisticRegression(weights=name).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(model.standard_errors(small_sample="stata"), SVYGLM, rtol=1e-7)
    np.testing.assert_allclose(model.standard_errors() * np.sqrt(189 / 188), SVYGLM, rtol=1e-7)
    assert model.get_params()["weights"] == name


def test_every_default_under_sampling_weights_is_robust(survey):
    X, y, w = survey[["age", "lwt", "smoke"]], survey["low"], survey["w"]
    model = pt.LogisticRegression(weights="sampling").fit(X, y, sample_weight=w)
    errors = model.standard_errors("robust")
    assert np.abs(errors / model.standard_errors("observed") - 1).max() > 0.05
    summary = model.summary()
    np.testing.assert_array_equal(summary.to_frame()["standard_error"], errors)
    assert (summary.covariance, summary.facts.n_observations) == ("robust", 189)
    assert np.isnan([summary.facts.aic, summary.facts.bic, summary.facts.lr_p_value]).all()
    assert "Log pseudolikelihood:" in str(summary)
    np.testing.assert_array_equal(model.confidence_interval(), model.confidence_interval(kind="robust"))
    assert model.wald_test("age") == model.wald_test("age", kind="robust")
    np.testing.assert_array_equal(model.odds_ratios().lower, np.exp(model.confidence_interval(kind="robust")[:, 0]))
    bounds = model.predict_interval(X[:3])
    np.testing.assert_array_equal(bounds, model.predict_interval(X[:3], kind="robust"))
    logits = np.log(bounds[:, 1] / (1 - bounds[:, 1]))
    reach = (logits[:, 1] - logits[:, 0]) / (2 * 1.95996398454005)
    np.testing.assert_allclose(reach * np.sqrt(189 / 188), SVYGLM_LINK, rtol=1e-7)
    np.testing.assert_array_equal(model.predict_frame(X[:3], level=0.95)["1_lower"], bounds[:, 1, 0])


def test_clusters_under_sampling_weights_are_those_of_svyglm(survey):
    X, y, w = survey[["lwt", "smoke"]], survey["low"], survey["w"]
    model = pt.LogisticRegression(weights="sampling").fit(X, y, sample_weight=w)
    found = model.standard_errors(X=X, y=y, sample_weight=w, groups=survey["age"], small_sample="stata")
    np.testing.assert_allclose(found, SVYGLM_CLUSTER, rtol=1e-7)


# --- frequency weights


def test_weights_that_are_no_frequencies_are_warned_of(survey):
    X, y = survey[["age", "lwt", "smoke"]], survey["low"]
    with pytest.warns(
        pt.NonIntegerWeightsWarning, match=r"28 of 189 weights are not whole numbers, the first at row 0"
    ):
        model = pt.LogisticRegression().fit(X, y, sample_weight=survey["w"])
    (note,) = model.fit_notes_
    assert (note.code, note.rows) == ("fractional-weights", (0,))
    assert "weights='sampling'" in str(note)
    for quiet in (
        pt.LogisticRegression(weights="sampling").fit(X, y, sample_weight=survey["w"]),
        pt.LogisticRegression().fit(X, y, sample_weight=1 + survey["ftv"]),
        pt.LogisticRegression().fit(X, np.column_stack([1 - 0.2 * y, 0.2 * y])),
    ):
        assert quiet.fit_notes_ == []


def test_degrees_of_freedom_count_the_copies_of_a_frequency(births):
    """m <- glm(low ~ age + lwt + smoke, binomial, B[rep(1:189, 1 + B$ftv), ]): df.residual, df.null, BIC, sandwich."""
    X, y = births[["age", "lwt", "smoke"]], births["low"]
    model = pt.LogisticRegression().fit(X, y, sample_weight=1 + births["ftv"])
    summary = model.summary()
    assert (summary.facts.df_residual, summary.facts.df_null, summary.facts.n_observations) == (335, 338, 339)
    assert "on 335  degrees of freedom" in summary.to_text("R")
    assert "Df Residuals:                      335" in str(summary)
    assert model.bic_ == pytest.approx(396.795045514242, rel=1e-10)
    wanted = [0.813964427597288, 0.0234731615207893, 0.0049671409913371, 0.257505783805734]
    np.testing.assert_allclose(model.standard_errors("robust"), wanted, rtol=1e-8)
    wanted = [0.818809496741276, 0.0236128839542772, 0.00499670756787899, 0.259038569865193]  # vcovHC, HC1
    np.testing.assert_allclose(model.standard_errors("robust", small_sample="HC1"), wanted, rtol=1e-8)


# --- what the summary says


def test_a_robust_table_has_a_wald_test_in_place_of_the_likelihood_ratio(births):
    """V <- sandwich(m) * 189 / 188; b <- coef(m)[-1]; b %*% solve(V[-1, -1]) %*% b, of low ~ age + lwt + smoke."""
    X, y = births[["age", "lwt", "smoke"]], births["low"]
    summary = pt.LogisticRegression().fit(X, y).summary(covariance="robust", small_sample="stata")
    assert summary.facts.wald_statistic == pytest.approx(11.8592625321893, rel=1e-8)
    assert "Wald chi2(3):" in str(summary)
    assert "Prob > chi2:" in str(summary)
    assert "LLR" not in str(summary)
    assert "factor n/(n - 1)" in str(summary)
    assert "Wald chi2" not in str(pt.LogisticRegression().fit(X, y).summary())


@pytest.mark.parametrize("seed", range(8))
def test_rows_with_sampling_weights_are_as_many_observations_whatever_the_rounding_of_their_mean(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((118, 2)), rng.integers(0, 2, 118)
    model = pt.LogisticRegression(weights="sampling").fit(X, y, sample_weight=rng.uniform(0.2, 2.0, 118).round(2))
    assert model.summary().facts.n_observations == 118
    assert "No. Rows" not in str(model.summary())


def test_the_number_of_clusters_is_shown_and_few_are_warned_of(births, model):
    many = model.summary(X=births, y="low", groups="age")
    assert many.facts.n_clusters == 24
    assert "No. Clusters:" in str(many)
    assert "fewer than about" not in " ".join(many.foot)
    with pytest.warns(pt.FewClustersWarning, match=r"4 clusters for 5 coefficients.*singular.*small_sample='HC1'"):
        few = model.summary(X=births, y="low", groups="ptl")
    assert "fewer than about 20 clusters" in " ".join(few.foot)
    assert np.isnan(few.facts.wald_p_value)
    assert "Wald chi2" not in str(few)
    assert "LLR" not in str(few)


def test_intervals_of_probabilities_take_any_covariance(births, model):
    """X <- model.matrix(m)[1:3, ]; sqrt(diag(X %*% vcovCL(m, ~age) %*% t(X)))."""
    V = model.covariance(X=births, y="low", groups="age", small_sample="stata")
    bounds = model.predict_interval(births[:3], covariance=V)[:, 1]
    logits = np.log(bounds / (1 - bounds))
    np.testing.assert_allclose(
        (logits[:, 1] - logits[:, 0]) / (2 * 1.959963984540054),
        [0.5571547167655, 0.4908914355244, 0.2898650245908],
        rtol=1e-7,
    )
    plain = model.predict_interval(births[:3], covariance=model.covariance())
    np.testing.assert_allclose(plain, model.predict_interval(births[:3]), rtol=1e-9)
