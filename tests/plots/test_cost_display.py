"""What decisions cost: the curve over thresholds, and the bars of rules."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression as SkLogistic

import posteriori as pt

RNG = np.random.default_rng(1)
X = RNG.standard_normal((300, 2))
Y = np.where(X[:, 0] + RNG.logistic(size=300) > 0, "ill", "well")
Y3 = np.array(["a", "b", "c"])[np.argmax(np.c_[X, 0.3 * X[:, 0]] + RNG.gumbel(size=(300, 3)), axis=1)]
MODEL, MODEL3 = pt.LogisticRegression().fit(X, Y), pt.LogisticRegression().fit(X, Y3)
COSTS = {"ill": {"ill": 0, "well": 1}, "well": {"ill": 4, "well": 0}}
THREE = {"send home": {"well": 0, "ill": 20}, "ask": {"well": 1, "ill": 1}, "treat": {"well": 5, "ill": 0}}


def mean_cost(costs, taken, y, weights=None):
    return np.average([costs[action][label] for action, label in zip(taken, y, strict=True)], weights=weights)


def test_the_line_is_the_mean_cost_of_deciding_at_each_threshold():
    display = pt.CostDisplay.from_estimator(MODEL, X, Y, costs=COSTS)
    p = MODEL.predict_proba(X)[:, 1]
    x, cost = display.line_.get_data()
    assert display.line_.get_drawstyle() == "steps-post"
    assert len(x) == 302  # zero, a step for each row, and the end
    for at in range(0, 302, 7):
        taken = np.where(p > x[at], "well", "ill")
        assert cost[at] == pytest.approx(mean_cost(COSTS, taken, Y))
    assert display.ax_.get_xlabel() == "threshold for P(y = well)"


def test_the_threshold_of_the_costs_is_marked_at_what_the_careful_classifier_costs():
    careful = pt.CostSensitive(MODEL, COSTS)
    display = pt.CostDisplay.from_estimator(careful, X, Y)
    assert display.threshold_ == careful.threshold_ == 0.8
    assert display.bayes_.get_xdata().tolist() == [0.8, 0.8]
    assert display.bayes_.get_ydata()[1] == pytest.approx(mean_cost(COSTS, careful.predict(X), Y))
    assert display.costs_["least expected cost"] == pytest.approx(mean_cost(COSTS, careful.predict(X), Y))
    assert display.costs_["most probable class"] == pytest.approx(mean_cost(COSTS, MODEL.predict(X), Y))
    assert display.costs_["always ill"] == pytest.approx(np.mean(Y == "well"))


def test_the_best_threshold_on_the_rows_costs_no_more_than_any_other():
    display = pt.CostDisplay.from_estimator(MODEL, X, Y, costs=COSTS)
    p = MODEL.predict_proba(X)[:, 1]
    every = [mean_cost(COSTS, np.where(p > t, "well", "ill"), Y) for t in np.linspace(0, 1, 500)]
    at_best = mean_cost(COSTS, np.where(p > display.best_threshold_, "well", "ill"), Y)
    assert at_best <= min(every) + 1e-12
    assert display.best_.get_xydata()[1] == pytest.approx([display.best_threshold_, at_best])


def test_without_costs_the_curve_is_the_share_of_mistakes_and_the_threshold_a_half():
    display = pt.CostDisplay.from_estimator(SkLogistic().fit(X, Y), X, Y)
    model = SkLogistic().fit(X, Y)
    assert display.threshold_ == 0.5
    assert display.bayes_.get_ydata()[1] == pytest.approx(np.mean(model.predict(X) != Y))


def test_weights_are_copies_and_rows_of_weight_zero_do_not_count():
    weights = RNG.integers(0, 4, 300)
    spoiled = X.copy()
    spoiled[weights == 0] = np.inf
    one = pt.CostDisplay.from_estimator(MODEL, spoiled, Y, costs=COSTS, sample_weight=weights)
    two = pt.CostDisplay.from_estimator(MODEL, np.repeat(X, weights, axis=0), np.repeat(Y, weights), costs=COSTS)
    np.testing.assert_allclose(one.curve.cost, two.curve.cost)
    np.testing.assert_array_equal(one.curve.threshold, two.curve.threshold)
    assert one.costs_ == pytest.approx(two.costs_)


def test_other_actions_are_bars_of_what_each_rule_costs():
    display = pt.CostDisplay.from_estimator(pt.CostSensitive(MODEL, THREE), X, Y)
    assert list(display.costs_) == ["least expected cost", "always send home", "always ask", "always treat"]
    widths = [bar.get_width() for bar in display.bars_]
    taken = pt.CostSensitive(MODEL, THREE).predict(X)
    expected = [mean_cost(THREE, taken, Y), *(mean_cost(THREE, np.full(300, action), Y) for action in THREE)]
    np.testing.assert_allclose(widths, expected)
    assert display.threshold_ is None
    assert display.best_threshold_ is None
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == list(display.costs_)


def test_three_classes_are_bars_with_the_most_probable_class_among_them():
    costs = RNG.random((4, 3))
    display = pt.CostDisplay.from_estimator(MODEL3, X, Y3, costs=costs, actions=["c", "ask", "a", "b"])
    place = {"c": 0, "a": 2, "b": 3}
    taken = [costs[place[label], "abc".index(true)] for label, true in zip(MODEL3.predict(X), Y3, strict=True)]
    assert display.costs_["most probable class"] == pytest.approx(np.mean(taken))
    assert display.costs_["always ask"] == pytest.approx(np.mean([costs[1, "abc".index(true)] for true in Y3]))
    assert display.costs_["least expected cost"] <= 1


def test_two_actions_that_are_no_classes_have_a_threshold_too():
    two = {name: THREE[name] for name in ("send home", "treat")}
    display = pt.CostDisplay.from_estimator(MODEL, X, Y, costs=two)
    assert display.threshold_ == pytest.approx(0.8)
    assert display.action == "send home"
    assert "most probable class" not in display.costs_


def test_a_frame_a_turned_table_and_classes_that_no_row_has():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "health": Y})
    model = pt.TableClassifier(pt.CostSensitive(pt.LogisticRegression(), COSTS), positive="ill").fit(frame, "health")
    display = pt.CostDisplay.from_estimator(model, frame, "health")
    assert display.threshold_ == pytest.approx(0.2)
    assert display.ax_.get_xlabel() == "threshold for P(health = ill)"
    assert display.costs_["least expected cost"] == pytest.approx(mean_cost(COSTS, model.predict(frame), Y))
    only = frame[frame["health"] == "well"]
    alone = pt.CostDisplay.from_estimator(model, only, "health")
    assert alone.costs_["always well"] == 0
    assert alone.curve.cost[0] == 1


def test_costs_that_favour_one_action_whatever_the_class_are_drawn_too():
    display = pt.CostDisplay.from_estimator(MODEL, X, Y, costs=[[1, 1], [0, 0]])
    assert display.threshold_ == 0
    assert display.costs_["least expected cost"] == 0
    free = pt.CostDisplay.from_estimator(MODEL, X, Y, costs=np.zeros((2, 2)))
    assert set(free.curve.cost) == {0.0}
    free.figure_.canvas.draw()


def test_invalid_labels_and_costs_raise():
    with pytest.raises(pt.DataError, match=r"unknown class\(es\): 'dead'"):
        pt.CostDisplay.from_estimator(MODEL, X[:2], ["ill", "dead"])
    with pytest.raises(pt.DataError, match="negative"):
        pt.CostDisplay.from_estimator(MODEL, X, Y, costs=[[0, -1], [1, 0]])
    with pytest.raises(pt.DataTypeError, match="no predict_proba"):
        pt.CostDisplay.from_estimator(pt.FisherDiscriminant().fit(X, Y), X, Y)
