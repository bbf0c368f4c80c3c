"""`RejectOption`: rows answered, rows refused, and what refusing buys."""

import datetime
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

import posteriori as pt
from tests.estimators.wrappers.decision_data import INSIDE, rows

X, y = rows()
MODEL = pt.LogisticRegression(prior=1.0).fit(X, y)


def labelled(labels):
    """Fit to labels of another type, in the order of the classes."""
    return pt.GaussianClassifier().fit(X, np.asarray(labels)[np.unique(y, return_inverse=True)[1]])


@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("K", [2, 3, 5])
def test_by_default_nothing_changes(name, K):
    X, y = rows(K)
    inner = INSIDE[name]().fit(X, y)
    for model in (pt.RejectOption(inner), pt.RejectOption(INSIDE[name]()).fit(X, y)):
        np.testing.assert_array_equal(model.predict(X), inner.predict(X))
        np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
        assert model.predict(X).dtype == inner.predict(X).dtype
        assert model.classes_.tolist() == inner.classes_.tolist()
        assert not model.is_rejected(X).any()


@pytest.mark.parametrize("name", INSIDE)
def test_a_cost_of_zero_rejects_all_and_of_one_none(name):
    inner = INSIDE[name]().fit(X, y)
    assert set(pt.RejectOption(inner, cost=0).predict(X)) == {"rejected"}
    assert pt.RejectOption(inner, cost=0).is_rejected(X).all()
    np.testing.assert_array_equal(pt.RejectOption(inner, cost=1).predict(X), inner.predict(X))
    np.testing.assert_array_equal(pt.RejectOption(inner, threshold=0).predict(X), inner.predict(X))


@pytest.mark.parametrize("name", INSIDE)
def test_rows_below_the_level_are_rejected_and_no_others_changed(name):
    inner = INSIDE[name]().fit(X, y)
    model = pt.RejectOption(INSIDE[name](), threshold=0.7).fit(X, y)
    low = inner.predict_proba(X).max(axis=1) < 0.7
    assert 0 < low.sum() < len(X)
    np.testing.assert_array_equal(model.is_rejected(X), low)
    np.testing.assert_array_equal(model.predict(X), np.where(low, "rejected", inner.predict(X)))
    if hasattr(inner, "decision_function"):
        np.testing.assert_array_equal(model.decision_function(X), inner.decision_function(X))


def test_a_higher_level_or_a_lower_cost_rejects_more():
    by_level = [pt.RejectOption(MODEL, threshold=t).is_rejected(X) for t in np.linspace(0, 1, 11)]
    by_cost = [pt.RejectOption(MODEL, cost=c).is_rejected(X) for c in np.linspace(1, 0, 11)]
    for marked in (by_level, by_cost):
        assert all((less <= more).all() for less, more in pairwise(marked))


@pytest.mark.parametrize(
    ("labels", "label", "kind"),
    [
        (["a", "b", "c"], "rejected", "U"),
        (np.array(["a", "b", "c"], dtype=object), "rejected", "O"),
        ([b"a", b"b", b"c"], b"rejected", "S"),
        ([0, 1, 2], -1, "i"),
        (np.array([0, 1, 2], dtype=np.uint8), -1, "i"),
        (np.array([0, 1, 2], dtype=np.uint64), -1, "O"),
        ([0.0, 1.0, 2.0], -1.0, "f"),
        ([-1, 0, 1], -2, "i"),
        (np.array([-128, -1, 1], dtype=np.int8), -129, "i"),
        ([-1.0, 0.0, 1.0], -2.0, "f"),
        ([-(2.0**60), -1.0, 1.0], np.nextafter(-(2.0**60), -np.inf), "f"),
        (["rejected", "b", "c"], "undecided", "U"),
        ([b"rejected", b"undecided", b"c"], b"undecided 2", "S"),
        (np.array([datetime.date(2020, 1, d) for d in (1, 2, 3)], dtype=object), "rejected", "O"),
        (np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="M8[D]"), "rejected", "O"),
    ],
)
def test_the_label_and_the_type_follow_the_classes(labels, label, kind):
    inner = labelled(labels)
    model = pt.RejectOption(inner, threshold=0.7)
    assert model.reject_label_ == label
    found, rejected = model.predict(X), model.is_rejected(X)
    assert found.dtype.kind == kind
    assert all(answer == label for answer in found[rejected])
    assert found[~rejected].tolist() == inner.predict(X)[~rejected].astype(found.dtype).tolist()
    assert model.predict(X[~rejected]).dtype == found.dtype  # the type depends on no row


def test_truth_values_are_not_turned_into_numbers():
    model = pt.RejectOption(pt.GaussianClassifier().fit(X, y == "cat"), threshold=0.8)
    assert set(model.predict(X)) == {True, False, "rejected"}
    assert pt.RejectOption(model.estimator, threshold=0.8, reject_label=1).predict(X).dtype == object


def test_a_label_of_ones_own_and_one_that_is_a_class():
    assert "?" in pt.RejectOption(MODEL, threshold=0.7, reject_label="?").predict(X)
    with pytest.raises(pt.DataError, match="'bee' is also one of the predictions 'ant', 'bee', 'cat'"):
        pt.RejectOption(MODEL, threshold=0.7, reject_label="bee").predict(X)
    with pytest.raises(pt.DataTypeError, match=r"reject_label=\['a'\] is not a label"):
        pt.RejectOption(MODEL, threshold=0.7, reject_label=["a"]).predict(X)
    signs = labelled([-1, 0, 1])
    with pytest.raises(pt.DataError, match="-1 is also one of the predictions"):
        pt.RejectOption(pt.GaussianClassifier(), cost=0.1, reject_label=-1).fit(X, signs.predict(X))
    np.testing.assert_array_equal(pt.RejectOption(signs).predict(X), signs.predict(X))
    assert 9 in pt.RejectOption(signs, threshold=0.7, reject_label=9).predict(X)


def test_labels_of_minus_one_and_one_work_by_default_in_predict_score_save_and_report(tmp_path):
    signs = np.where(y == "cat", 1, -1)
    model = pt.RejectOption(pt.LogisticRegression(), threshold=0.9).fit(X, signs)
    found, rejected = model.predict(X), model.is_rejected(X)
    assert model.reject_label_ == -2
    assert set(found[rejected]) == {-2}
    assert set(found[~rejected]) == {-1, 1}
    assert model.score(X, signs) == np.mean(found == signs)
    pt.save(model, tmp_path / "m")
    np.testing.assert_array_equal(pt.load(tmp_path / "m").predict(X), found)
    pt.report(model, X, signs, tmp_path / "page.html", cv=None)
    assert "rejected" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"threshold": 0.5, "cost": 0.5}, "not both"),
        ({"threshold": 1.5}, r"threshold=1\.5 must be a number from 0 to 1"),
        ({"threshold": -0.1}, "from 0 to 1"),
        ({"cost": float("nan")}, "cost=nan"),
        ({"cost": "cheap"}, "cost='cheap'"),
        ({"threshold": True}, "threshold=True"),
    ],
)
def test_bad_parameters_are_refused_before_anything_is_fitted(parameters, words):
    with pytest.raises(pt.DataError, match=words):
        pt.RejectOption(MODEL, **parameters).predict(X)
    with pytest.raises(pt.DataError, match=words):
        pt.RejectOption(pt.GaussianClassifier(), **parameters).fit(X, y)


def test_unfitted_ones_say_so():
    with pytest.raises(NotFittedError):
        pt.RejectOption(pt.GaussianClassifier()).is_rejected(X)
    with pytest.raises(NotFittedError):
        pt.RejectOption(pt.GaussianClassifier()).risk_coverage(X, y)


def test_the_curve_is_that_of_models_with_each_threshold():
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    curve = pt.RejectOption(MODEL).risk_coverage(X, y, weights)
    for i in range(0, len(curve.threshold), 10):
        model = pt.RejectOption(MODEL, threshold=curve.threshold[i])
        answered = ~model.is_rejected(X)
        assert curve.coverage[i] == pytest.approx(weights[answered].sum() / weights.sum())
        wrong = MODEL.predict(X)[answered] != y[answered]
        assert curve.risk[i] == pytest.approx(np.average(wrong, weights=weights[answered]))
    assert curve.coverage[-1] == 1.0
    assert 0 < curve.area < curve.risk[-1]


def test_the_curve_speaks_the_library_of_the_rows():
    frame = pl.DataFrame(X, schema=["a", "b", "c"])
    model = pt.RejectOption(pt.GaussianClassifier().fit(frame, y))
    assert isinstance(model.risk_coverage(frame, pl.Series(y)).to_frame(), pl.DataFrame)
    assert isinstance(model.risk_coverage(frame, y).to_frame("pandas"), pd.DataFrame)
    with pytest.raises(pt.DataError, match="X has 150 rows and y has 149"):
        model.risk_coverage(frame, y[:-1])


def test_around_costs_the_risk_is_the_mean_cost_of_the_actions():
    values = np.array([[0.0, 4.0, 9.0], [1.0, 1.0, 1.0], [5.0, 3.0, 0.0]])
    inner = pt.CostSensitive(MODEL, values, ["go", "ask", "stop"])
    curve = pt.RejectOption(inner).risk_coverage(X, y)
    taken = [["go", "ask", "stop"].index(action) for action in inner.predict(X)]
    wanted = values[taken, np.searchsorted(MODEL.classes_, y)].mean()
    assert curve.risk[-1] == pytest.approx(wanted)
    with pytest.raises(pt.DataError, match="'dodo'"):
        pt.RejectOption(inner).risk_coverage(X[:2], ["ant", "dodo"])
    with pytest.raises(pt.DataError, match="rejects rows itself"):
        pt.RejectOption(pt.CostSensitive(pt.RejectOption(MODEL, cost=0.2), values)).risk_coverage(X, y)


def test_a_row_that_is_rejected_inside_is_judged_by_its_most_probable_class():
    inside = pt.RejectOption(MODEL, threshold=0.7)
    assert inside.is_rejected(X).any()
    curve, plain = pt.RejectOption(inside).risk_coverage(X, y), pt.RejectOption(MODEL).risk_coverage(X, y)
    np.testing.assert_array_equal(curve.risk, plain.risk)
    assert curve.area == plain.area
