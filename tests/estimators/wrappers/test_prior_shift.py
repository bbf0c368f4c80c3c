"""`PriorShift`: new class priors, given or estimated, around any classifier."""

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import posteriori as pt
from tests.estimators.wrappers.decision_data import INSIDE, rows

X, y = rows()
SHARES = np.unique(y, return_counts=True)[1] / len(y)
NEW = np.array([0.7, 0.2, 0.1])


def by_hand(p, training, new):
    shifted = p * (np.asarray(new) / np.asarray(training))
    return shifted / shifted.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", INSIDE)
@pytest.mark.parametrize("K", [2, 3, 5])
def test_by_default_and_at_the_training_priors_not_a_bit_changes(name, K):
    X, y = rows(K)
    inner = INSIDE[name]().fit(X, y)
    fitted = pt.PriorShift(INSIDE[name]()).fit(X, y)
    same = pt.PriorShift(INSIDE[name](), fitted.training_priors_).fit(X, y)
    for model in (pt.PriorShift(inner), fitted, same):
        np.testing.assert_array_equal(model.predict(X), inner.predict(X))
        np.testing.assert_array_equal(model.predict_proba(X), inner.predict_proba(X))
        with np.errstate(divide="ignore"):
            np.testing.assert_array_equal(model.predict_log_proba(X), inner.predict_log_proba(X))
        if hasattr(inner, "decision_function"):
            np.testing.assert_array_equal(model.decision_function(X), inner.decision_function(X))


@pytest.mark.parametrize("name", INSIDE)
def test_probabilities_are_multiplied_by_the_ratio_of_priors(name):
    model = pt.PriorShift(INSIDE[name](), NEW).fit(X, y)
    np.testing.assert_allclose(model.training_priors_, SHARES, rtol=1e-12)
    p = INSIDE[name]().fit(X, y).predict_proba(X)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found, by_hand(p, SHARES, NEW), rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), found, rtol=1e-12)
    np.testing.assert_array_equal(model.predict(X), model.classes_[found.argmax(axis=1)])
    np.testing.assert_array_equal(model.classes_[model.decision_function(X).argmax(axis=1)], model.predict(X))


def test_a_generative_model_with_the_new_priors_is_the_same():
    shifted = pt.PriorShift(pt.GaussianClassifier().fit(X, y), NEW)
    again = pt.GaussianClassifier(class_priors=NEW).fit(X, y)
    np.testing.assert_allclose(shifted.predict_log_proba(X), again.predict_log_proba(X), rtol=1e-11, atol=1e-12)


def test_priors_may_be_given_by_class_in_any_order():
    named = {"cat": 0.1, "ant": 0.7, "bee": 0.2}
    one, two = (pt.PriorShift(pt.GaussianClassifier(), priors).fit(X, y) for priors in (named, NEW))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    np.testing.assert_array_equal(one.class_priors_, NEW)
    one = pt.PriorShift(LogisticRegression().fit(X, y), NEW, dict(zip(["ant", "bee", "cat"], SHARES, strict=True)))
    np.testing.assert_allclose(one.training_priors_, SHARES)


@pytest.mark.parametrize(
    "inner",
    [
        pt.GaussianClassifier(),
        pt.LogisticRegression(prior=1.0),
        pt.TableClassifier(pt.LogisticRegression(prior=1.0)),
        pt.CostSensitive(pt.NaiveBayes()),
        GaussianNB(),
        LinearDiscriminantAnalysis(),
        make_pipeline(StandardScaler(), GaussianNB()),
        FrozenEstimator(GaussianNB().fit(X, y)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_training_priors_of_a_fitted_classifier_that_keeps_them_are_found(inner):
    np.testing.assert_allclose(pt.PriorShift(inner.fit(X, y), NEW).training_priors_, SHARES, rtol=1e-12)


def test_log_priors_of_scikit_learn_are_found():
    inner = MultinomialNB().fit(np.abs(X), y)
    np.testing.assert_allclose(pt.PriorShift(inner, NEW).training_priors_, SHARES, rtol=1e-12)


def test_priors_that_a_classifier_was_given_are_those_it_was_trained_under():
    model = pt.PriorShift(pt.GaussianClassifier(class_priors=[0.2, 0.2, 0.6]), NEW).fit(X, y)
    assert model.training_priors_.tolist() == [0.2, 0.2, 0.6]
    twice = pt.PriorShift(pt.PriorShift(pt.GaussianClassifier(), [0.2, 0.2, 0.6]), NEW).fit(X, y)
    once = pt.PriorShift(pt.GaussianClassifier(), NEW).fit(X, y)
    assert twice.training_priors_.tolist() == [0.2, 0.2, 0.6]
    np.testing.assert_allclose(twice.predict_proba(X), once.predict_proba(X), rtol=1e-11, atol=1e-14)


def test_shares_in_fit_are_by_weight_and_class_weights_count():
    weights = np.where(y == "ant", 3.0, 1.0)
    shares = np.array([weights[y == label].sum() for label in ("ant", "bee", "cat")]) / weights.sum()
    for inner in (LogisticRegression(), pt.LogisticRegression(prior=1.0), pt.OneVsRest(pt.GaussianClassifier())):
        model = pt.PriorShift(inner, NEW).fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(model.training_priors_, shares, rtol=1e-12)
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    model = pt.PriorShift(pipe, NEW).fit(X, y, logisticregression__sample_weight=weights)
    np.testing.assert_allclose(model.training_priors_, shares, rtol=1e-12)
    balanced = pt.PriorShift(LogisticRegression(class_weight="balanced"), NEW).fit(X, y)
    np.testing.assert_allclose(balanced.training_priors_, 1 / 3, rtol=1e-12)
    doubled = pt.PriorShift(make_pipeline(LogisticRegression(class_weight={"ant": 2})), NEW).fit(X, y)
    np.testing.assert_allclose(doubled.training_priors_, SHARES * [2, 1, 1] / (SHARES * [2, 1, 1]).sum(), rtol=1e-12)


def test_a_class_without_weight_has_no_prior():
    weights = (y != "cat").astype(float)
    theirs = pt.PriorShift(LogisticRegression(), [0.5, 0.5, 0.0]).fit(X, y, sample_weight=weights)
    ours = pt.PriorShift(pt.LogisticRegression(prior=1.0), [0.5, 0.5]).fit(X, y, sample_weight=weights)
    assert theirs.training_priors_[2] == 0.0
    np.testing.assert_allclose(theirs.training_priors_[:2], ours.training_priors_)
    with pytest.raises(pt.DataError, match="had a prior of 0 in training and have a positive one now: 'cat'"):
        pt.PriorShift(LogisticRegression(), NEW).fit(X, y, sample_weight=weights)


def test_shares_of_counts_and_of_a_column_by_name():
    counts = pt.PriorShift(pt.LogisticRegression(), [0.5, 0.5]).fit(
        [[1.0], [2.0], [3.0]], pt.counts(successes=[1, 2, 3], trials=[4, 4, 4])
    )
    np.testing.assert_allclose(counts.training_priors_, [0.5, 0.5])
    frame = pd.DataFrame(X, columns=["u", "v", "w"]).assign(kind=y)
    model = pt.PriorShift(pt.TableClassifier(LogisticRegression()), NEW).fit(frame, "kind")
    np.testing.assert_allclose(model.training_priors_, SHARES)


def test_a_table_that_turns_the_classes_round_turns_the_priors_too():
    frame = pd.DataFrame(X, columns=["u", "v", "w"])
    label = y == "cat"
    turned = pt.TableClassifier(pt.GaussianClassifier(), positive=False).fit(frame, label)
    model = pt.PriorShift(turned, [0.9, 0.1])
    np.testing.assert_allclose(model.training_priors_, [label.mean(), 1 - label.mean()])
    plain = pt.PriorShift(pt.GaussianClassifier().fit(frame, label), [0.1, 0.9])
    np.testing.assert_allclose(model.predict_proba(frame)[:, ::-1], plain.predict_proba(frame), rtol=1e-11)


def test_priors_that_nobody_knows_are_asked_for():
    fitted = LogisticRegression().fit(X, y)
    for inner in (fitted, FrozenEstimator(fitted), CalibratedClassifierCV(GaussianNB()).fit(X, y)):
        with pytest.raises(pt.DataError, match=f"{type(inner).__name__} was trained under are unknown.*Pass"):
            pt.PriorShift(inner, NEW).predict(X)
        assert not hasattr(pt.PriorShift(inner), "class_priors_")
    with pytest.raises(pt.DataError, match="FrozenEstimator was trained under are unknown"):
        pt.PriorShift(FrozenEstimator(fitted), NEW).fit(X, y)
    given = pt.PriorShift(FrozenEstimator(fitted), NEW, SHARES).fit(X, y)
    np.testing.assert_allclose(given.predict_proba(X), by_hand(fitted.predict_proba(X), SHARES, NEW), rtol=1e-11)


def test_a_class_at_zero_is_never_predicted():
    model = pt.PriorShift(pt.GaussianClassifier(), [0.5, 0.5, 0.0]).fit(X, y)
    assert set(model.predict(X)) == {"ant", "bee"}
    assert (model.predict_proba(X)[:, 2] == 0).all()
    back = pt.PriorShift(model, SHARES)
    with pytest.raises(
        pt.DataError, match=r"1 class\(es\) had a prior of 0 in training and have a positive one now: 'cat'"
    ):
        back.predict(X)
    kept = pt.PriorShift(model, [0.9, 0.1, 0.0])
    assert (kept.predict_proba(X)[:, 2] == 0).all()


def test_rows_impossible_under_every_class_left_get_the_priors_with_a_warning():
    inner = RandomForestClassifier(5, random_state=0).fit(X, y)
    sure = X[inner.predict_proba(X)[:, 2] == 1.0]
    model = pt.PriorShift(inner, [0.25, 0.75, 0.0], SHARES)
    with pytest.warns(pt.NotIdentifiedWarning, match=f"{len(sure)} row"):
        found = model.predict_proba(sure)
    np.testing.assert_allclose(found, np.tile([0.25, 0.75, 0.0], (len(sure), 1)))


@pytest.mark.parametrize(
    ("priors", "words"),
    [
        ([0.5, 0.5], "class_priors must be 3 numbers"),
        ([0.5, 0.5, 0.5], r"sum to 1\.5"),
        ([1.5, -0.5, 0.0], "negative"),
        ([np.nan, 0.5, 0.5], "not finite"),
        ({"ant": 0.5, "bee": 0.5}, "class_priors lack 1 of the 3 classes: 'cat'"),
        ({"ant": 0.5, "bee": 0.25, "cta": 0.25}, "Did you mean 'cat'"),
        ("uniform", "must be 3 numbers"),
    ],
)
def test_bad_priors_are_refused(priors, words):
    with pytest.raises(pt.DataError, match=words):
        pt.PriorShift(pt.GaussianClassifier(), priors).fit(X, y)
    with pytest.raises(pt.DataError, match=words.replace("class_priors", "training_priors")):
        pt.PriorShift(pt.GaussianClassifier(), NEW, priors).fit(X, y)


@pytest.mark.parametrize("inner", [pt.GaussianClassifier(), LogisticRegression(), pt.NaiveBayes()], ids=repr)
def test_adapt_recovers_a_simulated_shift(inner):
    rng = np.random.default_rng(5)
    means, n = np.array([[0.0, 0.0], [2.5, 0.0], [0.0, 2.5]]), 6000

    def draw(priors):
        labels = rng.choice(3, size=n, p=priors)
        return means[labels] + rng.standard_normal((n, 2)), labels

    old, new = np.array([0.6, 0.3, 0.1]), np.array([0.1, 0.2, 0.7])
    model = pt.PriorShift(inner).fit(*draw(old))
    rows, labels = draw(new)
    before = model.score(rows, labels)
    assert model.adapt(rows) is model
    np.testing.assert_allclose(model.class_priors_, new, atol=0.03)  # some three standard errors
    assert model.adaptation_.converged
    assert model.adaptation_.gap <= 1e-8
    assert model.score(rows, labels) > before + 0.05
    wanted = pt.PriorShift(model.estimator_, model.class_priors_, model.training_priors_).predict_proba(rows)
    np.testing.assert_array_equal(model.predict_proba(rows), wanted)


def test_predict_never_adapts_and_fit_forgets():
    model = pt.PriorShift(pt.GaussianClassifier()).fit(X, y)
    some = X[y == "ant"]
    whole = model.predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(some), whole[y == "ant"], rtol=1e-12)
    model.adapt(some)
    np.testing.assert_allclose(model.predict_proba(X)[:5], model.predict_proba(X[:5]), rtol=1e-12)
    assert model.class_priors_[0] > 0.9
    weighted = pt.PriorShift(model.estimator_).adapt(X, sample_weight=y == "ant")
    np.testing.assert_allclose(weighted.class_priors_, model.class_priors_, atol=1e-6)
    model.fit(X, y)
    assert not hasattr(model, "adaptation_")
    np.testing.assert_array_equal(model.predict_proba(X), whole)
    with pytest.raises(NotFittedError):
        pt.PriorShift(pt.GaussianClassifier()).adapt(X)


def test_single_precision_stays_single():
    model = pt.PriorShift(pt.GaussianClassifier(), NEW).fit(X, y)
    single = model.predict_proba(X.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, model.predict_proba(X), atol=1e-4)
