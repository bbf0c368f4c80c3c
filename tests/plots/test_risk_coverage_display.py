"""Risk against coverage: ties, weights, costs, rules, and models of every kind."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt

RNG = np.random.default_rng(0)
X = RNG.standard_normal((200, 2))
Y = np.where(X[:, 0] + RNG.logistic(size=200) > 0, "yes", "no")
Y3 = np.array(["a", "b", "c"])[np.argmax(np.c_[X, 0.3 * X[:, 0]] + RNG.gumbel(size=(200, 3)), axis=1)]
MODEL, MODEL3 = pt.LogisticRegression().fit(X, Y), pt.LogisticRegression().fit(X, Y3)


class Fixed(ClassifierMixin, BaseEstimator):
    """A classifier that gives back the probabilities in X."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.asarray(X)

    def predict(self, X):
        return self.classes_[np.asarray(X).argmax(axis=1)]


@settings(max_examples=60)
@given(st.integers(0, 100_000))
@pytest.mark.slow
def test_the_curve_is_what_answering_at_every_level_gives(seed):
    rng = np.random.default_rng(seed)
    p = rng.integers(1, 5, (25, 3)).astype(float)
    p /= p.sum(axis=1, keepdims=True)
    y, weights = rng.integers(0, 3, 25), rng.integers(0, 3, 25)
    weights[0] = 1
    display = pt.RiskCoverageDisplay.from_estimator(Fixed().fit(None, range(3)), p, y, sample_weight=weights)
    plt.close("all")
    curve = display.curves["Fixed"]
    top, wrong = p.max(axis=1), p.argmax(axis=1) != y
    levels = sorted(set(top[weights > 0]), reverse=True)
    assert curve.threshold.tolist() == levels
    area, before = 0.0, 0.0
    for at, level in enumerate(levels):
        answered = weights * (top >= level)
        assert curve.coverage[at] == pytest.approx(answered.sum() / weights.sum())
        assert curve.risk[at] == pytest.approx(answered @ wrong / answered.sum())
        area += (curve.coverage[at] - before) * curve.risk[at]
        before = curve.coverage[at]
    assert display.area_ == pytest.approx(area)


def test_the_line_is_the_curve_and_begins_at_no_coverage():
    display = pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, name="logistic")
    line, curve = display.lines_["logistic"], display.curves["logistic"]
    np.testing.assert_array_equal(line.get_xdata()[1:], curve.coverage)
    np.testing.assert_array_equal(line.get_ydata(), np.append(curve.risk[0], curve.risk))
    assert line.get_xdata()[0] == 0
    assert line.get_drawstyle() == "steps-pre"
    assert display.levels_["logistic"].get_ydata()[0] == pytest.approx(np.mean(MODEL.predict(X) != Y))
    assert display.marks_ == {}
    assert display.ax_.get_ylabel() == "error rate (selective risk)"


@pytest.mark.parametrize("rule", [{"threshold": 0.7}, {"cost": 0.3}], ids=str)
def test_the_rule_of_a_reject_option_is_marked_where_it_stands_on_the_curve(rule):
    option = pt.RejectOption(MODEL, **rule)
    display = pt.RiskCoverageDisplay.from_estimator(option, X, Y)
    answered = ~option.is_rejected(X)
    (x,), (y,) = display.marks_["RejectOption"].get_data()
    assert x == pytest.approx(answered.mean())
    assert y == pytest.approx(np.mean(MODEL.predict(X)[answered] != Y[answered]))
    curve = display.curves["RejectOption"]
    assert y == pytest.approx(curve.risk[np.argmin(np.abs(curve.coverage - x))])
    plain = pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y).curves["LogisticRegression"]
    np.testing.assert_array_equal(curve.risk, plain.risk)


@pytest.mark.parametrize(
    "wrap",
    [
        pt.PriorShift,
        pt.CostSensitive,
        pt.RejectOption,
        lambda option: make_pipeline(StandardScaler(with_mean=False, with_std=False).fit(X), option),
    ],
    ids=["prior shift", "costs", "another", "pipeline"],
)
def test_a_rule_inside_other_classifiers_is_found_and_does_not_change_the_curve(wrap):
    display = pt.RiskCoverageDisplay.from_estimator(wrap(pt.RejectOption(MODEL, threshold=0.8)), X, Y, name="it")
    plain = pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, name="it")
    np.testing.assert_allclose(display.curves["it"].risk, plain.curves["it"].risk, atol=1e-12)
    (x,), _ = display.marks_["it"].get_data()
    assert x == pytest.approx(np.mean(MODEL.predict_proba(X).max(axis=1) >= 0.8))


def test_a_rule_that_answers_no_row_has_no_mark_but_a_word():
    display = pt.RiskCoverageDisplay.from_estimator(pt.RejectOption(MODEL, threshold=1.0), X, Y)
    assert display.marks_ == {}
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "threshold 1: rejects all rows" in texts


COSTS = {"send": {"no": 0, "yes": 20}, "ask": {"no": 1, "yes": 1}, "treat": {"no": 5, "yes": 0}}


def test_with_costs_the_risk_is_what_the_least_expected_cost_costs():
    careful = pt.CostSensitive(MODEL, COSTS)
    taken = careful.predict(X)
    lost = np.array([COSTS[action][label] for action, label in zip(taken, Y, strict=True)])
    top = MODEL.predict_proba(X).max(axis=1)
    for display in (
        pt.RiskCoverageDisplay.from_estimator(careful, X, Y, name="it"),
        pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, costs=COSTS, name="it"),
        pt.RiskCoverageDisplay.from_estimator(pt.RejectOption(careful, threshold=0.9), X, Y, name="it"),
        pt.RiskCoverageDisplay.from_estimator(
            MODEL, X, Y, costs=[[0, 20], [1, 1], [5, 0]], actions=["send", "ask", "treat"], name="it"
        ),
    ):
        curve = display.curves["it"]
        expected = [lost[top >= level].mean() for level in curve.threshold]
        np.testing.assert_allclose(curve.risk, expected)
        assert display.ax_.get_ylabel() == "mean cost (selective risk)"


def test_several_models_have_a_curve_an_area_and_a_line_of_their_own():
    models = {"logistic": MODEL3, "forest": RandomForestClassifier(10, random_state=0).fit(X, Y3)}
    display = pt.RiskCoverageDisplay.from_estimators(models, X, Y3)
    assert list(display.area_) == ["logistic", "forest"]
    for name, model in models.items():
        assert display.area_[name] == pt.RiskCoverageDisplay.from_estimator(model, X, Y3).area_
    assert len({line.get_color() for line in display.lines_.values()}) == 2
    assert len({line.get_linestyle() for line in display.lines_.values()}) == 2
    with pytest.raises(pt.DataError, match="pass costs= for all"):
        pt.RiskCoverageDisplay.from_estimators({"a": MODEL, "b": pt.CostSensitive(MODEL, COSTS)}, X, Y)


def test_the_answers_are_the_model_s_own_even_where_they_are_not_its_most_probable_class():
    class Contrary(Fixed):
        def predict(self, X):
            return self.classes_[np.asarray(X).argmin(axis=1)]

    p = np.array([[0.9, 0.1], [0.2, 0.8]])
    display = pt.RiskCoverageDisplay.from_estimator(Contrary().fit(None, ["a", "b"]), p, ["a", "b"])
    assert display.curves["Contrary"].risk.tolist() == [1.0, 1.0]


def test_a_frame_through_a_table_classifier_with_truth_values_for_classes():
    frame = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "up", "down"), "sick": Y == "yes"})
    model = pt.TableClassifier(pt.RejectOption(pt.LogisticRegression(), threshold=0.7), positive=False)
    model.fit(frame, "sick")
    display = pt.RiskCoverageDisplay.from_estimator(model, frame, "sick")
    p = model.predict_proba(frame)
    right = model.classes_[p.argmax(axis=1)] == frame["sick"].to_numpy()
    assert display.curves["TableClassifier"].risk[-1] == pytest.approx(np.mean(~right))
    (x,), _ = display.marks_["TableClassifier"].get_data()
    assert x == pytest.approx(np.mean(p.max(axis=1) >= 0.7))


def test_a_perfect_model_is_drawn_with_no_risk():
    display = pt.RiskCoverageDisplay.from_estimator(Fixed().fit(None, [0, 1]), [[1.0, 0.0], [0.0, 1.0]], [0, 1])
    assert display.area_ == 0
    assert display.ax_.get_ylim() == (0, 1)
    display.figure_.canvas.draw()


def test_labels_that_are_unknown_or_missing_raise():
    with pytest.raises(pt.DataError, match=r"unknown class\(es\): 'maybe'"):
        pt.RiskCoverageDisplay.from_estimator(MODEL, X[:2], ["yes", "maybe"])
    with pytest.raises(pt.DataError, match="contains NaN"):
        pt.RiskCoverageDisplay.from_estimator(pt.LogisticRegression().fit(X, Y == "yes"), X[:2], [1.0, np.nan])
    with pytest.raises(pt.DataError, match="'purple'"):
        pt.RiskCoverageDisplay.from_estimator(MODEL, X, Y, costs={"go": {"yes": 1, "purple": 2}})
