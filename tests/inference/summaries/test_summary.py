"""`summary`: the printed table, its footnotes, frames and dicts."""

import json
import math
import warnings
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import norm

import posteriori as pt

CSV = Path(__file__).parents[2] / "golden" / "csv"
NUMBERS = ["estimate", "standard_error", "z", "p_value", "lower", "upper"]
#: R 4.2.2, glm(HG ~ NV + PI + EH, binomial): estimate and standard error of the coefficients that have limits.
FINITE = {"(Intercept)": (4.30451778305781, 1.63729860704277), "PI": (-0.0421834032567898, 0.0443319632680626),
          "EH": (-2.90260561377757, 0.845551555249675)}  # fmt: skip


@pytest.fixture(scope="module")
def endometrial():
    return pd.read_csv(CSV / "endometrial.csv")


def quietly(model, *rows, **more):
    """Fit where a warning is expected and tested elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pt.NotIdentifiedWarning)
        return model.fit(*rows, **more)


@pytest.fixture(scope="module")
def separated(endometrial):
    return quietly(pt.LogisticRegression(), endometrial[["NV", "PI", "EH"]], endometrial["HG"])


@pytest.fixture(scope="module")
def plain(endometrial):
    return pt.LogisticRegression().fit(endometrial[["PI", "EH"]], endometrial["HG"])


@pytest.fixture(scope="module")
def three_classes():
    frame = pd.read_csv(CSV / "iris.csv")
    target = frame.columns[-1]
    return pt.LogisticRegression(prior=1.0).fit(frame.drop(columns=target), frame[target])


def test_the_table_holds_the_standard_errors_tests_and_intervals_of_the_model(plain):
    frame = plain.summary().to_frame()
    errors = plain.standard_errors()
    beta = np.concatenate([plain.intercept_, plain.coef_[0]])
    np.testing.assert_allclose(frame["estimate"], beta, rtol=1e-14)
    np.testing.assert_allclose(frame["standard_error"], errors, rtol=1e-14)
    np.testing.assert_allclose(frame["z"], beta / errors, rtol=1e-12)
    np.testing.assert_allclose(frame["p_value"], 2 * norm.sf(np.abs(beta / errors)), rtol=1e-10)
    np.testing.assert_allclose(frame[["lower", "upper"]], plain.confidence_interval(), rtol=1e-12)
    assert frame["term"].tolist() == ["(Intercept)", "PI", "EH"]
    assert (frame["state"] == "ok").all()


@pytest.mark.parametrize("kind", ["expected", "robust"])
def test_the_kind_of_covariance_is_used_and_named(plain, kind):
    summary = plain.summary(covariance=kind, level=0.8)
    np.testing.assert_allclose(summary.to_frame()["standard_error"], plain.standard_errors(kind), rtol=1e-14)
    np.testing.assert_allclose(
        summary.to_frame()[["lower", "upper"]], plain.confidence_interval(0.8, kind=kind), rtol=1e-12
    )
    assert kind in summary.foot[0]
    assert "80% Wald" in summary.foot[0]
    assert "[0.1" in str(summary)


def test_cluster_errors_and_profile_intervals_take_the_rows(plain, endometrial):
    rows = {"X": endometrial[["PI", "EH"]], "y": endometrial["HG"]}
    groups = np.arange(79) // 4
    found = plain.summary(covariance="cluster", groups=groups, **rows).to_frame()
    np.testing.assert_allclose(found["standard_error"], plain.standard_errors("cluster", groups=groups, **rows))
    found = plain.summary(interval="profile", **rows)
    np.testing.assert_allclose(
        found.to_frame()[["lower", "upper"]], plain.confidence_interval(method="profile", **rows), rtol=1e-10
    )
    assert "profile-likelihood" in found.foot[0]
    both = plain.summary(interval="profile", covariance="cluster", groups=groups, **rows)
    np.testing.assert_array_equal(both.to_frame()[["lower", "upper"]], found.to_frame()[["lower", "upper"]])
    np.testing.assert_allclose(
        both.to_frame()["standard_error"], plain.standard_errors("cluster", groups=groups, **rows)
    )
    assert any("neither they nor the intervals use the robust standard errors" in foot for foot in both.foot)
    with pytest.raises(pt.DataError, match="pass X= and y="):
        plain.summary(interval="profile")


def test_an_estimate_that_does_not_exist_is_infinite_and_has_no_other_number(separated):
    rows = {row.term: row for row in separated.summary().rows}
    assert rows["NV"].estimate == math.inf
    assert rows["NV"].state == "infinite"
    assert all(math.isnan(getattr(rows["NV"], name)) for name in ("error", "z", "p", "lower", "upper"))
    for term, (estimate, error) in FINITE.items():
        assert rows[term].estimate == pytest.approx(estimate, abs=1e-6 * error)
        assert rows[term].error == pytest.approx(error, rel=1e-6)
        assert 0 < rows[term].p < 1


def test_an_infinite_estimate_has_the_test_that_matches_its_interval(separated, endometrial):
    """R 4.2.2: without the 13 rows of NV = 1, whose likelihood tends to one, logLik of the full model is the supremum.

    S <- E[E$NV == 0, ]; 2 * (logLik(glm(HG ~ PI + EH, binomial, S)) - logLik(glm(HG ~ PI + EH, binomial, E))) for NV,
    2 * (logLik(glm(HG ~ PI + EH, binomial, S)) - logLik(glm(HG ~ EH, binomial, S))) for PI, and so on.
    """
    ratios = [9.5418412298311, 9.35764301238068, 0.9851343692746, 19.7606339057873]
    ps = [2.008401675817e-03, 0.00222057520519, 3.209344919553e-01, 8.777197305284e-06]
    summary = separated.summary(interval="profile", X=endometrial[["NV", "PI", "EH"]], y=endometrial["HG"])
    np.testing.assert_allclose([row.z**2 for row in summary.rows], ratios, rtol=1e-7)
    np.testing.assert_allclose([row.p for row in summary.rows], ps, rtol=1e-7)
    (line,) = [line for line in str(summary).splitlines() if line.startswith("NV")]
    assert line.split() == ["NV", "inf", "--", "9.358", "0.002", "1.284", "inf"]
    assert "LR Chisq Pr(>Chisq)" in summary.to_text("R")


def test_a_p_value_is_never_printed_as_zero(endometrial):
    x = np.linspace(-3, 3, 2000)
    y = np.random.default_rng(0).random(2000) < 1 / (1 + np.exp(-2 * x))
    summary = pt.LogisticRegression().fit(x[:, None], y).summary()
    assert "<0.001" in str(summary)
    assert "$<0.001$" in summary.to_latex()
    assert "``expected''" in pt.BinaryRegression(link="probit").fit(x[:, None], y).summary().to_latex()
    assert "&lt;0.001" in summary._repr_html_()
    assert str(summary).splitlines()[7].split()[-3:] == ["LLR", "p-value:", "<2.2e-16"]
    assert " 0.000" not in str(summary)
    assert "-0.000" not in str(pt.LogisticRegression(prior="jeffreys").fit([[0.0], [1.0]], [0, 1]).summary())


def test_the_odds_ratio_of_minus_infinity_is_zero_exactly(separated):
    lines = str(separated.summary(exponentiate=True, reference=1)).splitlines()
    assert next(line for line in lines if line.startswith("NV")).split()[1] == "0"


def test_footnotes_explain_separation_and_its_remedies(separated):
    text = " ".join(str(separated.summary()).split())
    assert "One of the 4 coefficients has no finite maximum likelihood estimate" in text
    assert "the classes are separated, so the likelihood has no finite maximum" in text
    assert "Status: separated" in text
    assert "Fit status: separated." in separated.summary().to_text("R")
    assert "'NV'" in text
    assert "prior='jeffreys'" in text


def test_odds_ratios_are_exponentials_with_delta_method_errors(plain, separated):
    log, ratio = plain.summary().to_frame(), plain.summary(exponentiate=True).to_frame()
    for name in ("estimate", "lower", "upper"):
        np.testing.assert_allclose(ratio[name], np.exp(log[name]), rtol=1e-14)
    np.testing.assert_allclose(ratio["standard_error"], np.exp(log["estimate"]) * log["standard_error"], rtol=1e-14)
    np.testing.assert_array_equal(ratio[["z", "p_value"]], log[["z", "p_value"]])
    assert "delta method" in " ".join(plain.summary(exponentiate=True).foot)
    assert separated.summary(exponentiate=True).rows[1].estimate == math.inf
    assert separated.summary(exponentiate=True, reference=0).rows[1].estimate == math.inf
    assert separated.summary(exponentiate=True, reference=1).rows[1].estimate == 0.0


def test_the_other_class_as_reference_turns_every_sign(separated, endometrial):
    one, other = separated.summary(), separated.summary(reference=1)
    assert (one.reference, other.reference) == (0, 1)
    for a, b in zip(one.rows, other.rows, strict=True):
        assert (b.estimate, b.label) == (-a.estimate, 0)
        np.testing.assert_allclose([b.error, b.p], [a.error, a.p], rtol=1e-12)
        np.testing.assert_allclose([b.lower, b.upper], [-a.upper, -a.lower], rtol=1e-12)
    rows = {"X": endometrial[["NV", "PI", "EH"]], "y": endometrial["HG"]}
    bounds = [separated.summary(interval="profile", reference=k, **rows).rows[1] for k in (0, 1)]
    assert (bounds[0].upper, bounds[1].lower) == (math.inf, -math.inf)
    assert bounds[1].upper == -bounds[0].lower < 0


def test_a_penalty_leaves_the_spread_and_takes_the_p_values(endometrial):
    model = pt.LogisticRegression(prior=1.0).fit(endometrial[["NV", "PI", "EH"]], endometrial["HG"])
    summary = model.summary()
    frame = summary.to_frame()
    np.testing.assert_allclose(frame["standard_error"], model.standard_errors())
    assert frame[["z", "p_value"]].isna().all(axis=None)
    assert frame[["lower", "upper"]].notna().all(axis=None)
    assert any(sentence.startswith("No p-values: the coefficients are penalised") for sentence in summary.foot)
    for text in (str(summary), summary.to_text("R"), summary._repr_html_(), summary.to_latex()):
        assert "|z|" not in text.replace("$", "")
    assert math.isnan(summary.facts.lr_p_value)
    assert math.isnan(summary.facts.aic)


def test_jeffreys_prior_gives_finite_numbers_and_names_firth(endometrial):
    model = pt.LogisticRegression(prior="jeffreys").fit(endometrial[["NV", "PI", "EH"]], endometrial["HG"])
    summary = model.summary()
    row = summary.rows[1]
    assert row.estimate == pytest.approx(2.92927335319712, rel=1e-6)  # brglm2 0.9 under R 4.2.2
    assert row.error == pytest.approx(1.55076372945305, rel=1e-6)
    assert 0.05 < row.p < 0.1
    assert "Jeffreys' prior (Firth 1993)" in " ".join(summary.foot)


def test_aliased_columns_are_marked_and_have_no_numbers(endometrial):
    rows = endometrial[["PI", "EH"]].assign(again=2 * endometrial["PI"], steady=3.0)
    summary = quietly(pt.LogisticRegression(), rows, endometrial["HG"]).summary()
    frame = summary.to_frame().set_index("term")
    assert frame["state"].to_dict() == {
        "(Intercept)": "aliased", "PI": "aliased", "EH": "ok", "again": "aliased", "steady": "aliased"
    }  # fmt: skip
    assert frame.loc[frame["state"] == "aliased", NUMBERS].isna().all(axis=None)
    assert frame.loc["EH", NUMBERS].notna().all()
    assert "aliased" in str(summary)
    assert "NA" in summary.to_text("R")
    assert "not identified" in " ".join(summary.foot)


def test_a_fit_that_did_not_converge_shows_no_errors(endometrial):
    model = pt.LogisticRegression(max_iter=1)
    with pytest.warns(pt.ConvergenceWarning):
        model.fit(endometrial[["PI", "EH"]], endometrial["HG"])
    summary = model.summary()
    assert summary.to_frame()[NUMBERS[1:]].isna().all(axis=None)
    assert summary.to_frame()["estimate"].notna().all()
    assert "did not converge" in str(summary)


def test_without_summed_information_there_are_estimates_only_and_a_footnote(endometrial, plain):
    rows = endometrial[["PI", "EH"]], endometrial["HG"]
    model = pt.LogisticRegression(inference=False).fit(*rows)
    summary = model.summary()
    assert summary.to_frame()["standard_error"].isna().all()
    assert "No standard errors: fit did not sum the information" in summary.foot[0]
    again = model.summary(X=rows[0], y=rows[1]).to_frame()
    np.testing.assert_allclose(again["standard_error"], plain.standard_errors(), rtol=1e-9)
    with pytest.raises(pt.DataError, match=r"log likelihood"):
        model.summary(X=rows[0] + 1.0, y=1 - rows[1])


def test_softmax_has_a_block_for_each_class_against_the_reference(three_classes):
    model = three_classes
    labels = model.classes_.tolist()
    summary = model.summary()
    assert summary.reference == labels[0]
    assert [label for label, _ in summary.blocks] == labels[1:]
    table = summary.to_frame()
    np.testing.assert_allclose(
        table.loc[table["class"] == labels[2], "estimate"],
        np.append(model.intercept_[2] - model.intercept_[0], model.coef_[2] - model.coef_[0]), rtol=1e-9,
    )  # fmt: skip
    np.testing.assert_allclose(table["standard_error"], model.standard_errors(), rtol=1e-12)
    assert f"y = {labels[1]} (reference {labels[0]})" in str(summary)


def test_contrasts_to_any_class_are_those_of_a_fit_with_that_reference(endometrial):
    generator = np.random.default_rng(4)
    X = generator.normal(size=(90, 2))
    y = np.array(["a", "b", "c"])[np.argmax(X @ generator.normal(size=(2, 3)) + generator.gumbel(size=(90, 3)), axis=1)]
    turned = pt.LogisticRegression().fit(X, y).summary(reference="b").to_frame()
    fitted = pt.LogisticRegression(parametrization="reference", reference="b").fit(X, y).summary().to_frame()
    assert turned["class"].tolist() == fitted["class"].tolist() == ["a"] * 3 + ["c"] * 3
    np.testing.assert_allclose(turned[NUMBERS].to_numpy(), fitted[NUMBERS].to_numpy(), rtol=1e-6)
    with pytest.raises(pt.DataError, match=r"'d' is not a class: the classes are 'a', 'b', 'c'"):
        pt.LogisticRegression().fit(X, y).summary(reference="d")
    with pytest.raises(pt.DataError, match="parametrization='reference', reference='b'"):
        pt.LogisticRegression().fit(X, y).summary(reference="b", interval="profile", X=X, y=y)


def test_infinite_contrasts_follow_the_reference():
    """Class c lies apart; a and b overlap: only contrasts with c are infinite."""
    X = np.array([[0.0], [1.0], [2.0], [3.0], [10.0], [11.0]])
    y = np.array(["a", "b", "a", "b", "c", "c"])
    model = quietly(pt.LogisticRegression(), X, y)
    slopes = {
        reference: {row.label: row.estimate for row in model.summary(reference=reference).rows if row.term == "x0"}
        for reference in "abc"
    }
    assert slopes["a"]["c"] == slopes["b"]["c"] == math.inf
    assert slopes["c"] == {"a": -math.inf, "b": -math.inf}
    assert math.isfinite(slopes["a"]["b"])
    assert slopes["b"]["a"] == pytest.approx(-slopes["a"]["b"])


def test_grouped_data_are_counted_in_trials_and_equal_expanded_rows():
    x, s, n = np.array([[0.0], [1.0], [2.0]]), np.array([1, 4, 6]), np.array([8, 8, 8])
    grouped = pt.LogisticRegression().fit(x, pt.counts(successes=s, trials=n)).summary()
    rows = np.repeat(x, 2, axis=0)
    labels, weight = np.tile([0, 1], 3), np.column_stack([n - s, s]).ravel()
    expanded = pt.LogisticRegression().fit(np.repeat(rows, weight, axis=0), np.repeat(labels, weight)).summary()
    weighted = pt.LogisticRegression().fit(rows, labels, sample_weight=weight).summary()
    assert [summary.facts.n_observations for summary in (grouped, expanded, weighted)] == [24, 24, 24]
    assert [summary.facts.n_rows for summary in (grouped, expanded, weighted)] == [3, 24, 6]
    assert grouped.facts.df_residual == 1
    for other in (expanded, weighted):
        np.testing.assert_allclose(grouped.to_frame()[NUMBERS], other.to_frame()[NUMBERS], rtol=1e-8)
        assert grouped.facts.pseudo_r2 == pytest.approx(other.facts.pseudo_r2)
        assert grouped.facts.lr_p_value == pytest.approx(other.facts.lr_p_value)
    assert "No. Rows:" in str(grouped)
    assert "No. Rows:" not in str(expanded)


def test_footnotes_name_the_kind_of_weights(endometrial):
    rows, weight = (endometrial[["PI", "EH"]], endometrial["HG"]), np.where(endometrial["PI"] > 15, 2.0, 0.5)
    often = pt.LogisticRegression().fit(*rows, sample_weight=weight).summary()
    much = pt.LogisticRegression(weights="sampling").fit(*rows, sample_weight=weight).summary()
    assert any(sentence.startswith("Frequency weights") for sentence in often.foot)
    assert any(sentence.startswith("Sampling (probability) weights") for sentence in much.foot)
    assert "weights" not in " ".join(pt.LogisticRegression().fit(*rows).summary().foot)
    assert often.facts.n_observations == pytest.approx(weight.sum())
    assert much.facts.n_observations == pytest.approx(79)
    assert math.isnan(much.facts.lr_p_value)


def test_the_certificate_is_in_the_foot(plain):
    assert f"Newton decrement {plain.solution_.decrement:.1e}" in plain.summary().foot[-1]
    assert "no separation, so the maximum exists" in plain.summary().foot[-1]


def test_text_has_the_looks_of_statsmodels_and_of_r(separated):
    lines = str(separated.summary()).splitlines()
    assert lines[0].strip() == "Logistic Regression Results"
    assert lines[1] == "=" * 78
    assert "   coef    std err          z      P>|z|     [0.025     0.975]" in str(separated.summary())
    assert all(len(line) <= 78 for line in lines)
    assert repr(separated.summary()) == str(separated.summary())
    text = separated.summary().to_text("R")
    assert "            Estimate Std. Error z value Pr(>|z|)\n" in text
    assert "EH            -2.903     0.8456  -3.433 0.000597 ***\n" in text
    assert "    Null deviance: 104.903  on 78  degrees of freedom\n" in text
    assert "Residual deviance:  55.393  on 75  degrees of freedom\n" in text
    with pytest.raises(pt.DataError, match="'statsmodels', 'R'"):
        separated.summary().to_text("stata")


class _Collector(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text.append(data)


def test_names_from_the_data_are_escaped_in_html_and_latex(endometrial):
    rows = endometrial[["PI", "EH"]].set_axis(["<script>x</script>", "50%_&#"], axis=1)
    labels = np.where(endometrial["HG"] == 1, "<b>", "_")
    summary = pt.LogisticRegression().fit(rows, labels).summary()
    page = _Collector()
    page.feed(summary._repr_html_())
    assert {"script", "b"}.isdisjoint(page.tags)
    assert "<script>x</script>" in page.text
    assert r"50\%\_\&\#" in summary.to_latex()
    assert "<script>x</script>" in str(summary)


def test_dicts_are_json_with_none_for_what_does_not_exist(separated):
    given = separated.summary().to_dict()
    assert given["coefficients"][1]["estimate"] == math.inf
    assert given["coefficients"][1]["standard_error"] is None
    assert given["n_observations"] == 79
    assert given["status"] == "separated"
    assert "NaN" not in json.dumps(given)


@pytest.mark.parametrize("native", ["pandas", "polars", "pyarrow"])
def test_frames_are_of_the_requested_library(separated, native):
    frame = separated.summary().to_frame(native)
    assert type(frame).__module__.startswith(native)
    assert len(frame) == 4


def test_choices_are_listed_where_one_is_wrong(plain):
    for name, value in (("covariance", "hessian"), ("interval", "score"), ("exponentiate", 1)):
        with pytest.raises(pt.DataError, match=rf"{name}={value!r} is not known"):
            plain.summary(**{name: value})
    with pytest.raises(pt.DataError, match=r"summary\(\) has no argument 'x'"):
        plain.summary(x=1)
    with pytest.raises(pt.DataError, match="level"):
        plain.summary(level=95)


def test_a_table_classifier_speaks_in_the_columns_of_its_frame():
    generator = np.random.default_rng(0)
    frame = pl.DataFrame({
        "dose": generator.normal(size=60), "sex": generator.choice(["f", "m"], size=60),
        "died": generator.choice(["no", "yes"], size=60),
    })  # fmt: skip
    model = pt.TableClassifier(pt.LogisticRegression()).fit(frame, "died")
    summary = model.summary()
    assert [row.term for row in summary.rows] == ["(Intercept)", "dose", "sex=m"]
    assert (summary.target, summary.reference) == ("died", "no")
    assert "died = yes (reference no)" in str(summary)
    turned = pt.TableClassifier(pt.LogisticRegression(), positive="no").fit(frame, "died").summary(exponentiate=True)
    assert turned.reference == "yes"
    np.testing.assert_allclose([row.estimate for row in turned.rows], [math.exp(-row.estimate) for row in summary.rows])
    bounds = model.summary(interval="profile", X=frame, y="died")
    assert all(row.lower < row.estimate < row.upper for row in bounds.rows)
    assert not hasattr(pt.TableClassifier(pt.NaiveBayes()), "summary")


@pytest.mark.parametrize("model", [pt.LogisticRegression(), pt.BayesianLogisticRegression()], ids=["fitted", "bayes"])
def test_names_that_hold_line_breaks_stay_in_their_line(model):
    name, target = "age\nFit status: ok", "low\x1b[31m"
    rows = np.random.default_rng(0).normal(size=40)
    frame = pd.DataFrame({name: rows, target: np.where(rows + np.sin(np.arange(40)) > 0, "y\nes", "no")})
    found = pt.TableClassifier(model).fit(frame, target).summary()
    texts = [str(found)] if isinstance(model, pt.BayesianLogisticRegression) else [str(found), found.to_text("R")]
    for text in texts:
        assert r"age\nFit status: ok " in text
        assert r"y\nes" in text
        assert "\x1b" not in text
    assert name in found.to_frame("pandas")["term"].tolist()


def test_footnotes_of_grouped_data_name_the_constants_in_the_likelihoods():
    """Bliss's beetles: R's logLik(m) is -18.71513 and BIC(m) 41.58915; of single trials the likelihood is lower."""
    dose = np.array([[1.6907], [1.7242], [1.7552], [1.7842], [1.8113], [1.8369], [1.8610], [1.8839]])
    dead, trials = np.array([6, 13, 18, 28, 52, 53, 61, 60]), np.array([59, 60, 62, 56, 63, 59, 62, 60])
    model = pt.LogisticRegression().fit(dose, pt.counts(successes=dead, trials=trials))
    assert (model.log_likelihood_, model.bic_) == pytest.approx((-18.71513, 41.58915), abs=1e-5)
    facts = model.summary().facts
    own, null = (value - facts.log_coefficients for value in (facts.log_likelihood, facts.null_log_likelihood))
    single = pt.LogisticRegression().fit(
        np.repeat(np.repeat(dose, 2, axis=0), np.column_stack([trials - dead, dead]).ravel(), axis=0),
        np.repeat(np.tile([0, 1], 8), np.column_stack([trials - dead, dead]).ravel()),
    )
    assert (own, null) == pytest.approx((single.log_likelihood_, single.null_log_likelihood_))
    assert facts.pseudo_r2 == pytest.approx(1 - own / null)
    for text in (str(model.summary()), model.summary().to_latex(), model.summary().to_text("R")):
        assert "BIC counts rows" in " ".join(text.split())
        assert f"({own:.3f}) / ({null:.3f})" in " ".join(text.split())
    assert single.summary().facts.log_coefficients == 0.0
    assert "Grouped data" not in str(single.summary())
    assert single.bic_ == pytest.approx(2 * np.log(481) - 2 * single.log_likelihood_)
