"""The forest of coefficients: what is a number is drawn as one, what is none is not."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt

RNG = np.random.default_rng(0)
X = RNG.standard_normal((200, 3))
Y = np.where(X[:, 0] + RNG.logistic(size=200) > 0, "yes", "no")
Y3 = np.array(["a", "b", "c"])[np.argmax(X + RNG.gumbel(size=(200, 3)), axis=1)]
MODEL, MODEL3 = pt.LogisticRegression().fit(X, Y), pt.LogisticRegression().fit(X, Y3)


def spans(display, label):
    return np.array([segment[:, 0] for segment in display.intervals_[label].get_segments()])


@pytest.fixture(scope="module")
def separated():
    """One column separates some rows, two others are the same."""
    separating = (Y == "yes") & (X[:, 1] > 0)
    with pytest.warns(pt.NotIdentifiedWarning):
        return pt.LogisticRegression().fit(np.c_[X[:, 0], separating, X[:, 2], 2 * X[:, 2]], Y)


# --- numbers


def test_marks_and_lines_are_the_estimates_and_intervals_of_the_summary():
    display = pt.CoefficientDisplay.from_estimator(MODEL, level=0.9, intercept=True)
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), [MODEL.intercept_[0], *MODEL.coef_[0]])
    np.testing.assert_allclose(spans(display, "yes"), MODEL.confidence_interval(0.9))
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["(Intercept)", "x0", "x1", "x2"]
    assert display.null_.get_xdata()[0] == 0
    assert display.ax_.get_xlabel() == "log odds of y = yes (reference no)"
    assert "90 % Wald intervals" in display.foot_.get_text()
    assert display.ax_.get_legend() is None
    assert display.arrows_ == display.words_ == []
    low, high = display.ax_.get_xlim()
    assert low < spans(display, "yes").min()
    assert high > spans(display, "yes").max()


def test_the_first_coefficient_is_on_top_and_the_intercept_is_drawn_only_on_request():
    display = pt.CoefficientDisplay.from_estimator(MODEL)
    assert display.estimates.terms == ("x0", "x1", "x2")
    bottom, top = display.ax_.get_ylim()
    assert bottom > top
    assert display.points_["yes"].get_ydata().tolist() == [0, 1, 2]


def test_ratios_are_on_a_log_scale_about_one():
    display = pt.CoefficientDisplay.from_estimator(MODEL, exponentiate=True)
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), np.exp(MODEL.coef_[0]))
    np.testing.assert_allclose(spans(display, "yes"), np.exp(MODEL.confidence_interval()[1:]))
    assert display.ax_.get_xscale() == "log"
    assert display.null_.get_xdata()[0] == 1
    assert 1.0 in display.ax_.get_xticks()
    assert display.ax_.get_xlabel() == "odds ratio of y = yes (reference no)"


def test_robust_and_profile_intervals_are_drawn_and_named():
    robust = pt.CoefficientDisplay.from_estimator(MODEL, covariance="robust")
    errors = MODEL.standard_errors("robust")[1:]
    np.testing.assert_allclose(np.diff(spans(robust, "yes"))[:, 0], 2 * 1.959963984540054 * errors)
    assert "robust" in robust.foot_.get_text()
    profile = pt.CoefficientDisplay.from_estimator(MODEL, interval="profile", X=X, y=Y)
    np.testing.assert_allclose(spans(profile, "yes"), MODEL.confidence_interval(method="profile", X=X, y=Y)[1:])
    assert "profile" in profile.foot_.get_text()


def test_more_classes_have_a_colour_and_a_mark_each_beside_one_another():
    display = pt.CoefficientDisplay.from_estimator(MODEL3)
    assert list(display.points_) == ["b", "c"]
    np.testing.assert_allclose(display.points_["b"].get_xdata(), MODEL3.coef_[1] - MODEL3.coef_[0])
    np.testing.assert_allclose(display.points_["c"].get_xdata(), MODEL3.coef_[2] - MODEL3.coef_[0])
    assert display.points_["b"].get_color() != display.points_["c"].get_color()
    assert display.points_["b"].get_marker() != display.points_["c"].get_marker()
    assert (display.points_["b"].get_ydata() < display.points_["c"].get_ydata()).all()
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["b", "c"]
    assert display.ax_.get_xlabel() == "log odds (reference y = a)"
    other = pt.CoefficientDisplay.from_estimator(MODEL3, reference="c")
    np.testing.assert_allclose(other.points_["a"].get_xdata(), MODEL3.coef_[0] - MODEL3.coef_[2])


@pytest.mark.parametrize("link", ["probit", "cloglog"])
def test_the_scale_of_coefficients_names_the_link(link):
    model = pt.BinaryRegression(link=link).fit(X, Y)
    display = pt.CoefficientDisplay.from_estimator(model)
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), model.coef_[0])
    assert f"{link} link" in display.ax_.get_xlabel()
    if link == "cloglog":
        ratios = pt.CoefficientDisplay.from_estimator(model, exponentiate=True)
        assert ratios.ax_.get_xlabel().startswith("hazard ratio")
    else:
        with pytest.raises(pt.DataError, match="leave exponentiate out"):
            pt.CoefficientDisplay.from_estimator(model, exponentiate=True)


def test_a_posterior_is_drawn_with_its_credible_intervals():
    model = pt.BayesianLogisticRegression(prior=1.0).fit(X, Y)
    display = pt.CoefficientDisplay.from_estimator(model, level=0.8)
    frame = model.summary(level=0.8).to_frame("pandas").iloc[1:]
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), frame["mean"])
    np.testing.assert_allclose(spans(display, "yes"), frame[["lower", "upper"]])
    assert display.foot_.get_text() == "posterior means, 80 % credible intervals"
    three = pt.CoefficientDisplay.from_estimator(pt.BayesianLogisticRegression(prior=1.0).fit(X, Y3))
    assert list(three.points_) == ["a", "b", "c"]
    with pytest.raises(pt.DataError, match="'covariance' cannot be chosen for BayesianLogisticRegression"):
        pt.CoefficientDisplay.from_estimator(model, covariance="robust")


# --- what is no number


def test_an_estimate_at_infinity_is_an_arrow_and_dependent_columns_are_words(separated):
    for exponentiate in (False, True):
        display = pt.CoefficientDisplay.from_estimator(separated, exponentiate=exponentiate)
        assert len(display.points_["yes"].get_xdata()) == len(spans(display, "yes")) == 1
        assert [text.get_text() for text in display.words_] == [
            "no finite estimate", "not identified", "not identified",
        ]  # fmt: skip
        (arrow,) = display.arrows_
        assert arrow.get_marker() == ">"
        assert arrow.get_xdata()[0] == display.ax_.get_xlim()[1]
        assert arrow.get_ydata()[0] == 1
        display.figure_.canvas.draw()


def test_an_estimate_at_minus_infinity_points_to_the_left():
    separating = (Y == "no") & (X[:, 1] > 0)
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(np.c_[X[:, 0], separating], Y)
    for exponentiate in (False, True):
        (arrow,) = pt.CoefficientDisplay.from_estimator(model, exponentiate=exponentiate).arrows_
        assert arrow.get_marker() == "<"


def test_a_profile_interval_under_separation_goes_on_for_ever():
    separating = (Y == "yes") & (X[:, 1] > 0)
    rows = np.c_[X[:, 0], separating]
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(rows, Y)
    display = pt.CoefficientDisplay.from_estimator(model, interval="profile", X=rows, y=Y)
    bounds = model.confidence_interval(method="profile", X=rows, y=Y)
    assert np.isposinf(bounds[2, 1])
    edge = display.ax_.get_xlim()[1]
    np.testing.assert_allclose(spans(display, "yes")[1], [bounds[2, 0], edge])
    (arrow,) = display.arrows_
    assert arrow.get_xydata().tolist() == [[edge, 1.0]]
    assert [text.get_text() for text in display.words_] == ["no finite estimate"]


def test_nothing_but_infinite_estimates_is_drawn_too():
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    display = pt.CoefficientDisplay.from_estimator(model, intercept=True)
    assert [arrow.get_marker() for arrow in display.arrows_] == ["<", ">"]
    assert display.ax_.get_xlim() == (-1, 1)
    display.figure_.canvas.draw()


def test_a_coefficient_that_is_not_identified_has_an_arrow_to_each_side():
    separating = np.linspace(-1, 1, len(X)) + np.sign(np.linspace(-1, 1, len(X)))
    with pytest.warns(pt.SeparationWarning):
        model = pt.LogisticRegression().fit(np.c_[separating, X[:, 0]], separating > 0)
    display = pt.CoefficientDisplay.from_estimator(model, terms=["x1"])
    assert [arrow.get_marker() for arrow in display.arrows_] == ["<", ">"]
    assert [text.get_text() for text in display.words_] == ["not identified"]
    assert display.estimates.states == ("not identified",)


def test_ratios_beyond_the_range_of_numbers_are_arrows():
    x = np.linspace(-1, 1, 40)[:, None] * 1e-4
    y = (np.arange(40) + np.arange(40) % 3 * 8) > 26
    model = pt.LogisticRegression().fit(x, y)
    assert model.coef_[0, 0] > 710
    display = pt.CoefficientDisplay.from_estimator(model, exponentiate=True)
    assert len(display.points_[True].get_xdata()) == 0
    assert {arrow.get_marker() for arrow in display.arrows_} == {">"}
    assert [text.get_text() for text in display.words_] == ["beyond floating-point range"]
    display.figure_.canvas.draw()


def test_standard_errors_that_fit_did_not_sum_are_missing_with_a_reason():
    model = pt.LogisticRegression(inference=False).fit(X, Y)
    display = pt.CoefficientDisplay.from_estimator(model)
    assert len(spans(display, "yes")) == 0
    assert len(display.points_["yes"].get_xdata()) == 3
    assert "No standard errors" in display.foot_.get_text()
    with_rows = pt.CoefficientDisplay.from_estimator(model, X=X, y=Y)
    np.testing.assert_allclose(spans(with_rows, "yes"), MODEL.confidence_interval()[1:], rtol=1e-6)


# --- models without standard errors


@pytest.mark.parametrize(
    "model",
    [pt.FisherDiscriminant(), pt.LeastSquaresClassifier(), pt.Perceptron(max_iter=3), RidgeClassifier()],
    ids=lambda model: type(model).__name__,
)
@pytest.mark.parametrize("y", [Y, Y3], ids=["two", "three"])
@pytest.mark.filterwarnings("ignore::posteriori.ConvergenceWarning")
def test_weights_without_standard_errors_have_marks_only_and_a_note(model, y):
    model.fit(X, y)
    display = pt.CoefficientDisplay.from_estimator(model)
    labels = ["yes"] if y is Y else ["a", "b", "c"]
    for label, weights in zip(labels, np.atleast_2d(model.coef_), strict=True):
        np.testing.assert_array_equal(display.points_[label].get_xdata(), weights)
        assert len(spans(display, label)) == 0
    assert display.foot_.get_text() == f"no intervals: {type(model).__name__} has no standard errors"
    with pytest.raises(pt.DataError, match="not an odds ratio"):
        pt.CoefficientDisplay.from_estimator(model, exponentiate=True)
    with pytest.raises(pt.DataError, match="'level', 'interval' cannot be chosen"):
        pt.CoefficientDisplay.from_estimator(model, level=0.9, interval="profile")


@pytest.mark.parametrize("model", [pt.GaussianClassifier(), pt.NaiveBayes(shared=True)], ids=["gaussian", "bayes"])
def test_generative_models_are_drawn_as_the_log_odds_they_imply(model):
    model.fit(X, Y)
    form = model.as_linear()
    display = pt.CoefficientDisplay.from_estimator(model, intercept=True)
    expected = np.append(form.intercept[1] - form.intercept[0], form.coef[1] - form.coef[0])
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), expected)
    ratios = pt.CoefficientDisplay.from_estimator(model, exponentiate=True)
    np.testing.assert_allclose(ratios.points_["yes"].get_xdata(), np.exp(expected[1:]))
    turned = pt.CoefficientDisplay.from_estimator(model, reference="yes")
    np.testing.assert_allclose(turned.points_["no"].get_xdata(), -expected[1:])
    model.fit(X, Y3)
    form = model.as_linear()
    three = pt.CoefficientDisplay.from_estimator(model, reference="b")
    np.testing.assert_allclose(three.points_["c"].get_xdata(), form.coef[2] - form.coef[1])


def test_a_trigger_that_never_fails_has_no_finite_theta():
    with pytest.warns(pt.SeparationWarning):
        model = pt.NoisyOr().fit([[1, 0], [0, 1], [1, 0], [0, 0], [0, 0], [1, 0]], [1, 1, 0, 0, 1, 1])
    display = pt.CoefficientDisplay.from_estimator(model)
    assert len(display.points_[1].get_xdata()) == 1
    assert [text.get_text() for text in display.words_] == ["no finite estimate"]


def test_scikit_learn_s_logistic_regression_gives_odds_ratios_without_intervals():
    model = SkLogistic().fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    display = pt.CoefficientDisplay.from_estimator(model, exponentiate=True)
    np.testing.assert_allclose(display.points_["yes"].get_xdata(), np.exp(model.coef_[0]))
    assert display.estimates.terms == ("a", "b", "c")
    table = pt.TableClassifier(SkLogistic(), positive="no").fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    turned = pt.CoefficientDisplay.from_estimator(table)
    np.testing.assert_allclose(turned.points_["no"].get_xdata(), -model.coef_[0])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (pt.KernelLogisticRegression(), "belong to its centres"),
        (pt.OneVsRest(pt.LogisticRegression()), "has no coefficients"),
        (KNeighborsClassifier(), "has no coefficients"),
        (pt.GaussianClassifier(shared=False), "quadratic"),
    ],
    ids=["kernel", "one against rest", "neighbours", "quadratic"],
)
def test_models_without_coefficients_raise(model, message):
    with pytest.raises(pt.DataError, match=message):
        pt.CoefficientDisplay.from_estimator(model.fit(X, Y))


# --- frames, names, terms


def table(**parameters):
    frame = pd.DataFrame({"age": X[:, 0], "race": np.array(["x", "y", "z"])[RNG.integers(0, 3, 200)], "sick": Y})
    return pt.TableClassifier(pt.LogisticRegression(), **parameters).fit(frame, "sick")


def test_a_table_is_drawn_in_its_own_columns_and_the_class_that_is_positive():
    display = pt.CoefficientDisplay.from_estimator(table(positive="no"))
    assert display.estimates.terms == ("age", "race=y", "race=z")
    assert display.ax_.get_xlabel() == "log odds of sick = no (reference yes)"
    assert list(display.points_) == ["no"]


def test_terms_are_picked_in_their_order_and_a_column_stands_for_its_levels():
    model = table()
    assert pt.CoefficientDisplay.from_estimator(model, terms=["race", "age"]).estimates.terms == (
        "race=y", "race=z", "age",
    )  # fmt: skip
    assert pt.CoefficientDisplay.from_estimator(model, terms="race=z").estimates.terms == ("race=z",)
    assert pt.CoefficientDisplay.from_estimator(model, terms=["age"], intercept=True).estimates.terms == (
        "(Intercept)", "age",
    )  # fmt: skip
    with pytest.raises(pt.DataError, match=r"no column 'rice'. Did you mean 'race=z'|'rice'"):
        pt.CoefficientDisplay.from_estimator(model, terms=["rice"])
    with pytest.raises(pt.DataError, match="no coefficient to draw"):
        pt.CoefficientDisplay.from_estimator(model, terms=[])


def test_models_inside_decisions_and_pipelines_are_found():
    for model in (
        pt.CostSensitive(MODEL, [[0, 2], [1, 0]]),
        pt.RejectOption(pt.CostSensitive(MODEL), threshold=0.8),
        make_pipeline(StandardScaler(with_mean=False, with_std=False), pt.LogisticRegression()).fit(X, Y),
        pt.TableClassifier(pt.RejectOption(pt.LogisticRegression(), threshold=0.8)).fit(pd.DataFrame(X), Y),
    ):
        display = pt.CoefficientDisplay.from_estimator(model)
        np.testing.assert_allclose(display.points_["yes"].get_xdata(), MODEL.coef_[0], rtol=1e-6)
        np.testing.assert_allclose(spans(display, "yes"), MODEL.confidence_interval()[1:], rtol=1e-6)


def test_long_names_lose_their_middle_and_dollars_are_no_mathematics():
    names = ["the price in $ of a dozen $ eggs, fresh", "b" * 200, "two\nlines"]
    model = pt.LogisticRegression().fit(pd.DataFrame(X, columns=names), Y)
    display = pt.CoefficientDisplay.from_estimator(model)
    shown = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert shown == [r"the price in \$ o…n \$ eggs, fresh", "b" * 16 + "…" + "b" * 15, "two lines"]
    display.figure_.canvas.draw()


@pytest.mark.slow
def test_the_figure_grows_with_the_number_of_coefficients():
    wide = pt.LogisticRegression(prior=1.0).fit(RNG.standard_normal((200, 80)), Y)
    tall = pt.CoefficientDisplay.from_estimator(wide)
    assert tall.figure_.get_figheight() > 4 * pt.CoefficientDisplay.from_estimator(MODEL).figure_.get_figheight()
    tall.figure_.canvas.draw()
    boxes = [label.get_window_extent() for label in tall.ax_.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 for upper, lower in pairwise(boxes))


def test_the_error_for_a_null_model_mentions_its_intercept():
    data = pd.DataFrame({"y": ["no", "yes", "yes"]})
    model = pt.LogisticRegression.from_formula("y ~ 1", data)
    with pytest.raises(pt.DataError, match="only an intercept"):
        pt.CoefficientDisplay.from_estimator(model)
    assert pt.CoefficientDisplay.from_estimator(model, intercept=True).ax_ is not None
